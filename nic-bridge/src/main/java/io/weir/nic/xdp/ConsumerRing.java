package io.weir.nic.xdp;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The end of a ring out of which this side takes entries: the completion ring (addresses) or the receive ring
 * (descriptors). Entries are read in place, one after the other; {@link #release} gives their room back, a batch at a
 * time.
 */
final class ConsumerRing {
    private final UnsafeBuffer memory;
    private final int producerOffset;
    private final int consumerOffset;
    private final int entriesOffset;
    private final int indexMask;
    private final int entryShift;
    private int consumer;
    private int producerSeen;

    ConsumerRing(UnsafeBuffer memory, RingLayout layout) {
        this.memory = memory;
        this.producerOffset = layout.producerOffset();
        this.consumerOffset = layout.consumerOffset();
        this.entriesOffset = layout.entriesOffset();
        this.indexMask = layout.entryCount() - 1;
        this.entryShift = Integer.numberOfTrailingZeros(layout.entryBytes());
        this.consumer = memory.getInt(consumerOffset);
        this.producerSeen = consumer;
    }

    /** {@return how many entries there are to take, at most {@code limit}} */
    int available(int limit) {
        int count = producerSeen - consumer;
        if (count < limit) {
            producerSeen = memory.getIntAcquire(producerOffset);
            count = producerSeen - consumer;
        }
        return Math.min(count, limit);
    }

    /** {@return how many entries there were to take when {@link #available} looked last, less those taken since} */
    int waiting() {
        return producerSeen - consumer;
    }

    /** {@return how many entries the other side has put since the ring was made, modulo 2^32} */
    int producerIndex() {
        return memory.getIntAcquire(producerOffset);
    }

    /** {@return the address of the entry at hand} */
    long address() {
        return memory.getLong(entryOffset());
    }

    /** {@return the length in the descriptor at hand} */
    int lengthBytes() {
        return memory.getInt(entryOffset() + Long.BYTES);
    }

    /** {@return the options of the descriptor at hand} */
    int options() {
        return memory.getInt(entryOffset() + Long.BYTES + Integer.BYTES);
    }

    /** Changes the options of the descriptor at hand, as a driver would; for tests. */
    void setOptions(int options) {
        memory.putInt(entryOffset() + Long.BYTES + Integer.BYTES, options);
    }

    /** Goes on to the next entry. */
    void advance() {
        consumer++;
    }

    /** Gives the room of all entries passed by {@link #advance} back to the other side. */
    void release() {
        memory.putIntRelease(consumerOffset, consumer);
    }

    private int entryOffset() {
        return entriesOffset + ((consumer & indexMask) << entryShift);
    }
}
