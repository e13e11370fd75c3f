package io.weir.transport.flow;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reassembles a stream: a ring in which each segment is put where it belongs, and the ranges that came early. One writer,
 * the stack, and one reader, the application, which may be different threads. Positions are stream offsets.
 *
 * <p>No allocation after construction, no lock. The receive window is the ring: a byte beyond it is refused.
 */
public final class ReceiveBuffer {
    /** What is read where bytes are counted and not kept: as many zeros as a frame can have. */
    private static final UnsafeBuffer ZEROS = new UnsafeBuffer(new byte[1 << 16]);

    private final UnsafeBuffer ring;
    private final boolean isKept;
    private final int capacityBytes;
    private final int mask;
    private final RangeSet early;
    /** Everything before it has arrived. Written by the stack. */
    private final AtomicLong inOrderEnd = new AtomicLong();
    /** Everything before it has been read. Written by the application. */
    private final AtomicLong readEnd = new AtomicLong();

    private long extentEnd;

    /** Creates a ring of {@code capacityBytes}, rounded up to a power of two, that tolerates {@code gapsMax} gaps. */
    public ReceiveBuffer(int capacityBytes, int gapsMax) {
        this(capacityBytes, gapsMax, true);
    }

    /** Creates a ring that keeps what comes, or only counts it: what is read are zeros then. */
    public ReceiveBuffer(int capacityBytes, int gapsMax, boolean isKept) {
        this.capacityBytes = BitUtil.findNextPositivePowerOfTwo(capacityBytes);
        this.isKept = isKept;
        ring = isKept ? new UnsafeBuffer(new byte[this.capacityBytes]) : ZEROS;
        mask = isKept ? this.capacityBytes - 1 : 0;
        early = new RangeSet(gapsMax);
    }

    /** {@return whether [start, end) lies within what the ring can hold now} */
    public boolean fits(long start, long end) {
        return start >= 0 && start <= end && end <= readEnd.getAcquire() + capacityBytes;
    }

    /**
     * Stack: takes a segment that {@link #fits}. Of bytes that came before, those in order are left as they are.
     *
     * @return false if the segment had to be refused because it would open one gap too many
     */
    public boolean accept(long start, DirectBuffer source, int sourceIndex, int length) {
        long end = start + length;
        long inOrder = inOrderEnd.getPlain();
        long from = Math.max(start, inOrder);
        if (from >= end) {
            return true;
        }
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

    /** Stack: notes that bytes up to {@code end}, the next in order, went to the application without the ring. */
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
        if (!isKept) {
            return;
        }
        int index = (int) offset & mask;
        int first = Math.min(length, ring.capacity() - index);
        ring.putBytes(index, source, sourceIndex, first);
        ring.putBytes(0, source, sourceIndex + first, length - first);
    }

    /** {@return the offset before which everything has arrived} */
    public long inOrderOffset() {
        return inOrderEnd.getAcquire();
    }

    /** {@return the offset before which everything has been read} */
    public long readOffset() {
        return readEnd.getAcquire();
    }

    /** {@return bytes that the application can read now} */
    public int readableBytes() {
        return (int) (inOrderEnd.getAcquire() - readEnd.getAcquire());
    }

    /** {@return bytes beyond the last one received, early ones included, that the ring can take} */
    public long freeBytes() {
        return readEnd.getAcquire() + capacityBytes - extentEnd;
    }

    /** {@return bytes beyond {@link #inOrderOffset} that the ring can take: the receive window} */
    public long windowBytes() {
        return readEnd.getAcquire() + capacityBytes - inOrderEnd.getPlain();
    }

    /** {@return the offset after the last byte received, early ones included} */
    public long extentOffset() {
        return extentEnd;
    }

    /** {@return the ranges that came early} */
    public RangeSet early() {
        return early;
    }

    /** {@return bytes of the ring} */
    public int capacityBytes() {
        return capacityBytes;
    }

    /** {@return the ring, for readers that need no copy: see {@link #readIndex} and {@link #contiguousBytes}} */
    public DirectBuffer ring() {
        return ring;
    }

    /** {@return whether what comes is kept; otherwise what is read are zeros} */
    public boolean isKept() {
        return isKept;
    }

    /** {@return where in the ring the next readable byte stands} */
    public int readIndex() {
        return (int) readEnd.getPlain() & mask;
    }

    /** {@return readable bytes from there without a wrap} */
    public int contiguousBytes() {
        return Math.min(readableBytes(), ring.capacity() - readIndex());
    }

    /** Application: gives back {@code length} bytes that it has read in place. */
    public void consume(int length) {
        readEnd.setRelease(readEnd.getPlain() + length);
    }

    /** {@return how many bytes were moved to {@code target}, whose position advances} */
    public int read(ByteBuffer target) {
        int start = target.position();
        int wanted = Math.min(target.remaining(), readableBytes());
        while (target.position() - start < wanted) {
            int bytes = Math.min(wanted - (target.position() - start), contiguousBytes());
            ring.getBytes(readIndex(), target, bytes);
            consume(bytes);
        }
        return wanted;
    }
}
