package io.weir.transport.flow;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the connections to one peer may take of a host's {@link BufferBudget}: a peer that does not read, or that opens
 * many connections, leaves the rest to others. As in the budget, the last sixteenth is for bytes without which nothing
 * moves.
 *
 * <p>Any thread takes and gives chunks; none ever waits.
 */
public final class BufferShare {
    private final BufferBudget budget;
    private final int chunksMax;
    private final int ordinaryMax;
    /** Chunks of this share that are out: raised before one is taken and lowered after it was given. */
    private final AtomicInteger inUse = new AtomicInteger();

    /** Creates a share of at most {@code bytesMax}, rounded up to whole chunks. */
    public BufferShare(BufferBudget budget, long bytesMax) {
        this.budget = budget;
        chunksMax = BufferBudget.chunksOf(Math.min(bytesMax, budget.bytesMax()));
        ordinaryMax = BufferBudget.ordinaryOf(chunksMax);
    }

    /** Creates a share that is the whole of {@code budget}. */
    public BufferShare(BufferBudget budget) {
        this(budget, budget.bytesMax());
    }

    /**
     * {@return a chunk with memory, or null when the share or the budget has none left}
     *
     * @param isVital whether nothing would move without it: then it may come from the reserve
     */
    Chunk take(boolean isVital) {
        if (inUse.incrementAndGet() <= (isVital ? chunksMax : ordinaryMax)) {
            Chunk chunk = budget.take(isVital);
            if (chunk != null) {
                return chunk;
            }
        }
        inUse.decrementAndGet();
        return null;
    }

    /** Takes back a chunk, which its buffer does not touch any more. */
    void give(Chunk chunk) {
        budget.give(chunk);
        inUse.decrementAndGet();
    }

    /** {@return whether a window may grow by {@code bytes}: as many are left of the share and of the budget} */
    boolean allowsGrowth(long bytes) {
        return bytes <= BufferBudget.bytesOf(ordinaryMax - inUse.get()) && budget.allowsGrowth(bytes);
    }

    /** {@return whether only the reserve is left, of the share or of the budget} */
    boolean isShort() {
        return inUse.get() >= ordinaryMax || budget.isShort();
    }

    /** {@return whether nothing is left, of the share or of the budget} */
    boolean isExhausted() {
        return inUse.get() >= chunksMax || budget.isExhausted();
    }

    /** {@return the most bytes that the share may hold} */
    public long bytesMax() {
        return BufferBudget.bytesOf(chunksMax);
    }

    /** {@return bytes of the chunks that buffers of this share hold} */
    public long bytesInUse() {
        return BufferBudget.bytesOf(Math.min(inUse.get(), chunksMax));
    }
}
