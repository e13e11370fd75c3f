package io.weir.transport.node;

import java.util.Locale;

/**
 * Where the time stamps of a port's frames come from. The kernel's are nearer to the wire than the loop's, and a
 * device's nearer still; a port that has none of them says why.
 *
 * @param receive of frames that come in
 * @param transmit of frames that leave
 * @param reason why from there: what was asked for, and what the device or the kernel lacks
 */
public record StampSources(Source receive, Source transmit, String reason) {
    /** What reads the clock. */
    public enum Source {
        /** The driver of the event loop, once a cycle. */
        SOFTWARE,
        /** The kernel, for each frame that comes, as its driver takes it: before it waits for the event loop. */
        KERNEL,
        /** The device, for each frame. */
        HARDWARE
    }

    /** {@return stamps of the event loop both ways, for this reason} */
    public static StampSources software(String reason) {
        return new StampSources(Source.SOFTWARE, Source.SOFTWARE, reason);
    }

    /** {@return it on one line} */
    public String line() {
        return "receive " + text(receive) + ", transmit " + text(transmit) + " (" + reason + ")";
    }

    private static String text(Source source) {
        return source.name().toLowerCase(Locale.ROOT);
    }
}
