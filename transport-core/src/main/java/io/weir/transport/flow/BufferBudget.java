package io.weir.transport.flow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The memory of all stream buffers of one host: chunks of {@link #CHUNK_BYTES}, of which at most a stated number is
 * out. The loop's thread and the applications' threads take and give chunks; none ever waits.
 *
 * <p>A chunk that comes back keeps its memory and is the next to go out: a steady state allocates nothing, and memory
 * stays warm in caches. {@link #trim} drops the memory of free chunks that are many.
 *
 * <p>The last sixteenth is kept for bytes without which nothing moves: the next in order of a stream, and the first of
 * an empty buffer. Bytes that came early could otherwise fill the budget, and then no gap before them could be filled.
 *
 * <p>Design notes: each free list is a stack (Treiber's) whose head has a chunk's number in the lower half and a count
 * of changes in the upper one, without which a chunk that left and came back would be taken for one that stayed.
 */
public final class BufferBudget {
    static final int CHUNK_SHIFT = 14;
    /** Bytes of a chunk, which is what a buffer with a single byte holds: eleven segments of a 1,500-byte MTU. */
    public static final int CHUNK_BYTES = 1 << CHUNK_SHIFT;

    static final int CHUNK_MASK = CHUNK_BYTES - 1;

    /** Free chunks that keep their memory even when none is in use. */
    private static final int WARM_CHUNKS = 64;

    private static final int RESERVE_SHIFT = 4;
    private static final long EMPTY = -1L >>> Integer.SIZE;

    private final int chunksMax;
    private final int ordinaryMax;
    /** Every chunk that was ever made, by its number. */
    private final AtomicReferenceArray<Chunk> chunks;
    /** How many were made; may exceed {@link #chunksMax} for a moment. */
    private final AtomicInteger made = new AtomicInteger();
    /** The free chunks that have memory. */
    private final AtomicLong warm = new AtomicLong(EMPTY);
    /** The free chunks that have none. */
    private final AtomicLong bare = new AtomicLong(EMPTY);

    /** Chunks that are out: raised before one is taken and lowered after it was given. */
    private final AtomicInteger inUse = new AtomicInteger();

    private final AtomicInteger warmCount = new AtomicInteger();
    /**
     * Chunks' worth of memory that is taken for other things than buffers: what connections are made of. Written by the
     * host's thread.
     */
    private volatile int reservedChunks;

    private final AtomicLong growthsRefused = new AtomicLong();
    private final AtomicLong chunksRefused = new AtomicLong();

    /** Creates a budget of {@code bytesMax}, rounded up to whole chunks. Nothing is allocated of it yet. */
    public BufferBudget(long bytesMax) {
        chunksMax = chunksOf(bytesMax);
        ordinaryMax = ordinaryOf(chunksMax);
        chunks = new AtomicReferenceArray<>(chunksMax);
    }

    /**
     * {@return a chunk with memory, or null when there is none left}
     *
     * @param isVital whether nothing would move without it: then it may come from the reserve
     */
    Chunk take(boolean isVital) {
        if (inUse.incrementAndGet() <= (isVital ? chunksMax : ordinaryMax) - reservedChunks) {
            Chunk chunk = takeFree();
            if (chunk != null) {
                return chunk;
            }
        }
        inUse.decrementAndGet();
        chunksRefused.incrementAndGet();
        return null;
    }

    private Chunk takeFree() {
        Chunk chunk = pop(warm);
        if (chunk != null) {
            warmCount.decrementAndGet();
            return chunk;
        }
        chunk = pop(bare);
        if (chunk == null) {
            chunk = make();
        }
        if (chunk != null) {
            chunk.back(CHUNK_BYTES);
        }
        return chunk;
    }

    private Chunk make() {
        int number = made.getAndIncrement();
        if (number >= chunksMax) {
            // The last free one is changing lists at this moment.
            made.decrementAndGet();
            return null;
        }
        Chunk chunk = new Chunk(number);
        chunks.set(number, chunk);
        return chunk;
    }

    /** Takes back a chunk, which its buffer does not touch any more. */
    void give(Chunk chunk) {
        warmCount.incrementAndGet();
        push(warm, chunk);
        inUse.decrementAndGet();
    }

    /**
     * Drops the memory of free chunks, of which as many stay warm as are in use: a flow that pauses finds them again.
     */
    public void trim() {
        int kept = Math.max(WARM_CHUNKS, inUse.get());
        for (int excess = warmCount.get() - kept; excess > 0; excess--) {
            Chunk chunk = pop(warm);
            if (chunk == null) {
                return;
            }
            warmCount.decrementAndGet();
            chunk.bare();
            push(bare, chunk);
        }
    }

    private Chunk pop(AtomicLong head) {
        while (true) {
            long top = head.get();
            int number = (int) top;
            if (number < 0) {
                return null;
            }
            Chunk chunk = chunks.get(number);
            if (head.compareAndSet(top, head(top, chunk.numberBelow))) {
                return chunk;
            }
        }
    }

    private static void push(AtomicLong head, Chunk chunk) {
        long top;
        do {
            top = head.get();
            chunk.numberBelow = (int) top;
        } while (!head.compareAndSet(top, head(top, chunk.number)));
    }

    private static long head(long before, int number) {
        return ((before >>> Integer.SIZE) + 1) << Integer.SIZE | Integer.toUnsignedLong(number);
    }

    /**
     * {@return whether a window may grow by {@code bytes}: as many are left but for the reserve. If not, it is counted}
     */
    public boolean allowsGrowth(long bytes) {
        boolean isAllowed = bytes <= bytesFree();
        if (!isAllowed) {
            growthsRefused.incrementAndGet();
        }
        return isAllowed;
    }

    /** Sets how much of the budget is taken for other things than buffers. The host's thread. */
    public void setReservedBytes(long bytes) {
        reservedChunks = (int) Math.min(chunksMax, (bytes + CHUNK_MASK) >> CHUNK_SHIFT);
    }

    /** {@return bytes that are left but for the reserve, 0 or negative when there are none} */
    public long bytesFree() {
        return bytesOf(ordinaryMax - reservedChunks - inUse.get());
    }

    /** {@return whether only the reserve is left} */
    public boolean isShort() {
        return inUse.get() >= ordinaryMax - reservedChunks;
    }

    /** {@return whether nothing is left} */
    public boolean isExhausted() {
        return inUse.get() >= chunksMax - reservedChunks;
    }

    /** {@return the most bytes that buffers may hold} */
    public long bytesMax() {
        return bytesOf(chunksMax);
    }

    /** {@return bytes of the chunks that buffers hold} */
    public long bytesInUse() {
        return bytesOf(Math.min(inUse.get(), chunksMax));
    }

    /** {@return bytes that no buffer holds and that stay allocated for the next} */
    public long bytesWarm() {
        return bytesOf(Math.max(0, warmCount.get()));
    }

    /** {@return bytes of the budget that are taken for other things than buffers} */
    public long bytesReserved() {
        return bytesOf(reservedChunks);
    }

    /** {@return how many times a window was not allowed to grow} */
    public long growthsRefused() {
        return growthsRefused.get();
    }

    /** {@return how many times a buffer was refused memory} */
    public long chunksRefused() {
        return chunksRefused.get();
    }

    static int chunksOf(long bytes) {
        return Math.toIntExact((bytes + CHUNK_MASK) >> CHUNK_SHIFT);
    }

    /** {@return how many of so many chunks are for any byte; the others are for those without which nothing moves} */
    static int ordinaryOf(int chunkCount) {
        return chunkCount - (chunkCount >> RESERVE_SHIFT);
    }

    static long bytesOf(int chunkCount) {
        return (long) chunkCount << CHUNK_SHIFT;
    }
}
