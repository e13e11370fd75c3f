package io.weir.cli.traffic;

import org.HdrHistogram.Histogram;

/** The left host asks and the right host answers, one message at a time. */
public interface RoundTrips extends AutoCloseable {
    /** {@return the round-trip times so far in ns; to be asked after {@link #close}} */
    Histogram nanos();

    /** Ends it, and waits until nothing is recorded any more. */
    @Override
    void close();
}
