package io.weir.transport.flow;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes of a stream that are written and not yet acknowledged: a ring between one writer, the application, and one
 * reader, the stack, which may be different threads. Positions are stream offsets; they never wrap.
 *
 * <p>No allocation after construction, no lock.
 */
public final class SendBuffer {
    private final UnsafeBuffer ring;
    private final int mask;
    /** Written by the application. */
    private final AtomicLong end = new AtomicLong();
    /** Written by the stack. */
    private final AtomicLong base = new AtomicLong();

    /** Creates a ring of {@code capacityBytes}, rounded up to a power of two. */
    public SendBuffer(int capacityBytes) {
        int capacity = BitUtil.findNextPositivePowerOfTwo(capacityBytes);
        ring = new UnsafeBuffer(new byte[capacity]);
        mask = capacity - 1;
    }

    /** {@return how many bytes of {@code source} there was room for; the application appends them} */
    public int write(DirectBuffer source, int offset, int length) {
        int count = (int) Math.min(length, freeBytes());
        long at = end.getPlain();
        int index = (int) at & mask;
        int first = Math.min(count, ring.capacity() - index);
        ring.putBytes(index, source, offset, first);
        ring.putBytes(0, source, offset + first, count - first);
        end.setRelease(at + count);
        return count;
    }

    /** {@return how many bytes of {@code source} there was room for; its position advances by as many} */
    public int write(ByteBuffer source) {
        int count = (int) Math.min(source.remaining(), freeBytes());
        long at = end.getPlain();
        int index = (int) at & mask;
        int first = Math.min(count, ring.capacity() - index);
        ring.putBytes(index, source, first);
        ring.putBytes(0, source, count - first);
        end.setRelease(at + count);
        return count;
    }

    /** {@return room for the application} */
    public long freeBytes() {
        return ring.capacity() - (end.get() - base.getAcquire());
    }

    /** {@return the stream offset after the last byte written} */
    public long endOffset() {
        return end.getAcquire();
    }

    /** {@return the offset of the oldest byte that is kept} */
    public long baseOffset() {
        return base.getAcquire();
    }

    /** Stack: copies kept bytes into a frame. */
    public void copyTo(long offset, UnsafeBuffer target, int targetIndex, int length) {
        int index = (int) offset & mask;
        int first = Math.min(length, ring.capacity() - index);
        target.putBytes(targetIndex, ring, index, first);
        target.putBytes(targetIndex + first, ring, 0, length - first);
    }

    /** Stack: gives up the bytes before {@code offset}: they are acknowledged. */
    public void release(long offset) {
        base.setRelease(offset);
    }

    /** {@return bytes of the ring} */
    public int capacityBytes() {
        return ring.capacity();
    }
}
