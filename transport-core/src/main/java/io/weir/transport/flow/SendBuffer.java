package io.weir.transport.flow;

import static io.weir.transport.flow.BufferBudget.CHUNK_BYTES;
import static io.weir.transport.flow.BufferBudget.CHUNK_MASK;
import static io.weir.transport.flow.BufferBudget.CHUNK_SHIFT;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes of a stream that are written and not yet acknowledged, between one writer, the application, and one reader,
 * the stack, which may be different threads. Positions are stream offsets; they never wrap.
 *
 * <p>The bytes lie in chunks, which the writer takes from the peer's {@link BufferShare} and the stack gives back once
 * they are acknowledged: memory follows the bytes, and the limit is a number. No lock, and no allocation in a steady
 * state.
 *
 * <p>Design notes: the end of the bytes and who works at it share one word. The writer marks it while it writes, so the
 * stack can take the last chunk of an empty buffer exactly when nobody writes. Neither waits: each does without what
 * the other has. Chunks are found by a table, which only the writer replaces. A slot of a released chunk keeps its old
 * content, which nobody looks at; so a table that is copied while the stack releases chunks is right. See
 * docs/adr/0008.
 */
public final class SendBuffer {
    /** The last chunk, unless the end is at its edge, stands in the table. */
    private static final int READY = 0;
    /** The writer is at work. */
    private static final int WRITING = 1;
    /** Empty: no chunk, and the table is not to be used again. */
    private static final int TRIMMED = 2;
    /** The connection is over. */
    private static final int CLOSED = 3;

    private static final int FLAG_BITS = 2;
    private static final int FLAGS = (1 << FLAG_BITS) - 1;

    /** Null where bytes are counted and not kept. */
    private final BufferShare budget;

    private final int capacityBytes;
    private final int limitBytesInitial;
    /** The offset after the last byte, and one of the flags. Changed by both sides, each from what it has seen. */
    private final AtomicLong end;
    /** Written by the stack. */
    private final AtomicLong base = new AtomicLong();
    /** Chunk i stands in slot i modulo the length. Replaced by the writer; the stack only drops it after a trim. */
    private final AtomicReference<Chunk[]> table = new AtomicReference<>();
    /** Bytes that may be kept now. Written by the stack. */
    private volatile int limitBytes;
    /** Whether the latest write found no memory. Written by the application. */
    private volatile boolean isStarved;

    /** Creates a buffer of {@code capacityBytes}, rounded up to a power of two, with its own memory. */
    public SendBuffer(int capacityBytes) {
        this(capacityBytes, capacityBytes, new BufferShare(new BufferBudget(2L * capacityBytes + CHUNK_BYTES)));
    }

    /**
     * Creates a buffer whose limit starts at {@code limitBytesInitial} and may grow to {@code capacityBytes}, each
     * rounded up to a power of two.
     *
     * @param budget where its memory comes from, or null to only count what is written
     */
    public SendBuffer(int capacityBytes, int limitBytesInitial, BufferShare budget) {
        this.capacityBytes = BitUtil.findNextPositivePowerOfTwo(capacityBytes);
        this.limitBytesInitial = Math.min(this.capacityBytes, BitUtil.findNextPositivePowerOfTwo(limitBytesInitial));
        this.budget = budget;
        limitBytes = this.limitBytesInitial;
        end = new AtomicLong(budget == null ? READY : TRIMMED);
    }

    // ---- the application's side

    /**
     * {@return how many bytes of {@code source} there was room for; the application appends them}
     *
     * @throws IndexOutOfBoundsException if {@code source} does not have them
     */
    public int write(DirectBuffer source, int offset, int length) {
        if (offset < 0 || length < 0 || (budget != null && length > source.capacity() - offset)) {
            throw new IndexOutOfBoundsException("offset=" + offset + " and length=" + length
                    + " are not within the buffer's " + source.capacity() + " B; write bytes that it has");
        }
        int room = beginWrite(length);
        long at = endOffset();
        int count = budget == null ? room : 0;
        while (count < room) {
            Chunk chunk = chunkToFill(at + count);
            if (chunk == null) {
                break;
            }
            int index = (int) (at + count) & CHUNK_MASK;
            int bytes = Math.min(room - count, CHUNK_BYTES - index);
            chunk.bytes.putBytes(index, source, offset + count, bytes);
            count += bytes;
        }
        endWrite(at, count, room);
        return count;
    }

    /** {@return how many bytes of {@code source} there was room for; its position advances by as many} */
    public int write(ByteBuffer source) {
        int room = beginWrite(source.remaining());
        long at = endOffset();
        int count = 0;
        if (budget == null) {
            count = room;
            source.position(source.position() + count);
        }
        while (count < room) {
            Chunk chunk = chunkToFill(at + count);
            if (chunk == null) {
                break;
            }
            int index = (int) (at + count) & CHUNK_MASK;
            int bytes = Math.min(room - count, CHUNK_BYTES - index);
            take(source, chunk, index, at, count, bytes);
            count += bytes;
        }
        endWrite(at, count, room);
        return count;
    }

    /**
     * A source can fail while it is read, by memory that was freed: what was written before stays, and no chunk is
     * lost.
     */
    private void take(ByteBuffer source, Chunk chunk, int index, long at, int count, int bytes) {
        boolean isTaken = false;
        try {
            // The buffer's own method: it checks what the buffer library takes on trust.
            source.get(chunk.bytes.byteArray(), index, bytes);
            isTaken = true;
        } finally {
            if (!isTaken) {
                if (index == 0) {
                    Chunk[] slots = table.getPlain();
                    slots[(int) ((at + count) >> CHUNK_SHIFT) & (slots.length - 1)] = null;
                    budget.give(chunk);
                }
                finishWrite(at, count);
            }
        }
    }

    /**
     * {@return how many of {@code length} bytes there is room for; when there is any, the writer is at work from now
     * on}
     */
    private int beginWrite(int length) {
        long state = end.get();
        int room = (int) Math.min(length, limitBytes - ((state >>> FLAG_BITS) - base.getAcquire()));
        if (room <= 0) {
            return 0;
        }
        if (budget == null) {
            return room;
        }
        while (true) {
            if ((state & FLAGS) == CLOSED) {
                return 0;
            }
            if (end.compareAndSet(state, (state & ~FLAGS) | WRITING)) {
                break;
            }
            // Meanwhile the stack has trimmed or closed it; it does each once.
            state = end.get();
        }
        if ((state & FLAGS) == TRIMMED) {
            table.set(newTable(1));
        }
        return room;
    }

    private void endWrite(long at, int count, int room) {
        if (budget == null) {
            end.setRelease((at + count) << FLAG_BITS);
        } else if (room > 0) {
            boolean isRefused = count < room;
            if (isRefused != isStarved) {
                isStarved = isRefused;
            }
            finishWrite(at, count);
        }
    }

    private void finishWrite(long at, int count) {
        if (!end.compareAndSet((at << FLAG_BITS) | WRITING, ((at + count) << FLAG_BITS) | READY)) {
            // Closed meanwhile, which left it to the writer to give back the memory.
            giveBack(at + count);
        }
    }

    /** {@return the chunk for the byte at {@code position}, the next, or null when there is no memory for it} */
    private Chunk chunkToFill(long position) {
        Chunk[] slots = table.getPlain();
        long number = position >> CHUNK_SHIFT;
        if ((position & CHUNK_MASK) != 0) {
            Chunk present = slots[(int) number & (slots.length - 1)];
            if (present != null) {
                return present;
            }
        }
        long oldest = base.getAcquire();
        Chunk chunk = budget.take(position == oldest);
        if (chunk != null) {
            if (number - (oldest >> CHUNK_SHIFT) >= slots.length) {
                slots = grownTable(slots, oldest >> CHUNK_SHIFT, number);
            }
            slots[(int) number & (slots.length - 1)] = chunk;
        }
        return chunk;
    }

    /** As long as the limit needs at once, so that only a growing limit allocates. */
    private Chunk[] newTable(int slotsMin) {
        int slots = Math.max(slotsMin, (limitBytes >> CHUNK_SHIFT) + 1);
        return new Chunk[BitUtil.findNextPositivePowerOfTwo(slots)];
    }

    private Chunk[] grownTable(Chunk[] slots, long first, long last) {
        Chunk[] grown = newTable((int) (last - first) + 1);
        for (long i = first; i < last; i++) {
            grown[(int) i & (grown.length - 1)] = slots[(int) i & (slots.length - 1)];
        }
        table.set(grown);
        return grown;
    }

    /** {@return room for the application: none, too, while there is no memory} */
    public long freeBytes() {
        long oldest = base.getAcquire();
        long held = endOffset() - oldest;
        if (isStarved && (held == 0 ? budget.isExhausted() : budget.isShort())) {
            return 0;
        }
        return Math.max(0, limitBytes - held);
    }

    /** {@return whether the latest write found less memory than room} */
    public boolean isStarved() {
        return isStarved;
    }

    /** Application, on the stack's own thread: takes back what was written at {@code offset} and after it. */
    public void truncate(long offset) {
        long state = end.get();
        if ((state & FLAGS) != READY) {
            return;
        }
        if (budget != null) {
            Chunk[] slots = table.get();
            for (long i = (offset + CHUNK_MASK) >> CHUNK_SHIFT; i << CHUNK_SHIFT < state >>> FLAG_BITS; i++) {
                budget.give(slots[(int) i & (slots.length - 1)]);
            }
        }
        end.setRelease(offset << FLAG_BITS | READY);
    }

    // ---- the stack's side

    /** Stack: copies kept bytes into a frame. */
    public void copyTo(long offset, UnsafeBuffer target, int targetIndex, int length) {
        if (budget == null || length == 0) {
            return;
        }
        Chunk[] slots = table.get();
        long number = offset >> CHUNK_SHIFT;
        int index = (int) offset & CHUNK_MASK;
        int count = Math.min(length, CHUNK_BYTES - index);
        target.putBytes(targetIndex, slots[(int) number & (slots.length - 1)].bytes, index, count);
        while (count < length) {
            number++;
            int bytes = Math.min(length - count, CHUNK_BYTES);
            target.putBytes(targetIndex + count, slots[(int) number & (slots.length - 1)].bytes, 0, bytes);
            count += bytes;
        }
    }

    /** Stack: gives up the bytes before {@code offset}: they are acknowledged. */
    public void release(long offset) {
        assert offset <= endOffset() : "nothing was written at " + offset + " and before it";
        long number = base.getPlain() >> CHUNK_SHIFT;
        if (budget != null && number < offset >> CHUNK_SHIFT) {
            // First: once the writer knows that the bytes are gone it uses their slots.
            Chunk[] slots = table.get();
            for (; number < offset >> CHUNK_SHIFT; number++) {
                budget.give(slots[(int) number & (slots.length - 1)]);
            }
        }
        base.setRelease(offset);
        if (budget != null && budget.isShort()) {
            trim();
        }
    }

    /**
     * Stack: lets the limit double, if it may and the host has memory for it.
     *
     * @return whether it did not have it
     */
    public boolean grow() {
        int limit = limitBytes;
        if (limit >= capacityBytes) {
            return false;
        }
        if (budget != null && !budget.allowsGrowth(limit)) {
            return true;
        }
        limitBytes = 2 * limit;
        return false;
    }

    /**
     * Stack: if the buffer is empty and nobody writes, gives its memory back and lowers its limit to what it was at
     * first.
     */
    public void trim() {
        long state = end.get();
        long offset = state >>> FLAG_BITS;
        if (budget == null || (state & FLAGS) != READY || base.getPlain() != offset) {
            return;
        }
        Chunk[] slots = table.get();
        if (end.compareAndSet(state, (state & ~FLAGS) | TRIMMED)) {
            giveLast(slots, offset);
            // Fails if the writer has come since: it has a table for itself then.
            table.compareAndSet(slots, null);
            limitBytes = limitBytesInitial;
        }
    }

    /**
     * Stack, once the connection is over: gives all memory back. A writer that is at work does it instead, when it
     * ends.
     */
    public void close() {
        long state = end.get();
        while (budget != null && (state & FLAGS) != CLOSED) {
            if (end.compareAndSet(state, (state & ~FLAGS) | CLOSED)) {
                if ((state & FLAGS) == READY) {
                    giveBack(state >>> FLAG_BITS);
                }
                return;
            }
            state = end.get();
        }
    }

    /** Gives back the chunks from the oldest byte up to {@code offset}. */
    private void giveBack(long offset) {
        Chunk[] slots = table.get();
        for (long i = base.getAcquire() >> CHUNK_SHIFT; i < offset >> CHUNK_SHIFT; i++) {
            budget.give(slots[(int) i & (slots.length - 1)]);
        }
        giveLast(slots, offset);
        table.set(null);
    }

    /**
     * Gives back the chunk that {@code offset} lies in. There is none at its edge, nor if it was refused after a trim.
     */
    private void giveLast(Chunk[] slots, long offset) {
        Chunk last = slots[(int) (offset >> CHUNK_SHIFT) & (slots.length - 1)];
        if ((offset & CHUNK_MASK) != 0 && last != null) {
            budget.give(last);
        }
    }

    // ---- queries

    /** {@return the stream offset after the last byte written} */
    public long endOffset() {
        return end.getAcquire() >>> FLAG_BITS;
    }

    /** {@return the offset of the oldest byte that is kept} */
    public long baseOffset() {
        return base.getAcquire();
    }

    /** {@return whether it may hold memory: not before the first byte, nor after a trim} */
    public boolean holdsMemory() {
        return budget != null && (end.getAcquire() & FLAGS) < TRIMMED;
    }

    /** {@return bytes that it may keep now} */
    public int limitBytes() {
        return limitBytes;
    }

    /** {@return bytes that its limit may grow to} */
    public int capacityBytes() {
        return capacityBytes;
    }
}
