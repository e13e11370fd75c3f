package io.weir.transport.protocol.dx;

/**
 * Tells losses of a broken wire, which are few, from those of a full queue. One instance per flow; O(1).
 *
 * <p>DX keeps its window on losses, since a queue that overflows has been felt by its delay before. That fails a flow
 * that has never seen the queue empty: to it a full queue is distance. Such a flow loses many frames, and goes on
 * losing them.
 */
final class HeavyLoss {
    private static final int FRAMES_MIN = 16;
    private static final int SHARE = 8;

    private final long bytesMin;
    private long lostBytes;
    private long bytes;

    HeavyLoss(int segmentBytes) {
        bytesMin = (long) FRAMES_MIN * segmentBytes;
    }

    void add(long newLostBytes, long newArrivedBytes) {
        lostBytes += newLostBytes;
        bytes += newLostBytes + newArrivedBytes;
    }

    /**
     * {@return whether of the frames since it was last known, which are sixteen at least, more than an eighth were
     * lost}
     */
    boolean endRound() {
        if (bytes < bytesMin) {
            return false;
        }
        boolean isHeavy = SHARE * lostBytes > bytes;
        lostBytes = 0;
        bytes = 0;
        return isHeavy;
    }
}
