package io.weir.nic.xdp;

/**
 * Where the parts of one ring lie in its memory. Producer, consumer and flags are 32-bit words on separate cache
 * lines; the indices count up without end and wrap at 2^32.
 *
 * @param producerOffset the index that the filling side writes
 * @param consumerOffset the index that the emptying side writes
 * @param flagsOffset the kernel's wishes
 * @param entriesOffset the first entry
 * @param entryCount how many entries, a power of two
 * @param entryBytes 8 for addresses, 16 for descriptors
 */
record RingLayout(
        int producerOffset, int consumerOffset, int flagsOffset, int entriesOffset, int entryCount, int entryBytes) {
    static final int ADDRESS_BYTES = 8;
    static final int DESCRIPTOR_BYTES = 16;

    RingLayout {
        if (Integer.bitCount(entryCount) != 1) {
            throw new IllegalArgumentException("entryCount=" + entryCount + " must be a power of two");
        }
        if (entryBytes != ADDRESS_BYTES && entryBytes != DESCRIPTOR_BYTES) {
            throw new IllegalArgumentException("entryBytes=" + entryBytes + " must be 8 or 16");
        }
    }

    /** {@return how much memory the ring takes} */
    int memoryBytes() {
        return entriesOffset + entryCount * entryBytes;
    }
}
