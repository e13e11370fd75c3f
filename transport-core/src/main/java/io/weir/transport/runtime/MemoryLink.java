package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * A link between two ports in one process: for tests and for use without privileges. Each direction is a ring of bytes, so
 * the ends may belong to different threads and pools; a frame is copied in and out.
 */
public final class MemoryLink {
    private static final int RING_BYTES = 1 << 21;

    private final MemoryPort left;
    private final MemoryPort right;

    /**
     * Creates a link.
     *
     * @param left what the left end is; its frames come from {@code leftPool}
     * @param right what the right end is
     */
    public MemoryLink(PortInfo left, FramePool leftPool, PortInfo right, FramePool rightPool) {
        OneToOneRingBuffer toRight = newRing();
        OneToOneRingBuffer toLeft = newRing();
        this.left = new MemoryPort(left, leftPool, toLeft, toRight);
        this.right = new MemoryPort(right, rightPool, toRight, toLeft);
        this.left.peer = this.right;
        this.right.peer = this.left;
    }

    private static OneToOneRingBuffer newRing() {
        return new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
                RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
    }

    /** {@return the description of an in-memory port} */
    public static PortInfo info(String name, long mac, int mtuBytes, long linkRateBps) {
        return new PortInfo(
                name,
                "memory",
                "copy",
                "asked for",
                StampSources.software("a link in memory has no device"),
                mac,
                mtuBytes,
                linkRateBps);
    }

    /** {@return the left end} */
    public MemoryPort left() {
        return left;
    }

    /** {@return the right end} */
    public MemoryPort right() {
        return right;
    }

    /** One end of a link in memory. */
    public static final class MemoryPort implements NetPort {
        private static final int FRAME_TYPE = 1;

        private final PortInfo info;
        private final FramePool pool;
        private final OneToOneRingBuffer incoming;
        private final OneToOneRingBuffer outgoing;
        private final int recordBytesMax;
        private final MessageHandler recordHandler = this::onRecord;
        private MemoryPort peer;
        private Node receiver;
        private int receiverPort;
        private long receivedNanos;
        private boolean hasSent;
        private volatile Waiter waiter;
        private volatile boolean isClosed;

        private MemoryPort(PortInfo info, FramePool pool, OneToOneRingBuffer incoming, OneToOneRingBuffer outgoing) {
            this.info = info;
            this.pool = pool;
            this.incoming = incoming;
            this.outgoing = outgoing;
            this.recordBytesMax = pool.frameCapacityBytes() + Long.BYTES * 2;
        }

        /** Says which loop to wake when frames come. */
        public void setWaiter(Waiter newWaiter) {
            waiter = newWaiter;
        }

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            receiver = node;
            receiverPort = portIndex;
            receivedNanos = nowNanos;
            return incoming.read(recordHandler, Math.min(limit, pool.available()));
        }

        private void onRecord(int type, MutableDirectBuffer buffer, int index, int length) {
            Frame frame = pool.allocate();
            frame.setExtent(0, length);
            frame.buffer().putBytes(0, buffer, index, length);
            receiver.onFrame(receiverPort, frame, receivedNanos);
        }

        @Override
        public int transmitCapacity() {
            return (RING_BYTES - outgoing.size()) / recordBytesMax - 1;
        }

        @Override
        public void transmit(Frame frame) {
            outgoing.write(FRAME_TYPE, frame.buffer(), frame.offset(), frame.length());
            frame.release();
            hasSent = true;
        }

        @Override
        public void flush() {
            if (hasSent) {
                hasSent = false;
                Waiter sleeping = peer.waiter;
                if (sleeping != null) {
                    sleeping.wake();
                }
            }
        }

        @Override
        public PortInfo info() {
            return info;
        }

        @Override
        public String failure() {
            return peer.isClosed ? "the other end of the link is closed" : null;
        }

        @Override
        public int pollFileDescriptor() {
            return -1;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
