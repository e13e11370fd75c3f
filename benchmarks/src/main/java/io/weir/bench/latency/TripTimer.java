package io.weir.bench.latency;

import io.weir.cli.traffic.RoundTripListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * Notes how long each round trip of a run took, once the run has warmed up. Told by the one thread that sends; any
 * thread may wait for the end.
 */
final class TripTimer implements RoundTripListener {
    private static final long WARM_UP_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SPARE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;

    private final long nanos;
    private final long warmUpNanos;
    private final Histogram histogram = new Histogram(NANOS_MAX, DIGITS);
    private final CoreWait coreWait = new CoreWait();
    private final CountDownLatch over = new CountDownLatch(1);
    private long startNanos;
    private boolean isStarted;
    private boolean isCounting;

    TripTimer(double seconds) {
        this.nanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        this.warmUpNanos = Math.min(nanos, WARM_UP_NANOS_MAX);
    }

    @Override
    public long begin() {
        long nowNanos = System.nanoTime();
        if (!isStarted) {
            isStarted = true;
            startNanos = nowNanos;
        } else if (!isCounting && nowNanos - startNanos >= warmUpNanos) {
            isCounting = true;
            coreWait.begin();
            nowNanos = System.nanoTime();
            startNanos = nowNanos;
        }
        return nowNanos;
    }

    @Override
    public boolean end(long sentNanos) {
        long nowNanos = System.nanoTime();
        if (!isCounting) {
            return true;
        }
        histogram.recordValue(Math.min(NANOS_MAX, nowNanos - sentNanos));
        if (nowNanos - startNanos < nanos) {
            return true;
        }
        coreWait.end();
        over.countDown();
        return false;
    }

    /** Waits for the end of the run. */
    void await() throws InterruptedException, TimeoutException {
        if (!over.await(warmUpNanos + nanos + SPARE_NANOS, TimeUnit.NANOSECONDS)) {
            throw new TimeoutException("a message did not come back");
        }
    }

    /** {@return what the run gave, which must be over} */
    LatencyResult result() {
        return new LatencyResult(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                coreWait.percentMax());
    }
}
