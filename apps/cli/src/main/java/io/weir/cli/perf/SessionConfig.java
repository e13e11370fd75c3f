package io.weir.cli.perf;

import io.weir.cli.environment.StopRequest;
import java.util.List;

/**
 * How one end runs a test.
 *
 * @param intervalNanos how often to look at the streams, or 0 for only once
 * @param patienceNanos how long to wait for a word of a peer whose control connection stands, in time that this process
 *     has
 * @param listeners who is told how it goes
 * @param stop asks for the end before the test is over
 */
record SessionConfig(long intervalNanos, long patienceNanos, List<PerfListener> listeners, StopRequest stop) {
    /** The usual patience, in seconds: less than the 10 after which the connection of a peer that has vanished ends. */
    static final String PATIENCE = "8";

    SessionConfig {
        listeners = List.copyOf(listeners);
    }
}
