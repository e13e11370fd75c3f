package io.weir.transport.socket;

/**
 * Tells a stream of bulk data from one of messages, by what was read in the latest {@value #WINDOW_NANOS} ns or more.
 * One thread at a time; O(1), no allocation.
 */
final class ReadRate {
    static final long WINDOW_NANOS = 100_000;
    /** 0.5 Gbps. */
    private static final int NANOS_PER_BYTE = 16;

    /** When the window began. */
    private long startNanos;
    /** Bytes read since. */
    private long bytes;
    /** What the latest whole window told. */
    private boolean isBulk;

    /** So many bytes were read. */
    void add(int count) {
        bytes += count;
    }

    /** {@return whether bytes come faster than messages do that wait for no answer} */
    boolean isBulk(long nowNanos) {
        long windowNanos = nowNanos - startNanos;
        if (windowNanos >= WINDOW_NANOS) {
            isBulk = bytes * NANOS_PER_BYTE > windowNanos;
            startNanos = nowNanos;
            bytes = 0;
        }
        return isBulk;
    }
}
