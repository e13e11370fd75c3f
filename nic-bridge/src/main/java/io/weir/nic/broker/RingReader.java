package io.weir.nic.broker;

import io.weir.transport.frame.Frame;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The reading side of a ring in shared memory. O(1) per frame: a copy, no allocation, no system call. One thread owns
 * it, but for what belongs to a sleep, which is one other thread's at a time.
 *
 * <p>A sleep begins with {@link #beginSleep}; if that says so, {@link #requestWake} follows. It ends with {@link
 * #isToCancel} and perhaps {@link #cancelWake}. A bell that was heard is told to {@link #onBell}. A reader of a ring in
 * which nothing was going on is not awake for it: the writer stays asked, so that the next sleeps cost nothing.
 *
 * <p>Invariant of {@link #isAsked}: no frame is there that the writer has not rung for, or is about to ring for, after
 * which nobody has heard the bell.
 *
 * <p>Each value of the other side's is read once and checked before it is used. One that cannot be breaks the ring,
 * which is empty from then on; memory outside the ring is never touched.
 */
public final class RingReader {
    private final UnsafeBuffer ring;
    private final int slotBytes;
    private final int slotCount;
    private final int frameBytesMax;
    /** Frames read ever. The count in the ring is a copy: the other side could change it. */
    private long read;
    /** Frames that the other side had written when it was asked last; asked again when all of them are read. */
    private long writtenSeen;
    /** Whether the writer's count or a length was impossible, so that nothing is read any more. */
    private boolean isBroken;
    /** Whether the writer was asked to ring, and no bell was heard since. Who sleeps, and who takes a bell. */
    private volatile boolean isAsked;
    /** {@link #read} when the latest sleep began. Who sleeps. */
    private long readBefore;
    /** Whether frames were read between the latest sleep and the one before it. Who sleeps. */
    private boolean isInUse;

    /** Reads a new ring of this layout, in memory of its size. */
    public RingReader(RegionLayout layout, UnsafeBuffer ring) {
        this.ring = ring;
        this.slotBytes = layout.slotBytes();
        this.slotCount = layout.slotCount();
        this.frameBytesMax = layout.frameBytesMax();
    }

    /** {@return whether a frame waits} */
    public boolean hasNext() {
        return writtenSeen != read || look();
    }

    private boolean look() {
        long written = ring.getLongVolatile(RegionLayout.WRITTEN);
        long inRing = written - read;
        if (isBroken || inRing < 0 || inRing > slotCount) {
            isBroken = true;
            return false;
        }
        writtenSeen = written;
        return inRing > 0;
    }

    /** {@return whether the next frame, which must be there, is in {@code frame} now; if not the ring is broken} */
    public boolean readInto(Frame frame) {
        int slot = RegionLayout.SLOTS + ((int) read & slotCount - 1) * slotBytes;
        int lengthBytes = ring.getInt(slot);
        if (lengthBytes < 0
                || lengthBytes > frameBytesMax
                || lengthBytes > frame.buffer().capacity()) {
            isBroken = true;
            writtenSeen = read;
            return false;
        }
        frame.setExtent(0, lengthBytes);
        frame.buffer().putBytes(0, ring, slot + RegionLayout.FRAME, lengthBytes);
        read++;
        ring.putLongRelease(RegionLayout.READ, read);
        return true;
    }

    /** {@return whether the writer must be asked to ring} Touches no shared memory. */
    public boolean beginSleep() {
        isInUse = read != readBefore;
        readBefore = read;
        return !isAsked;
    }

    /**
     * Asks the writer to ring after its next frame.
     *
     * @return whether there is none yet; otherwise the thread must not sleep
     */
    public boolean requestWake() {
        ring.putInt(RegionLayout.WAKE, 1);
        // The writer looks for this after its frame is visible; this side looks for a frame after this is.
        VarHandle.fullFence();
        isAsked = isBroken || ring.getLongVolatile(RegionLayout.WRITTEN) == read;
        return isAsked;
    }

    /**
     * {@return whether the writer is no longer to ring, at the end of a sleep: there was something going on, or it was
     * asked in vain} Touches no shared memory.
     */
    public boolean isToCancel() {
        return isInUse || !isAsked;
    }

    /** The thread is awake, and reads what is written without a bell. */
    public void cancelWake() {
        isAsked = false;
        ring.putIntVolatile(RegionLayout.WAKE, 0);
    }

    /** A bell is about to be heard, after which the writer rings only if it is asked once more. */
    public void onBell() {
        isAsked = false;
    }

    /** {@return whether the other side has broken the ring} */
    public boolean isBroken() {
        return isBroken;
    }
}
