package io.weir.cli.traffic;

import java.util.concurrent.atomic.AtomicLong;

/** What has arrived of a flow, and when its first bytes did. One writer; times are read when the writer is done. */
public final class ArrivalLog {
    /** Enough for the first 40 ms of a flow at 1 Gbps, frame by frame. */
    private static final int ARRIVALS_MAX = 1 << 14;

    private final long[] nanos;
    private final long[] totals;
    private final AtomicLong totalBytes = new AtomicLong();
    // When the first and the latest bytes arrived; the writer's, to be read when it is done.
    private long firstNanos;
    private long lastNanos;
    /** How many times are known; raised by the writer alone. */
    private volatile int count;

    /** Creates a log that keeps the times of many arrivals. */
    public ArrivalLog() {
        this(ARRIVALS_MAX);
    }

    private ArrivalLog(int arrivalsMax) {
        nanos = new long[arrivalsMax];
        totals = new long[arrivalsMax];
    }

    /** {@return a log that only counts bytes, for flows that are many} */
    public static ArrivalLog ofBytes() {
        return new ArrivalLog(0);
    }

    /** {@return all bytes that have arrived, with {@code bytes} that arrive now} The writer's thread. */
    public long add(long nowNanos, int bytes) {
        long before = totalBytes.getPlain();
        long total = before + bytes;
        firstNanos = before == 0 ? nowNanos : firstNanos;
        lastNanos = nowNanos;
        totalBytes.lazySet(total);
        int index = count;
        if (index < nanos.length) {
            nanos[index] = nowNanos;
            totals[index] = total;
            count = index + 1;
        }
        return total;
    }

    /** {@return bytes that have arrived} Any thread. */
    public long totalBytes() {
        return totalBytes.get();
    }

    /** {@return the time from the first arrival to the latest; when the writer is done} */
    public long spanNanos() {
        return lastNanos - firstNanos;
    }

    /**
     * {@return how long after the first arrival at least {@code bytesMin} had come within {@code spanNanos} for the
     * first time, or {@link Long#MAX_VALUE} if they never did}
     */
    public long nanosUntil(long bytesMin, long spanNanos) {
        int known = count;
        int from = 0;
        for (int i = 0; i < known; i++) {
            while (nanos[i] - nanos[from] >= spanNanos) {
                from++;
            }
            long before = from == 0 ? 0 : totals[from - 1];
            if (totals[i] - before >= bytesMin) {
                return nanos[i] - nanos[0];
            }
        }
        return Long.MAX_VALUE;
    }
}
