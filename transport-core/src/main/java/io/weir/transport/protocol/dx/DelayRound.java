package io.weir.transport.protocol.dx;

/**
 * The queueing delays of one round trip: their mean, each for as many frames as its acknowledgement covers, and their
 * range.
 */
final class DelayRound {
    // Sums, counts and range of the round so far: add() raises them, clear() begins the next round. Each sample counts
    // in the sum as often as it covers frames: samples <= frames.
    private long sumNanos;
    private int frames;
    private int samples;
    private long nanosMin = Long.MAX_VALUE;
    private long nanosMax;

    void add(long delayNanos, int coveredFrames) {
        sumNanos += delayNanos * coveredFrames;
        frames += coveredFrames;
        samples++;
        nanosMin = Math.min(nanosMin, delayNanos);
        nanosMax = Math.max(nanosMax, delayNanos);
    }

    boolean isEmpty() {
        return samples == 0;
    }

    int samples() {
        return samples;
    }

    int frames() {
        return frames;
    }

    // = dx section V.B: "we choose the average": of one packet's wait the maximum tells too much, the minimum too
    // little
    long meanNanos() {
        return sumNanos / frames;
    }

    long rangeNanos() {
        return nanosMax - nanosMin;
    }

    void clear() {
        sumNanos = 0;
        frames = 0;
        samples = 0;
        nanosMin = Long.MAX_VALUE;
        nanosMax = 0;
    }
}
