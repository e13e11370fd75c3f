package io.weir.transport.flow;

import static io.weir.transport.flow.BufferBudget.CHUNK_BYTES;
import static io.weir.transport.flow.BufferBudget.CHUNK_MASK;
import static io.weir.transport.flow.BufferBudget.CHUNK_SHIFT;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reassembles a stream: each segment is put where it belongs, and the ranges that came early are kept in mind. One
 * writer, the stack, and one reader, the application, which may be different threads. Positions are stream offsets.
 *
 * <p>The bytes lie in chunks of the peer's {@link BufferShare}: memory follows the bytes, and the receive window is a
 * number, which a byte beyond it is measured by. No lock, and no allocation in a steady state.
 *
 * <p>Design notes: the stack alone takes chunks, puts them into the table and gives them back. The reader looks at a
 * slot only between the two positions, and the stack changes only slots outside of them. A table that was replaced
 * stays as it was, for a reader that still holds it. After the connection's end, see {@link #detach}, all this is the
 * reader's. See docs/adr/0008.
 */
public final class ReceiveBuffer {
    /** What is read where bytes are counted and not kept: as many zeros as a frame can have. */
    private static final UnsafeBuffer ZEROS = new UnsafeBuffer(new byte[1 << 16]);

    /** Null where bytes are counted and not kept. */
    private final BufferShare budget;

    private final int capacityBytes;
    private final int limitBytesInitial;
    /** Turns an offset into the place in its chunk; 0 where bytes are not kept. */
    private final int indexMask;
    /** Bytes from one wrap to the next. */
    private final int spanBytes;

    private final RangeSet early;
    /** Everything before it has arrived. Written by the stack. */
    private final AtomicLong inOrderEnd = new AtomicLong();
    /** Everything before it has been read. Written by the application. */
    private final AtomicLong readEnd = new AtomicLong();

    /**
     * Chunk i stands in slot i modulo the length, null while it is not there; null before the first. Written by the
     * stack.
     */
    private volatile Chunk[] table;
    /** The window's size, counted from the oldest unread byte. Written by the stack. */
    private volatile int limitBytes;
    /** Whether the connection is over and the reader owns what is left. Set by the stack, once. */
    private volatile boolean isDetached;
    /** No chunk before it is in the table. The stack's. */
    private long firstChunk;
    /** Chunks in the table. The stack's. */
    private int chunkCount;
    /** The end of what was promised to the peer before the limit fell. The stack's. */
    private long promisedEnd;
    /** The end of what has arrived, early bytes included. The stack's. */
    private long extentEnd;
    /** Whether the latest segment was refused for want of memory. The stack's. */
    private boolean isStarved;

    /** Creates a buffer of {@code capacityBytes}, rounded up to a power of two, that tolerates {@code gapsMax} gaps. */
    public ReceiveBuffer(int capacityBytes, int gapsMax) {
        this(
                capacityBytes,
                capacityBytes,
                gapsMax,
                new BufferShare(new BufferBudget(2L * capacityBytes + CHUNK_BYTES)));
    }

    /**
     * Creates a buffer whose window starts at {@code limitBytesInitial} and may grow to {@code capacityBytes}, each
     * rounded up to a power of two.
     *
     * @param budget where its memory comes from, or null to only count what comes: what is read are zeros then
     */
    public ReceiveBuffer(int capacityBytes, int limitBytesInitial, int gapsMax, BufferShare budget) {
        this.capacityBytes = BitUtil.findNextPositivePowerOfTwo(capacityBytes);
        this.limitBytesInitial = Math.min(this.capacityBytes, BitUtil.findNextPositivePowerOfTwo(limitBytesInitial));
        this.budget = budget;
        limitBytes = this.limitBytesInitial;
        indexMask = budget == null ? 0 : CHUNK_MASK;
        spanBytes = budget == null ? ZEROS.capacity() : CHUNK_BYTES;
        early = new RangeSet(gapsMax);
    }

    // ---- the stack's side

    /** {@return whether [start, end) lies within the window, or within what was promised before it shrank} */
    public boolean fits(long start, long end) {
        return start >= 0 && start <= end && end <= edge();
    }

    private long edge() {
        return Math.max(readEnd.getAcquire() + limitBytes, promisedEnd);
    }

    /**
     * Stack: takes a segment that {@link #fits}. Of bytes that came before, those in order are left as they are.
     *
     * @return false if the segment had to be refused: it would open one gap too many, or {@link #isStarved}
     */
    public boolean accept(long start, DirectBuffer source, int sourceIndex, int length) {
        long end = start + length;
        long inOrder = inOrderEnd.getPlain();
        long from = Math.max(start, inOrder);
        if (from >= end) {
            return true;
        }
        if (budget != null && !reserve(from, end)) {
            isStarved = true;
            return false;
        }
        isStarved = false;
        if (from > inOrder && !early.add(from, end)) {
            return false;
        }
        put(from, source, sourceIndex + (int) (from - start), (int) (end - from));
        extentEnd = Math.max(extentEnd, end);
        if (from == inOrder) {
            advance(end);
        }
        return true;
    }

    /** Stack: notes that bytes up to {@code end}, the next in order, went to the application without the buffer. */
    public void skip(long end) {
        extentEnd = Math.max(extentEnd, end);
        advance(end);
        readEnd.setRelease(end);
    }

    private void advance(long end) {
        long advanced = end;
        while (!early.isEmpty() && early.start(0) <= advanced) {
            advanced = Math.max(advanced, early.end(0));
            early.removeBelow(early.end(0));
        }
        inOrderEnd.setRelease(advanced);
    }

    private void put(long offset, DirectBuffer source, int sourceIndex, int length) {
        if (budget == null) {
            return;
        }
        int index = (int) offset & CHUNK_MASK;
        int count = Math.min(length, CHUNK_BYTES - index);
        chunk(offset).bytes.putBytes(index, source, sourceIndex, count);
        while (count < length) {
            int bytes = Math.min(length - count, CHUNK_BYTES);
            chunk(offset + count).bytes.putBytes(0, source, sourceIndex + count, bytes);
            count += bytes;
        }
    }

    /** {@return the chunk that {@code offset} lies in, or null} */
    private Chunk chunk(long offset) {
        Chunk[] slots = table;
        return slots == null ? null : slots[(int) (offset >> CHUNK_SHIFT) & (slots.length - 1)];
    }

    /** {@return whether there is memory for [start, end), now} */
    private boolean reserve(long start, long end) {
        recycle();
        long last = (end - 1) >> CHUNK_SHIFT;
        Chunk[] slots = table;
        if (slots == null || last - firstChunk >= slots.length) {
            slots = grownTable(slots, last);
        }
        for (long number = start >> CHUNK_SHIFT; number <= last; number++) {
            int slot = (int) number & (slots.length - 1);
            if (slots[slot] == null) {
                Chunk chunk = budget.take(start <= inOrderEnd.getPlain());
                if (chunk == null) {
                    return false;
                }
                slots[slot] = chunk;
                chunkCount++;
            }
        }
        return true;
    }

    private Chunk[] grownTable(Chunk[] slots, long last) {
        // As long as the window needs at once, so that only a growing window allocates.
        int slotsMin = Math.max((int) (last - firstChunk), limitBytes >> CHUNK_SHIFT) + 1;
        Chunk[] grown = new Chunk[BitUtil.findNextPositivePowerOfTwo(slotsMin)];
        for (long number = firstChunk; slots != null && number < firstChunk + slots.length; number++) {
            grown[(int) number & (grown.length - 1)] = slots[(int) number & (slots.length - 1)];
        }
        table = grown;
        return grown;
    }

    /** Stack: gives back the chunks whose bytes have all been read. */
    public void recycle() {
        if (budget == null) {
            return;
        }
        long readChunk = readEnd.getAcquire() >> CHUNK_SHIFT;
        Chunk[] slots = table;
        for (; firstChunk < readChunk && chunkCount > 0; firstChunk++) {
            giveSlot(slots, firstChunk);
        }
        firstChunk = readChunk;
    }

    private void giveSlot(Chunk[] slots, long number) {
        int slot = (int) number & (slots.length - 1);
        Chunk chunk = slots[slot];
        if (chunk != null) {
            slots[slot] = null;
            chunkCount--;
            budget.give(chunk);
        }
    }

    /** Gives back every chunk. */
    private void giveAll() {
        Chunk[] slots = table;
        for (int slot = 0; chunkCount > 0; slot++) {
            giveSlot(slots, slot);
        }
        table = null;
    }

    /**
     * Stack: lets the window double, if it may and the host has memory for it.
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

    /** Stack: if all has been read, gives the memory back and lowers the window to what it was at first. */
    public void trim() {
        if (budget != null && readEnd.getAcquire() == inOrderEnd.getPlain() && early.isEmpty()) {
            giveAll();
            promisedEnd = edge();
            limitBytes = limitBytesInitial;
        }
    }

    /**
     * Stack, once the connection is over and nothing more comes: gives back what the application cannot or will not
     * read.
     *
     * @param isReadLater whether another thread may read what is left; then the memory is its own to give back
     */
    public void detach(boolean isReadLater) {
        if (budget == null || isDetached) {
            return;
        }
        early.clear();
        if (isReadLater && readEnd.getAcquire() < inOrderEnd.getPlain()) {
            isDetached = true;
        } else {
            giveAll();
        }
    }

    // ---- the application's side

    /** {@return bytes that the application can read now} */
    public int readableBytes() {
        return (int) (inOrderEnd.getAcquire() - readEnd.getAcquire());
    }

    /**
     * {@return where the next readable bytes lie, for readers that need no copy: see {@link #readIndex}} Null where
     * there are none: also for the stack that has just seen some, if another thread has read them meanwhile.
     */
    public DirectBuffer readBuffer() {
        if (budget == null) {
            return ZEROS;
        }
        Chunk chunk = chunk(readEnd.getAcquire());
        return chunk == null ? null : chunk.bytes;
    }

    /** {@return where in {@link #readBuffer} the next readable byte stands} */
    public int readIndex() {
        return (int) readEnd.getPlain() & indexMask;
    }

    /** {@return readable bytes that lie there one after the other} */
    public int contiguousBytes() {
        return Math.min(readableBytes(), spanBytes - readIndex());
    }

    /** Application: gives back {@code length} bytes that it has read in place. */
    public void consume(int length) {
        readEnd.setRelease(readEnd.getPlain() + length);
    }

    /**
     * {@return how many bytes were moved to {@code target}, whose position advances}
     *
     * @throws java.nio.ReadOnlyBufferException if {@code target} is read-only
     */
    public int read(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        // Counted here: the target's position may be changed by another thread, which must not hang this one.
        int count = 0;
        int wanted = Math.min(target.remaining(), readableBytes());
        while (count < wanted) {
            Chunk chunk = budget == null ? null : chunk(readEnd.getPlain());
            if (chunk == null && budget != null) {
                // The socket was closed at this moment, and the loop throws away what is left.
                break;
            }
            int bytes = Math.min(wanted - count, contiguousBytes());
            // The buffer's own method: it checks what the buffer library takes on trust, such as memory that was freed.
            target.put((budget == null ? ZEROS : chunk.bytes).byteArray(), readIndex(), bytes);
            consume(bytes);
            count += bytes;
        }
        return count;
    }

    /**
     * Application, after its last look at what is left of a connection that is over: gives the memory back.
     *
     * @param isDiscarding whether what has not been read is thrown away
     */
    public void finishReading(boolean isDiscarding) {
        if (isDetached && (isDiscarding || readableBytes() <= 0)) {
            giveAll();
        }
    }

    // ---- queries

    /** {@return the offset before which everything has arrived} */
    public long inOrderOffset() {
        return inOrderEnd.getAcquire();
    }

    /** {@return the offset before which everything has been read} */
    public long readOffset() {
        return readEnd.getAcquire();
    }

    /** {@return bytes beyond the last one received, early ones included, for which there is room} */
    public long freeBytes() {
        return Math.max(0, affordableEdge() - extentEnd);
    }

    /** {@return bytes beyond {@link #inOrderOffset} for which there is room: the receive window} */
    public long windowBytes() {
        return Math.max(0, affordableEdge() - inOrderEnd.getPlain());
    }

    /** {@return the end of the window, which is smaller while the host has little memory left} */
    private long affordableEdge() {
        if (budget == null || !budget.isShort()) {
            return edge();
        }
        // What was promised before may still come; the peer takes no notice of a window that ends earlier.
        if (!budget.isExhausted()) {
            return readEnd.getAcquire() + limitBytesInitial;
        }
        boolean isPartFilled = (extentEnd & CHUNK_MASK) != 0 && chunkCount > 0 && chunk(extentEnd) != null;
        return isPartFilled ? (extentEnd | CHUNK_MASK) + 1 : extentEnd;
    }

    /** {@return the offset after the last byte received, early ones included} */
    public long extentOffset() {
        return extentEnd;
    }

    /** {@return the ranges that came early} */
    public RangeSet early() {
        return early;
    }

    /** {@return the window's size} */
    public int limitBytes() {
        return limitBytes;
    }

    /** {@return what the window's size may grow to} */
    public int capacityBytes() {
        return capacityBytes;
    }

    /** {@return whether what comes is kept; otherwise what is read are zeros} */
    public boolean isKept() {
        return budget != null;
    }

    /** {@return whether the latest segment was refused because there was no memory} */
    public boolean isStarved() {
        return isStarved;
    }

    /** {@return whether it holds memory; for the stack} */
    public boolean holdsMemory() {
        return chunkCount > 0;
    }
}
