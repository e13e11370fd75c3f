package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.FramePrinter;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A frame that left a Node: when, what it says on one line, and a copy of its bytes.
 *
 * @param nanos when its first bit left
 * @param text the line that {@link FramePrinter} makes of it
 * @param bytes the frame from its Ethernet header on
 */
public record SentFrame(long nanos, String text, UnsafeBuffer bytes) {
    /** {@return a record of {@code frame}, which stays its owner's} */
    public static SentFrame of(Frame frame, long nanos) {
        UnsafeBuffer copy = new UnsafeBuffer(ByteBuffer.allocateDirect(frame.length()));
        copy.putBytes(0, frame.buffer(), frame.offset(), frame.length());
        return new SentFrame(nanos, FramePrinter.print(frame), copy);
    }

    /** {@return the frame once more, in a slot of {@code pool}} */
    public Frame replay(FramePool pool) {
        Frame frame = pool.allocate();
        frame.buffer().putBytes(0, bytes, 0, bytes.capacity());
        frame.setExtent(0, bytes.capacity());
        return frame;
    }

    /** {@return bytes in memory} */
    public int length() {
        return bytes.capacity();
    }

    @Override
    public String toString() {
        return nanos + " " + text;
    }
}
