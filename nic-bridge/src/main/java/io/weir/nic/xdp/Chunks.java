package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.transport.frame.Frame;

/**
 * How the slots of a frame pool lie in chunks, the unit in which the kernel knows memory. A chunk has at most a page,
 * so a slot for larger frames is several chunks in a row, and such a frame is several descriptors of the kernel's
 * rings.
 */
final class Chunks {
    /** What the kernel keeps free before what it writes into a chunk. */
    private static final int HEADROOM_BYTES = 256;

    private static final int CHUNK_BYTES_SMALL = 2048;
    private static final int CHUNK_BYTES_MAX = 4096;
    private static final int CHUNKS_MAX = 3;
    /** The Ethernet header and one VLAN tag. */
    private static final int FRAMING_BYTES = 18;
    /** Beyond this MTU some drivers split a frame in two, because they keep a record at the end of the page. */
    static final int PAGE_MTU_BYTES_MAX = 3498;
    /** The largest MTU whose frames fit the largest slot. */
    static final int LARGEST_MTU_BYTES = CHUNKS_MAX * CHUNK_BYTES_MAX - HEADROOM_BYTES - FRAMING_BYTES;

    private final int slotBytes;
    private final int chunkShift;
    private final int perSlot;
    /** 2^32 over the chunks of a slot, rounded up: multiplying by it divides, exactly for every chunk of a pool. */
    private final long slotFactor;

    private Chunks(int slotBytes) {
        int chunkBytes = Math.min(slotBytes, CHUNK_BYTES_MAX);
        this.slotBytes = slotBytes;
        this.chunkShift = Integer.numberOfTrailingZeros(chunkBytes);
        this.perSlot = slotBytes / chunkBytes;
        this.slotFactor = ((1L << Integer.SIZE) + perSlot - 1) / perSlot;
    }

    /** {@return the chunks of slots of this size} */
    static Chunks of(int slotBytes) {
        boolean isWhole = slotBytes == CHUNK_BYTES_SMALL
                || (slotBytes % CHUNK_BYTES_MAX == 0 && slotBytes <= CHUNKS_MAX * CHUNK_BYTES_MAX);
        if (slotBytes <= 0 || !isWhole) {
            throw new IllegalArgumentException("frameCapacityBytes=" + slotBytes + " of the pool must be "
                    + CHUNK_BYTES_SMALL + ", or 1 to " + CHUNKS_MAX + " times " + CHUNK_BYTES_MAX + ", for AF_XDP");
        }
        return new Chunks(slotBytes);
    }

    /** {@return the bytes of a slot that an interface of this MTU needs; of the largest slot where none suffices} */
    static int slotBytes(int mtuBytes) {
        if (mtuBytes <= mtuBytesMax(CHUNK_BYTES_SMALL)) {
            return CHUNK_BYTES_SMALL;
        }
        if (mtuBytes <= PAGE_MTU_BYTES_MAX) {
            return CHUNK_BYTES_MAX;
        }
        int slotBytes = 2 * CHUNK_BYTES_MAX;
        while (slotBytes < CHUNKS_MAX * CHUNK_BYTES_MAX && mtuBytes > mtuBytesMax(slotBytes)) {
            slotBytes += CHUNK_BYTES_MAX;
        }
        return slotBytes;
    }

    /**
     * {@return the bytes of a slot for drivers that receive into it without copying} Several round what the headroom
     * leaves of a chunk down to whole KiB (igb, ixgbe, igc): 2048 bytes leave 1024 of them, and a full frame would
     * come in
     * two pieces.
     */
    static int slotBytesWithoutCopying(int mtuBytes) {
        return Math.max(CHUNK_BYTES_MAX, slotBytes(mtuBytes));
    }

    /** {@return the largest MTU whose frames fit a slot} */
    static int mtuBytesMax(int slotBytes) {
        return slotBytes - HEADROOM_BYTES - FRAMING_BYTES;
    }

    /** Refuses an interface whose frames do not fit a slot. */
    static void requireFit(InterfaceFacts device, int slotBytes) throws NicException {
        int mtuBytesMax = mtuBytesMax(slotBytes);
        if (device.mtuBytes() <= mtuBytesMax) {
            return;
        }
        int neededBytes = slotBytes(device.mtuBytes());
        throw new NicException("MTU " + device.mtuBytes() + " of " + device.name() + " exceeds " + mtuBytesMax
                + ", the most that fits a slot of " + slotBytes + " bytes after " + HEADROOM_BYTES + " of headroom and "
                + FRAMING_BYTES + " of framing; lower it (ip link set " + device.name() + " mtu " + mtuBytesMax + ")"
                + (device.mtuBytes() <= mtuBytesMax(neededBytes) ? " or use slots of " + neededBytes + " bytes" : ""));
    }

    /** {@return the bytes of a chunk} */
    int chunkBytes() {
        return 1 << chunkShift;
    }

    /** {@return how many chunks a slot has, and a frame at most descriptors} */
    int perSlot() {
        return perSlot;
    }

    /** {@return whether a frame may be several descriptors} */
    boolean areScattered() {
        return perSlot > 1;
    }

    /** {@return the number of the slot that has byte {@code address} of the pool's memory} */
    int slotOf(long address) {
        return (int) (((address >>> chunkShift) * slotFactor) >>> Integer.SIZE);
    }

    /** {@return where slot {@code index} begins in the pool's memory} */
    long addressOf(int index) {
        return (long) index * slotBytes;
    }

    /** {@return how many of the bytes from {@code address} on lie in its chunk, at most {@code lengthBytes}} */
    int pieceBytes(long address, int lengthBytes) {
        int chunkBytes = 1 << chunkShift;
        return Math.min(lengthBytes, chunkBytes - ((int) address & (chunkBytes - 1)));
    }

    /** {@return whether the last byte of a frame lies in the chunk of byte {@code address} of the pool's memory} */
    boolean hasLast(Frame frame, long address) {
        int offset = (int) (address - addressOf(frame.index()));
        return (frame.offset() + frame.length() - 1) >>> chunkShift <= offset >>> chunkShift;
    }
}
