package io.weir.cli.traffic;

/** When the first bytes of a flow arrived, for one writer; read when the writer is done. */
public final class ArrivalLog {
    private static final int ARRIVALS_MAX = 1 << 14;

    private final long[] nanos = new long[ARRIVALS_MAX];
    private final long[] totals = new long[ARRIVALS_MAX];
    private volatile int count;
    private long totalBytes;

    public void add(long nowNanos, int bytes) {
        totalBytes += bytes;
        int index = count;
        if (index < ARRIVALS_MAX) {
            nanos[index] = nowNanos;
            totals[index] = totalBytes;
            count = index + 1;
        }
    }

    /** {@return whether nothing has come} */
    public boolean isEmpty() {
        return count == 0;
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
