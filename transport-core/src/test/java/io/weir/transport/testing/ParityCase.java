package io.weir.transport.testing;

import java.util.Map;

/**
 * A sequence of calls, described once, that is played on the kernel's sockets and on Weir's: what it tells must be the
 * same, but for what {@link AllowedDifferences} names.
 *
 * @param virtual whether it needs virtual threads
 * @param <K> what makes the sockets of one kind
 */
public record ParityCase<K>(String name, Play<K> play, boolean virtual) {
    /** The calls. */
    @FunctionalInterface
    public interface Play<K> {
        void on(K kind, CallLog log) throws Exception;
    }

    /** {@return a case that any Java runtime can play} */
    public static <K> ParityCase<K> of(String name, Play<K> play) {
        return new ParityCase<>(name, play, false);
    }

    /** {@return a case that needs virtual threads} */
    public static <K> ParityCase<K> ofVirtualThreads(String name, Play<K> play) {
        return new ParityCase<>(name, play, true);
    }

    /** {@return whether this Java runtime can play it} */
    public boolean isPlayable() {
        return !virtual || Runtime.version().feature() >= 21;
    }

    /** {@return what it tells on sockets of a kind} */
    public Map<String, String> playOn(K kind) throws Exception {
        CallLog log = new CallLog();
        play.on(kind, log);
        return log.outcomes();
    }

    @Override
    public String toString() {
        return name;
    }
}
