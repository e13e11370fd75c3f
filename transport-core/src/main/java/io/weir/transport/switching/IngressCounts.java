package io.weir.transport.switching;

import java.util.Arrays;

/**
 * What a queue of a switch port has taken and dropped, by the port that frames came in by. The switch's thread owns it;
 * two additions per frame.
 */
final class IngressCounts {
    /** Frames that the queue took, by ingress port. */
    private long[] queued;
    /** Frames that ended at it, by ingress port. */
    private long[] dropped;

    IngressCounts(int portCount) {
        queued = new long[portCount];
        dropped = new long[portCount];
    }

    void onQueued(int ingress) {
        queued[ingress]++;
    }

    void onDropped(int ingress) {
        dropped[ingress]++;
    }

    /** {@return a copy of how many frames it took, by ingress port} */
    long[] queued() {
        return queued.clone();
    }

    /** {@return a copy of how many frames ended at it, by ingress port} */
    long[] dropped() {
        return dropped.clone();
    }

    /**
     * The switch has other ports from now on. What came by a port that is gone is forgotten.
     *
     * @param newIndexes the number that each former port has now, or -1
     */
    void renumber(int[] newIndexes, int portCount) {
        queued = renumbered(queued, newIndexes, portCount);
        dropped = renumbered(dropped, newIndexes, portCount);
    }

    private static long[] renumbered(long[] counts, int[] newIndexes, int portCount) {
        long[] next = new long[portCount];
        for (int i = 0; i < Math.min(counts.length, newIndexes.length); i++) {
            if (newIndexes[i] >= 0) {
                next[newIndexes[i]] = counts[i];
            }
        }
        return next;
    }

    @Override
    public String toString() {
        return "queued " + Arrays.toString(queued) + ", dropped " + Arrays.toString(dropped);
    }
}
