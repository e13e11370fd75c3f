package io.weir.bench.compare.end;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long round trips took within the window that counts. One thread. */
final class RoundTripLog {
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
    private static final int DIGITS = 3;

    private final ClientRun run;
    private final Histogram histogram = new Histogram(NANOS_MAX, DIGITS);

    RoundTripLog(ClientRun run) {
        this.run = run;
    }

    /** {@return whether to go on, this round trip being over now} */
    boolean note(long sentNanos, long nowNanos) {
        if (run.isCounting(nowNanos)) {
            histogram.recordValue(Math.min(NANOS_MAX, nowNanos - sentNanos));
        }
        return !run.isOver(nowNanos);
    }

    /** {@return how many were counted} */
    long count() {
        return histogram.getTotalCount();
    }

    void report() {
        EndOutput out = run.out();
        out.value("roundTrips", (double) histogram.getTotalCount());
        out.value("p50Nanos", (double) histogram.getValueAtPercentile(50));
        out.value("p99Nanos", (double) histogram.getValueAtPercentile(99));
        out.value("p999Nanos", (double) histogram.getValueAtPercentile(99.9));
        out.value("p9999Nanos", (double) histogram.getValueAtPercentile(99.99));
    }
}
