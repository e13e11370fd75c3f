package io.weir.bench.raw;

/**
 * What one run gave.
 *
 * @param frames frames moved, or round trips made
 * @param nanos how long that took
 * @param calls system calls made meanwhile, or {@link #CALLS_NOT_COUNTED}
 * @param onCoreNanos how much of that time the thread had its core
 * @param p50Nanos the median round trip; 0 where none is measured
 * @param p99Nanos the 99th percentile of the round trips
 * @param p999Nanos the 99.9th percentile of the round trips
 */
record RawResult(long frames, long nanos, long calls, long onCoreNanos, long p50Nanos, long p99Nanos, long p999Nanos) {
    /** Nobody counted system calls. */
    static final long CALLS_NOT_COUNTED = -1;

    static RawResult ofFrames(long frames, long nanos, long calls, long onCoreNanos) {
        return new RawResult(frames, nanos, calls, onCoreNanos, 0, 0, 0);
    }

    static RawResult ofRoundTrips(long count, long p50Nanos, long p99Nanos, long p999Nanos) {
        return new RawResult(count, 0, 0, 0, p50Nanos, p99Nanos, p999Nanos);
    }

    /** {@return the percentage of the time in which the thread was waiting for its core, others being on it} */
    double offCorePercent() {
        return nanos == 0 ? 0 : 100.0 * Math.max(0, nanos - onCoreNanos) / nanos;
    }

    /** {@return millions of frames per second} */
    double megaframesPerSecond() {
        return nanos == 0 ? 0 : frames * 1e3 / nanos;
    }

    /** {@return system calls for each frame} */
    double callsPerFrame() {
        return frames == 0 ? 0 : (double) calls / frames;
    }

    /** {@return whether round trips were measured rather than a rate} */
    boolean isRoundTrips() {
        return p50Nanos != 0;
    }
}
