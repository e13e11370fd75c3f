package io.weir.cli.traffic;

/**
 * Traffic from one host to another that continues until it is closed. Any thread may ask it.
 *
 * @param <T> what is measured of it
 */
public interface RunningTraffic<T> extends AutoCloseable {
    /** {@return what is measured: arrivals at any time, round trips only after {@link #close}} */
    T figures();

    /** Ends it at once, and waits until nothing is recorded any more. */
    @Override
    void close();
}
