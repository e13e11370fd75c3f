package io.weir.cli.traffic;

import org.HdrHistogram.Histogram;

/** The times of all round trips of an exchange, which goes on until it is ended. */
public final class RoundTripTimes implements RoundTripListener {
    private static final long NANOS_MAX = 10_000_000_000L;

    private final Histogram nanos = new Histogram(NANOS_MAX, 3);

    @Override
    public long begin() {
        return System.nanoTime();
    }

    @Override
    public boolean end(long sentNanos) {
        nanos.recordValue(Math.min(System.nanoTime() - sentNanos, NANOS_MAX));
        return true;
    }

    /** {@return the times; to be read once the exchange has ended} */
    public Histogram nanos() {
        return nanos;
    }
}
