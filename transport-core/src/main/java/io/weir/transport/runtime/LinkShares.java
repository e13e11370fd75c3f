package io.weir.transport.runtime;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How the loops of one interface share its link without a lock: each publishes its recent use of the link, and may
 * use its equal part of the link, or what the others leave of it if that is more.
 *
 * <p>What all of them may use is the link when they use what they may; a loop whose use has just grown may add its part
 * to that until the others have seen it, one {@link #INTERVAL_NANOS} later. One direction of the link; each loop writes
 * its own slot, once per interval. No allocation.
 */
final class LinkShares {
    /** How often a loop says what it used. */
    static final long INTERVAL_NANOS = 500_000;

    static final int PPM = 1_000_000;

    /** What a loop said longer ago it uses no more: it sleeps. */
    private static final long STALE_NANOS = 4 * INTERVAL_NANOS;

    private static final int SLOT_BYTES = 2 * BitUtil.CACHE_LINE_LENGTH;
    private static final int USED_PPM = 0;
    private static final int SAID_NANOS = Long.BYTES;

    private final UnsafeBuffer slots;
    private final int loopCount;

    /** Creates the shares of so many loops, none of which uses the link. */
    LinkShares(int loopCount) {
        this.loopCount = loopCount;
        this.slots =
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(loopCount * SLOT_BYTES, BitUtil.CACHE_LINE_LENGTH));
        for (int i = 0; i < loopCount; i++) {
            slots.putLong(i * SLOT_BYTES + SAID_NANOS, -STALE_NANOS);
        }
    }

    /** A loop says what part of the link it used. That loop alone. */
    void say(int loopIndex, long usedPpm, long nowNanos) {
        int slot = loopIndex * SLOT_BYTES;
        // A reader that sees one without the other is wrong for one interval.
        slots.putLongRelease(slot + USED_PPM, usedPpm);
        slots.putLongRelease(slot + SAID_NANOS, nowNanos);
    }

    /** {@return what part of the link a loop may use, in parts per million} */
    int sharePpm(int loopIndex, long nowNanos) {
        int activeCount = 1;
        long othersPpm = 0;
        for (int i = 0; i < loopCount; i++) {
            int slot = i * SLOT_BYTES;
            if (i == loopIndex || nowNanos - slots.getLongVolatile(slot + SAID_NANOS) > STALE_NANOS) {
                continue;
            }
            long usedPpm = slots.getLongVolatile(slot + USED_PPM);
            if (usedPpm > 0) {
                activeCount++;
                othersPpm += usedPpm;
            }
        }
        return (int) Math.max(PPM / activeCount, PPM - othersPpm);
    }
}
