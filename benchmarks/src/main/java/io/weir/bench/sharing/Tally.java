package io.weir.bench.sharing;

import io.weir.cli.traffic.RoundTripListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/** What one run gives: round trips, or bytes; after a warm-up. Told by one thread; any may wait. */
final class Tally implements RoundTripListener {
    /** Of a message whose round trip counts. */
    static final int MESSAGE_BYTES = 64;

    /** A run that is measured for less is warmed up for as long as it is measured. */
    private static final long WARM_UP_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long SPARE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long TRIP_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int DIGITS = 3;

    private final long nanos;
    private final long warmUpNanos;
    private final Histogram trips = new Histogram(TRIP_NANOS_MAX, DIGITS);
    private final CountDownLatch over = new CountDownLatch(1);
    /** When the run, or what is counted of it, began; 0 before. */
    private long startNanos;
    /** Whether the warm-up is over. */
    private boolean isCounting;
    /** Bytes since then. */
    private long bytes;
    /** When the latest bytes or round trip were counted. */
    private long lastNanos;

    Tally(double seconds) {
        nanos = (long) (seconds * NANOS_PER_SECOND);
        warmUpNanos = Math.min(nanos, WARM_UP_NANOS_MAX);
    }

    /** {@return whether the run goes on, after bytes or a whole round trip that began at {@code sentNanos}} */
    boolean note(long count, long sentNanos) {
        long nowNanos = System.nanoTime();
        if (startNanos == 0) {
            startNanos = nowNanos;
        }
        if (!isCounting) {
            if (nowNanos - startNanos >= warmUpNanos) {
                isCounting = true;
                startNanos = nowNanos;
            }
            return true;
        }
        bytes += count;
        lastNanos = nowNanos;
        trips.recordValue(Math.min(TRIP_NANOS_MAX, nowNanos - sentNanos));
        if (nowNanos - startNanos < nanos) {
            return true;
        }
        over.countDown();
        return false;
    }

    @Override
    public long begin() {
        return System.nanoTime();
    }

    @Override
    public boolean end(long sentNanos) {
        return note(MESSAGE_BYTES, sentNanos);
    }

    void await() throws InterruptedException, TimeoutException {
        if (!over.await(warmUpNanos + nanos + SPARE_NANOS, TimeUnit.NANOSECONDS)) {
            throw new TimeoutException("a run did not end");
        }
    }

    /** {@return the median round trip in microseconds} */
    double p50Micros() {
        return trips.getValueAtPercentile(50) / 1e3;
    }

    /** {@return the 99th percentile of round trips in microseconds} */
    double p99Micros() {
        return trips.getValueAtPercentile(99) / 1e3;
    }

    /** {@return bits per second} */
    double rateBps() {
        return bytes * (double) Byte.SIZE * NANOS_PER_SECOND / (lastNanos - startNanos);
    }
}
