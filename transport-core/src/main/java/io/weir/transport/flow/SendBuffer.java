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
    /** Null where bytes are counted and not kept. */
    private final UnsafeBuffer ring;

    private final int capacityBytes;
    private final int mask;
    /** Written by the application. */
    private final AtomicLong end = new AtomicLong();
    /** Written by the stack. */
    private final AtomicLong base = new AtomicLong();

    /** Creates a ring of {@code capacityBytes}, rounded up to a power of two. */
    public SendBuffer(int capacityBytes) {
        this(capacityBytes, true);
    }

    /** Creates a ring that keeps what is written, or only counts it. */
    public SendBuffer(int capacityBytes, boolean isKept) {
        this.capacityBytes = BitUtil.findNextPositivePowerOfTwo(capacityBytes);
        ring = isKept ? new UnsafeBuffer(new byte[this.capacityBytes]) : null;
        mask = this.capacityBytes - 1;
    }

    /** {@return how many bytes of {@code source} there was room for; the application appends them} */
    public int write(DirectBuffer source, int offset, int length) {
        int count = (int) Math.min(length, freeBytes());
        long at = end.getPlain();
        if (ring != null) {
            int index = (int) at & mask;
            int first = Math.min(count, capacityBytes - index);
            ring.putBytes(index, source, offset, first);
            ring.putBytes(0, source, offset + first, count - first);
        }
        end.setRelease(at + count);
        return count;
    }

    /** {@return how many bytes of {@code source} there was room for; its position advances by as many} */
    public int write(ByteBuffer source) {
        int count = (int) Math.min(source.remaining(), freeBytes());
        long at = end.getPlain();
        if (ring == null) {
            source.position(source.position() + count);
        } else {
            int index = (int) at & mask;
            int first = Math.min(count, capacityBytes - index);
            ring.putBytes(index, source, first);
            ring.putBytes(0, source, count - first);
        }
        end.setRelease(at + count);
        return count;
    }

    /** {@return room for the application} */
    public long freeBytes() {
        return capacityBytes - (end.get() - base.getAcquire());
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
        if (ring == null) {
            return;
        }
        int index = (int) offset & mask;
        int first = Math.min(length, capacityBytes - index);
        target.putBytes(targetIndex, ring, index, first);
        target.putBytes(targetIndex + first, ring, 0, length - first);
    }

    /** Stack: gives up the bytes before {@code offset}: they are acknowledged. */
    public void release(long offset) {
        base.setRelease(offset);
    }

    /** Application, on the stack's own thread: takes back what was written at {@code offset} and after it. */
    public void truncate(long offset) {
        end.setRelease(offset);
    }

    /** {@return bytes of the ring} */
    public int capacityBytes() {
        return capacityBytes;
    }
}
