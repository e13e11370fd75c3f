package io.weir.transport.runtime;

import io.weir.pacer.LinkDrain;
import io.weir.pacer.Slack;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.time.Deadline;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** A link between two in-memory ports that has rate and delay by a fake clock. */
final class ClockedLink {
    private final End left;
    private final End right;

    ClockedLink(LinkSpec link, LongSupplier clock, FrameRecord frames) {
        left = new End(link.left(), link.right(), link, clock, frames);
        right = new End(link.right(), link.left(), link, clock, frames);
        left.peer = right;
        right.peer = left;
    }

    End left() {
        return left;
    }

    End right() {
        return right;
    }

    /** One port: frames leave by it for the other, one at a time. */
    static final class End implements NetPort {
        private final String name;
        private final String peerNode;
        private final LinkSpec link;
        private final LongSupplier clock;
        private final FrameRecord frames;
        private final LinkDrain drain;
        private final FrameQueue incoming = new FrameQueue();
        private Predicate<Frame> isLost = frame -> false;
        private End peer;

        private End(String node, String peerNode, LinkSpec link, LongSupplier clock, FrameRecord frames) {
            this.name = node + ">" + peerNode;
            this.peerNode = peerNode;
            this.link = link;
            this.clock = clock;
            this.frames = frames;
            this.drain = new LinkDrain(link.rateBps(), Slack.NONE);
        }

        void setLoss(Predicate<Frame> newIsLost) {
            isLost = newIsLost;
        }

        /** {@return when the frame before has left} */
        long freeNanos() {
            return drain.freeNanos();
        }

        /** {@return when the next frame comes in by this port} */
        long nextArrivalNanos() {
            Frame next = incoming.peek();
            return next == null ? Deadline.NO_DEADLINE : next.readyNanos();
        }

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            int received = 0;
            while (received < limit && nextArrivalNanos() <= nowNanos) {
                node.onFrame(portIndex, incoming.poll(), nowNanos);
                received++;
            }
            return received;
        }

        @Override
        public int transmitCapacity() {
            return drain.isFree(clock.getAsLong()) ? 1 : 0;
        }

        @Override
        public void transmit(Frame frame) {
            long nowNanos = clock.getAsLong();
            drain.start(frame.wireBytes(), nowNanos, nowNanos);
            frames.add(name, frame, nowNanos);
            if (isLost.test(frame)) {
                frame.release();
                return;
            }
            frame.setReadyNanos(drain.freeNanos() + link.propagationNanos());
            frames.addArrival(peerNode, frame.readyNanos());
            peer.incoming.add(frame);
        }

        @Override
        public void flush() {}

        @Override
        public PortInfo info() {
            return MemoryLink.info(name, 0, link.mtuBytes(), link.rateBps());
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
