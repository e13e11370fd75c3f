package io.weir.transport.host;

/**
 * Credits that came before the acceptance of their connection, in the order of their arrival. Switches send credits
 * first, so those of a responder overtake its acceptance wherever that waits behind data. One per opening, and only if
 * a credit comes early.
 *
 * <p>Not in the papers, which do not say what happens to such credits.
 */
final class EarlyCredits {
    /** At 10 Gbit/s as many as a meter passes in 80 us. */
    static final int COUNT_MAX = 64;

    private final int[] sequences = new int[COUNT_MAX];
    private final int[] flags = new int[COUNT_MAX];
    private final long[] arrivedNanos = new long[COUNT_MAX];
    /** How many are kept; raised by {@link #add}, at most {@link #COUNT_MAX}. */
    private int count;

    /** {@return whether there was room for a credit that comes now} */
    boolean add(int sequenceLow32, int creditFlags, long nowNanos) {
        if (count == COUNT_MAX) {
            return false;
        }
        sequences[count] = sequenceLow32;
        flags[count] = creditFlags;
        arrivedNanos[count] = nowNanos;
        count++;
        return true;
    }

    int count() {
        return count;
    }

    /** {@return the low 32 bits of a credit's number} */
    int sequenceLow32(int index) {
        return sequences[index];
    }

    int flags(int index) {
        return flags[index];
    }

    /** {@return when the credit came: its life began then} */
    long arrivedNanos(int index) {
        return arrivedNanos[index];
    }
}
