package io.weir.transport.flow;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A piece of a stream buffer's memory. It belongs to the {@link BufferBudget} that made it, or to the buffer that took
 * it.
 *
 * <p>Its memory can be dropped while the object stays: the budget's free lists name chunks by number, so a chunk, once
 * made, lives as long as its budget.
 */
final class Chunk {
    private static final byte[] NO_MEMORY = {};

    /** What it holds; without memory while it is bare. Changed by its budget, between two owners. */
    final UnsafeBuffer bytes = new UnsafeBuffer(NO_MEMORY);
    /** Its place in the budget's table of chunks. */
    final int number;
    /** The number of the chunk below it in a free list, or negative. Changed by its budget, while it is free. */
    volatile int numberBelow = -1;

    Chunk(int number) {
        this.number = number;
    }

    void back(int byteCount) {
        bytes.wrap(new byte[byteCount]);
    }

    void bare() {
        bytes.wrap(NO_MEMORY);
    }
}
