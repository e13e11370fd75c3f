package io.weir.nic.xdp;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The end of a ring into which this side puts entries: the fill ring (addresses) or the transmit ring (descriptors).
 *
 * <p>Entries become the other side's with {@link #publish}, a batch at a time. Its index is read only when the copy
 * kept here says that little room is left, because the read may fetch a cache line from another core.
 */
final class ProducerRing {
    private static final int NEEDS_WAKEUP = 1;
    private static final long LENGTH_MASK = 0xFFFF_FFFFL;

    private final UnsafeBuffer memory;
    private final int producerOffset;
    private final int consumerOffset;
    private final int flagsOffset;
    private final int entriesOffset;
    private final int entryCount;
    private final int entryShift;
    private int producer;
    private int consumerSeen;

    ProducerRing(UnsafeBuffer memory, RingLayout layout) {
        this.memory = memory;
        this.producerOffset = layout.producerOffset();
        this.consumerOffset = layout.consumerOffset();
        this.flagsOffset = layout.flagsOffset();
        this.entriesOffset = layout.entriesOffset();
        this.entryCount = layout.entryCount();
        this.entryShift = Integer.numberOfTrailingZeros(layout.entryBytes());
        this.producer = memory.getInt(producerOffset);
        this.consumerSeen = memory.getIntAcquire(consumerOffset);
    }

    /** {@return how many entries may be put; exact when it is less than half of the ring} */
    int freeCount() {
        int free = entryCount - (producer - consumerSeen);
        if (free < entryCount >> 1) {
            consumerSeen = memory.getIntAcquire(consumerOffset);
            free = entryCount - (producer - consumerSeen);
        }
        return free;
    }

    /**
     * Puts an address. There must be room; not by {@link #freeCount}, though: the kernel hands out a received frame a
     * moment before it gives back the entry that it took the frame from, so that only counting frames tells.
     */
    void putAddress(long address) {
        memory.putLong(claim(), address);
    }

    /**
     * Puts a descriptor of a frame, or of a part of it, with these options. There must be room by {@link #freeCount}.
     */
    void putDescriptor(long address, int lengthBytes, long options) {
        assert entryCount - (producer - memory.getIntAcquire(consumerOffset)) > 0 : "the ring is full";
        int offset = claim();
        memory.putLong(offset, address);
        memory.putLong(offset + Long.BYTES, (lengthBytes & LENGTH_MASK) | (options << Integer.SIZE));
    }

    /** Makes all that was put the other side's. */
    void publish() {
        memory.putIntRelease(producerOffset, producer);
    }

    /** {@return how many entries were put since the ring was made, modulo 2^32} */
    int producerIndex() {
        return producer;
    }

    /** {@return whether the other side has taken all that was put} */
    boolean isDrained() {
        if (consumerSeen != producer) {
            consumerSeen = memory.getIntAcquire(consumerOffset);
        }
        return consumerSeen == producer;
    }

    /** {@return whether the kernel sleeps until it is told that there are entries} */
    boolean needsWakeup() {
        return (memory.getIntAcquire(flagsOffset) & NEEDS_WAKEUP) != 0;
    }

    private int claim() {
        int offset = entriesOffset + ((producer & (entryCount - 1)) << entryShift);
        producer++;
        return offset;
    }
}
