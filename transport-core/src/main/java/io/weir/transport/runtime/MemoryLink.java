package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;

/**
 * A link between two ports in one process: for tests and for use without privileges. Each direction is a ring of slots,
 * so the ends may belong to different threads and pools; a frame is copied in and out.
 */
public final class MemoryLink {
    /**
     * A direction's frames at one time: 300 us of 1,500 B at 10 Gbit/s, and little enough for the second-level cache of
     * a core. Every slot has its turn, so a ring that is larger is written to memory that is cold.
     */
    private static final int SLOTS = 1 << 8;

    private final MemoryPort left;
    private final MemoryPort right;

    /**
     * Creates a link.
     *
     * @param left what the left end is; its frames come from {@code leftPool}
     * @param right what the right end is
     */
    public MemoryLink(PortInfo left, FramePool leftPool, PortInfo right, FramePool rightPool) {
        int frameBytesMax = Math.max(leftPool.frameCapacityBytes(), rightPool.frameCapacityBytes());
        FrameRing toRight = new FrameRing(SLOTS, frameBytesMax);
        FrameRing toLeft = new FrameRing(SLOTS, frameBytesMax);
        this.left = new MemoryPort(left, leftPool, toLeft, toRight);
        this.right = new MemoryPort(right, rightPool, toRight, toLeft);
        this.left.peer = this.right;
        this.right.peer = this.left;
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
                        linkRateBps)
                .withDataChecksums(false);
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
        private final PortInfo info;
        private final FramePool pool;
        private final FrameRing incoming;
        private final FrameRing outgoing;
        private MemoryPort peer;
        private boolean hasSent;
        private volatile Waiter waiter;
        private volatile boolean isClosed;

        private MemoryPort(PortInfo info, FramePool pool, FrameRing incoming, FrameRing outgoing) {
            this.info = info;
            this.pool = pool;
            this.incoming = incoming;
            this.outgoing = outgoing;
        }

        /** Sets which loop to wake when frames come. */
        public void setWaiter(Waiter newWaiter) {
            waiter = newWaiter;
        }

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            int received = 0;
            while (received < limit && incoming.hasNext()) {
                Frame frame = pool.allocate();
                if (frame == null) {
                    break;
                }
                incoming.readInto(frame);
                node.onFrame(portIndex, frame, nowNanos);
                received++;
            }
            return received;
        }

        @Override
        public int transmitCapacity() {
            return outgoing.freeCount();
        }

        @Override
        public void transmit(Frame frame) {
            outgoing.write(frame);
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
