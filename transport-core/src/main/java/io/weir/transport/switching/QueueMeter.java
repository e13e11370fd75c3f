package io.weir.transport.switching;

import io.weir.transport.time.LogClasses;

/**
 * For how long a queue had how many bytes: its mean over time, exactly, and how its levels were distributed, in classes
 * no wider than a thirty-second of the level. Owned by its port's thread; a change of the queue costs a multiplication
 * and three additions.
 */
public final class QueueMeter {
    private static final LogClasses CLASSES = new LogClasses(5);

    private final long[] nanosByClass = new long[CLASSES.count()];
    private final long startNanos;
    private long sinceNanos;
    private long levelBytes;
    private long levelBytesMax;
    private long byteNanos;

    /** Creates a meter of a queue that holds {@code levelBytes} now. */
    public QueueMeter(long levelBytes, long nowNanos) {
        this.levelBytes = levelBytes;
        this.levelBytesMax = levelBytes;
        this.startNanos = nowNanos;
        this.sinceNanos = nowNanos;
    }

    /** The queue holds {@code newLevelBytes} from now on. */
    public void onLevel(long newLevelBytes, long nowNanos) {
        long nanos = nowNanos - sinceNanos;
        sinceNanos = nowNanos;
        byteNanos += levelBytes * nanos;
        nanosByClass[CLASSES.of(levelBytes)] += nanos;
        levelBytes = newLevelBytes;
        levelBytesMax = Math.max(levelBytesMax, newLevelBytes);
    }

    /** Counts what has passed since the last change. */
    public void settle(long nowNanos) {
        onLevel(levelBytes, nowNanos);
    }

    /** {@return the sum over time of level and nanoseconds, up to the last change} */
    public long byteNanos() {
        return byteNanos;
    }

    /** {@return the mean level over time, up to the last change} */
    public double bytesMean() {
        long nanos = sinceNanos - startNanos;
        return nanos == 0 ? levelBytes : (double) byteNanos / nanos;
    }

    /** {@return the largest level, for however short a time} */
    public long bytesMax() {
        return levelBytesMax;
    }

    /** {@return the level that was not exceeded for {@code ppm} millionths of the time, to a thirty-second of it} */
    public long bytesAt(int ppm) {
        long wantedNanos = (long) StrictMath.ceil((sinceNanos - startNanos) * (ppm / 1e6));
        long nanos = 0;
        for (int i = 0; i < nanosByClass.length; i++) {
            nanos += nanosByClass[i];
            if (nanos >= wantedNanos && nanos > 0) {
                return Math.min(CLASSES.largest(i), levelBytesMax);
            }
        }
        return levelBytes;
    }

    /** Shows every level that the queue had, and for how long, the lowest first. */
    public void forEachLevel(LevelVisitor visitor) {
        for (int i = 0; i < nanosByClass.length; i++) {
            if (nanosByClass[i] > 0) {
                visitor.onLevel(Math.min(CLASSES.largest(i), levelBytesMax), nanosByClass[i]);
            }
        }
    }

    /** Sees levels. */
    @FunctionalInterface
    public interface LevelVisitor {
        /** The queue had {@code bytes} for {@code nanos} altogether. */
        void onLevel(long bytes, long nanos);
    }
}
