package io.weir.transport.node;

/**
 * Where the time stamps of a port's frames come from. A device's stamps are nearer to the wire; a port that has none says why.
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
        /** The device, for each frame. */
        HARDWARE
    }

    /** {@return stamps of the event loop both ways, for this reason} */
    public static StampSources software(String reason) {
        return new StampSources(Source.SOFTWARE, Source.SOFTWARE, reason);
    }

    /** {@return it on one line} */
    public String line() {
        return "receive " + word(receive) + ", transmit " + word(transmit) + " (" + reason + ")";
    }

    private static String word(Source source) {
        return source == Source.HARDWARE ? "hardware" : "software";
    }
}
