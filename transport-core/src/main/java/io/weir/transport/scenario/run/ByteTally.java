package io.weir.transport.scenario.run;

/** Bytes that have arrived, as results want them: in all, since the latest sample, and since the warm-up's end. */
final class ByteTally {
    /** Bytes since the start; raised by {@link #add} alone. */
    private long totalBytes;
    /** {@link #totalBytes} at the latest sample, 0 before it. */
    private long bytesAtSample;
    /** {@link #totalBytes} at the warm-up's end, 0 before it. */
    private long bytesAtWarmUp;

    void add(long bytes) {
        totalBytes += bytes;
    }

    void onWarmUp() {
        bytesAtWarmUp = totalBytes;
    }

    /** {@return bytes since the latest call} */
    long takeSampleBytes() {
        long bytes = totalBytes - bytesAtSample;
        bytesAtSample = totalBytes;
        return bytes;
    }

    long totalBytes() {
        return totalBytes;
    }

    long bytesAfterWarmUp() {
        return totalBytes - bytesAtWarmUp;
    }
}
