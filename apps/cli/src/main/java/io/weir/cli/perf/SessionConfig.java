package io.weir.cli.perf;

import io.weir.cli.environment.StopRequest;
import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.scenario.SizeDistribution;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How one end runs a test.
 *
 * @param intervalNanos how often to look at the streams, or 0 for only once
 * @param patienceNanos how long to wait for a word of a peer whose control connection stands, in time that this process
 *     has
 * @param listeners who is told how it goes
 * @param stop asks for the end before the test is over
 * @param limits what else ends it before
 * @param file what is sent, or where to write what comes, or null
 * @param sizes of a workload's messages, or null
 * @param seed of their order and times
 * @param text what this end has printed of the test
 */
record SessionConfig(
        long intervalNanos,
        long patienceNanos,
        List<PerfListener> listeners,
        StopRequest stop,
        SessionLimits limits,
        Path file,
        SizeDistribution sizes,
        long seed,
        Supplier<String> text) {
    /** The usual patience, in seconds: less than the 10 after which the connection of a peer that has vanished ends. */
    static final String PATIENCE = "8";

    /** By so much a connection outlives the wait for its peer, which can then say what it waited for. */
    private static final long OUTLIVING_NANOS = TimeUnit.SECONDS.toNanos(2);

    SessionConfig {
        listeners = List.copyOf(listeners);
    }

    /** {@return what most tests have} */
    static SessionConfig of(long intervalNanos, long patienceNanos, List<PerfListener> listeners, StopRequest stop) {
        return new SessionConfig(
                intervalNanos, patienceNanos, listeners, stop, SessionLimits.DEFAULT, null, null, 0, () -> "");
    }

    /** {@return timers by which no connection ends before these waits do, however long its peer is silent} */
    static ConnectionTimers timers(long patienceNanos, long connectNanosMax) {
        long waitNanos = Math.max(patienceNanos, connectNanosMax);
        long outlivingNanos = Math.min(waitNanos, ConnectionTimers.NANOS_MAX - OUTLIVING_NANOS) + OUTLIVING_NANOS;
        return ConnectionTimers.builder()
                .userTimeoutNanos(Math.max(ConnectionTimers.DEFAULT.userTimeoutNanos(), outlivingNanos))
                .build();
    }
}
