package io.weir.nic.broker;

import io.weir.transport.frame.Frame;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The writing side of a ring in shared memory. O(1) per frame: a copy, no allocation, no system call. One thread owns
 * it.
 *
 * <p>Invariant: at most as many frames as there are slots are written and not read. A reader whose count says otherwise
 * breaks the ring, after which it has no room.
 */
public final class RingWriter {
    private final UnsafeBuffer ring;
    private final int slotBytes;
    private final int slotCount;
    private final int frameBytesMax;
    /** Frames written ever. The count in the ring is a copy: the other side could change it. */
    private long written;
    /** Frames that the other side had read when it was asked last; never goes back. */
    private long readSeen;
    /** Whether the reader's count was impossible, so that nothing is written any more. */
    private boolean isBroken;

    /** Writes to a new ring of this layout, in memory of its size. */
    public RingWriter(RegionLayout layout, UnsafeBuffer ring) {
        this.ring = ring;
        this.slotBytes = layout.slotBytes();
        this.slotCount = layout.slotCount();
        this.frameBytesMax = layout.frameBytesMax();
    }

    /** {@return how many frames may be written} */
    public int freeCount() {
        long read = ring.getLongVolatile(RegionLayout.READ);
        long inRing = written - read;
        if (read < readSeen || inRing < 0 || isBroken) {
            isBroken = true;
            return 0;
        }
        readSeen = read;
        return slotCount - (int) inRing;
    }

    /** {@return whether a copy of the frame was written} Without room, or if the frame is too long, nothing is. */
    public boolean offer(Frame frame) {
        int lengthBytes = frame.length();
        boolean isRoom = written - readSeen < slotCount || freeCount() > 0;
        if (!isRoom || isBroken || lengthBytes > frameBytesMax) {
            return false;
        }
        int slot = RegionLayout.SLOTS + ((int) written & slotCount - 1) * slotBytes;
        ring.putInt(slot, lengthBytes);
        ring.putBytes(slot + RegionLayout.FRAME, frame.buffer(), frame.offset(), lengthBytes);
        written++;
        ring.putLongRelease(RegionLayout.WRITTEN, written);
        return true;
    }

    /** {@return whether the reader sleeps and is to be woken, which is asked for once per sleep} */
    public boolean takeWakeRequest() {
        // What was written must be visible before the reader is found awake and left alone.
        VarHandle.fullFence();
        return ring.getInt(RegionLayout.WAKE) != 0 && ring.getAndSetInt(RegionLayout.WAKE, 0) != 0;
    }

    /** {@return whether the other side has broken the ring} */
    public boolean isBroken() {
        return isBroken;
    }
}
