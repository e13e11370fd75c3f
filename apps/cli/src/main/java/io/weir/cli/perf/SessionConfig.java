package io.weir.cli.perf;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How one end runs a test.
 *
 * @param intervalNanos how often to look at the streams, or 0 for only once
 * @param silenceNanosMax how long the peer's end of the control connection may say nothing
 * @param listeners who is told how it goes
 */
record SessionConfig(long intervalNanos, long silenceNanosMax, List<PerfListener> listeners) {
    /**
     * How long the peer may say nothing, unless it is told otherwise: less than the 10 s after which its connection
     * ends.
     */
    static final long SILENCE_NANOS_MAX = TimeUnit.SECONDS.toNanos(8);

    SessionConfig {
        listeners = List.copyOf(listeners);
    }
}
