package io.weir.transport.frame;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A fixed number of equal frame slots in one page-aligned block of direct memory, and the ledger of who has each.
 *
 * <p>One thread owns the pool. Frames to write are allocated last-in first-out, in O(1), so that warm slots are reused.
 * Frames that ports receive into come back from rings as late as the ports like, and cold: they are kept apart, so that
 * frames to write are the few that were written last. The lowest in memory are handed out first. A ring uses all of its
 * frames in turn, so those in use are few and neighbours: they share pages and translations, and the next one is
 * prefetched. In no order, 2048 of them cost a veth port a sixth of its throughput. Where one kind runs out, the other
 * helps.
 *
 * <p>The memory is a plain direct buffer: a port may register it with the kernel (it is a UMEM then), and the simulator
 * needs no port at all.
 *
 * <p>A frame that leaks is {@link FrameOwner#HELD} in the ledger from then on.
 */
public final class FramePool {
    /** What the slots of a released frame are filled with when checks are on. */
    public static final byte POISON = (byte) 0xDB;

    private static final int LINE_BYTES = 64;

    private final ByteBuffer memory;
    private final Frame[] frames;
    /** One bit for each frame: whether it is free, and was allocated to receive into. */
    private final long[] freeToFill;
    /**
     * Indexes of the other free frames, from 0 on: the last one released is the last. They are no references, of whose
     * changes the garbage collector would be told.
     */
    private final int[] freeToHold;

    /** From one slot to the next. */
    private final int strideBytes;

    private final int frameCapacityBytes;
    private final boolean poison;
    /** Bits set in freeToFill; written with each of them. */
    private int freeToFillCount;
    /** No frame below is in freeToFill; raised by each search, lowered by frames that come back. */
    private int lowestToFill;
    /** Indexes in freeToHold; written by allocate and release. */
    private int freeToHoldCount;

    /**
     * Allocates the memory and its frames.
     *
     * @param frameCapacityBytes bytes of a slot, headroom included; a multiple of 64 of 256 to 65536. Ports that share
     *     the memory with a kernel want a power of two of 2048 or more; where nothing does, an odd multiple of 64
     *     spreads the frames' headers over the lines of a cache.
     * @param poison whether a released slot is overwritten, so that a use after release shows; for tests
     */
    public FramePool(int frameCount, int frameCapacityBytes, boolean poison) {
        this(allocate(frameCount, frameCapacityBytes, 0), frameCapacityBytes, 0, poison);
    }

    /** {@return memory that begins at a multiple of {@code pageBytes}, or for 0 of the system's page} */
    static ByteBuffer allocate(int frameCount, int frameCapacityBytes, int pageBytes) {
        if (frameCount < 1 || (long) frameCount * frameCapacityBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("frameCount=" + frameCount + " times frameCapacityBytes="
                    + frameCapacityBytes + " must be positive and below 2 GiB");
        }
        if (frameCapacityBytes % LINE_BYTES != 0 || frameCapacityBytes < 256 || frameCapacityBytes > 65536) {
            throw new IllegalArgumentException("frameCapacityBytes=" + frameCapacityBytes + " must be a multiple of "
                    + LINE_BYTES + " of 256..65536");
        }
        BufferAccess.open();
        // 4, 16 or 64 KiB: a kernel takes whole pages, as long as its own.
        int alignmentBytes = pageBytes == 0 ? UnsafeApi.pageSize() : pageBytes;
        return BufferUtil.allocateDirectAligned(frameCount * frameCapacityBytes, alignmentBytes);
    }

    private FramePool(ByteBuffer memory, int strideBytes, int headBytes, boolean poison) {
        int frameCount = memory.capacity() / strideBytes;
        this.memory = memory;
        this.strideBytes = strideBytes;
        this.frameCapacityBytes = strideBytes - headBytes;
        this.poison = poison;
        this.frames = new Frame[frameCount];
        this.freeToFill = new long[(frameCount + Long.SIZE - 1) / Long.SIZE];
        this.freeToHold = new int[frameCount];
        for (int i = 0; i < frameCount; i++) {
            frames[i] = new Frame(this, new UnsafeBuffer(memory, i * strideBytes + headBytes, frameCapacityBytes), i);
            freeToHold[frameCount - 1 - i] = i;
        }
        freeToHoldCount = frameCount;
    }

    /**
     * {@return a pool over memory that a port has, which must outlive it}
     *
     * @param memory direct memory, a whole number of slots
     * @param strideBytes from one slot to the next
     * @param headBytes the beginning of each slot that is the port's, and no part of the frame's buffer
     */
    public static FramePool over(ByteBuffer memory, int strideBytes, int headBytes) {
        if (!memory.isDirect() || headBytes < 0 || strideBytes <= headBytes || memory.capacity() % strideBytes != 0) {
            throw new IllegalArgumentException(
                    "memory of " + memory.capacity() + " bytes is no whole number of slots of " + strideBytes
                            + " bytes with " + headBytes + " of the port's, or is not direct");
        }
        BufferAccess.open();
        return new FramePool(memory, strideBytes, headBytes, false);
    }

    /** Creates a pool without poisoning. */
    public FramePool(int frameCount, int frameCapacityBytes) {
        this(frameCount, frameCapacityBytes, false);
    }

    /** {@return a free frame, now held by the caller and empty, or null when there is none} */
    public Frame allocate() {
        return allocate(FrameOwner.HELD);
    }

    /** {@return a free frame, now {@code owner}'s and empty, or null when there is none} */
    public Frame allocate(FrameOwner owner) {
        if (freeToFillCount + freeToHoldCount == 0) {
            return null;
        }
        boolean isToFill = owner == FrameOwner.FILL;
        boolean isFromFill = isToFill ? freeToFillCount > 0 : freeToHoldCount == 0;
        Frame frame = frames[isFromFill ? takeToFill() : freeToHold[--freeToHoldCount]];
        frame.setToFill(isToFill);
        frame.clear();
        frame.transfer(FrameOwner.FREE, owner);
        return frame;
    }

    /** {@return the lowest of freeToFill, which has one} */
    private int takeToFill() {
        int word = lowestToFill / Long.SIZE;
        while (freeToFill[word] == 0) {
            word++;
        }
        int index = word * Long.SIZE + Long.numberOfTrailingZeros(freeToFill[word]);
        freeToFill[word] &= ~(1L << index);
        freeToFillCount--;
        lowestToFill = index;
        return index;
    }

    /** Takes a frame back from {@code from}, who must be its owner. */
    public void release(Frame frame, FrameOwner from) {
        if (frame.pool() != this) {
            throw new IllegalStateException("frame " + frame.index() + " belongs to another pool");
        }
        frame.transfer(from, FrameOwner.FREE);
        if (poison) {
            frame.buffer().setMemory(0, frameCapacityBytes, POISON);
        }
        if (frame.isToFill()) {
            freeToFill[frame.index() / Long.SIZE] |= 1L << frame.index();
            freeToFillCount++;
            lowestToFill = Math.min(lowestToFill, frame.index());
        } else {
            freeToHold[freeToHoldCount++] = frame.index();
        }
    }

    /**
     * {@return frame {@code index}, empty and held by the caller, which a port had to receive into or to transmit} For
     * ports whose device does not tell the two apart when it hands a slot out.
     */
    public Frame reclaim(int index) {
        Frame frame = frames[index];
        if (frame.owner() != FrameOwner.TRANSMIT) {
            frame.transfer(FrameOwner.FILL, FrameOwner.HELD);
            return frame;
        }
        frame.transfer(FrameOwner.TRANSMIT, FrameOwner.HELD);
        frame.clearMarks();
        return frame;
    }

    /** {@return the frame whose slot holds byte {@code memoryOffset} of the memory} */
    public Frame frameAt(long memoryOffset) {
        return frames[(int) (memoryOffset / strideBytes)];
    }

    /** {@return frame number {@code index}} */
    public Frame frame(int index) {
        return frames[index];
    }

    /** {@return how many frames {@code owner} has} For tests and reports: it looks at every frame. */
    public int count(FrameOwner owner) {
        int count = 0;
        for (Frame frame : frames) {
            count += frame.owner() == owner ? 1 : 0;
        }
        return count;
    }

    /** {@return frames that {@link #allocate()} can give} */
    public int available() {
        return freeToFillCount + freeToHoldCount;
    }

    /** {@return all frames of the pool} */
    public int frameCount() {
        return frames.length;
    }

    /** {@return bytes of a frame's buffer, headroom included} */
    public int frameCapacityBytes() {
        return frameCapacityBytes;
    }

    /**
     * {@return the memory of all slots, page-aligned; unless it is a port's, frame i begins at i x {@link
     * #frameCapacityBytes()}}
     */
    public ByteBuffer memory() {
        return memory;
    }
}
