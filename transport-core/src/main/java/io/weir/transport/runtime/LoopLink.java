package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;

/**
 * A link between two ports of one event loop whose frames come from one pool: a frame changes hands and is never
 * copied. It has neither rate nor delay. Owned by the loop's thread; O(1) per frame, no allocation.
 */
public final class LoopLink {
    private static final int FRAMES_MAX = 1024;

    private final End left;
    private final End right;

    /** Creates a link whose ends are described so. */
    public LoopLink(PortInfo left, PortInfo right) {
        this.left = new End(left);
        this.right = new End(right);
        this.left.peer = this.right;
        this.right.peer = this.left;
    }

    /** {@return the description of an end} */
    public static PortInfo info(String name, int mtuBytes, long linkRateBps) {
        return new PortInfo(
                name,
                "loop",
                "hand-over",
                "both ends are in one event loop",
                StampSources.software("a link in memory has no device"),
                0,
                mtuBytes,
                linkRateBps);
    }

    /** {@return the left end} */
    public NetPort left() {
        return left;
    }

    /** {@return the right end} */
    public NetPort right() {
        return right;
    }

    private static final class End implements NetPort {
        private final PortInfo info;
        private final FrameQueue incoming = new FrameQueue();
        private End peer;

        End(PortInfo info) {
            this.info = info;
        }

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            int received = 0;
            while (received < limit) {
                Frame frame = incoming.poll();
                if (frame == null) {
                    break;
                }
                node.onFrame(portIndex, frame, nowNanos);
                received++;
            }
            return received;
        }

        @Override
        public int transmitCapacity() {
            return FRAMES_MAX - peer.incoming.frameCount();
        }

        @Override
        public void transmit(Frame frame) {
            peer.incoming.add(frame);
        }

        @Override
        public void flush() {
            // The frames are there already.
        }

        @Override
        public PortInfo info() {
            return info;
        }

        @Override
        public String failure() {
            return null;
        }

        @Override
        public int pollFileDescriptor() {
            return -1;
        }

        @Override
        public void close() {
            incoming.releaseAll();
        }
    }
}
