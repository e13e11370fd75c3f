package io.weir.netty;

import io.weir.nic.testing.ForwardingInterface;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.runtime.NetInterface;
import java.util.ArrayDeque;

/** An interface that loses one in a hundred of the frames that leave, and lets as many be overtaken. */
final class LossyInterface extends ForwardingInterface {
    private static final int PPM = 1_000_000;
    private static final int LOST_PPM = 10_000;
    private static final int LATE_PPM = 10_000;

    private final LossyPort port;

    LossyInterface(NetInterface inner, long seed) {
        super(inner);
        this.port = new LossyPort(inner.port(), new SeededRandom(seed));
    }

    @Override
    public NetPort port() {
        return port;
    }

    /** The port: frames that are late leave at the end of the next cycle, behind those of that cycle. */
    private static final class LossyPort extends ForwardingPort {
        private final SeededRandom random;
        private final ArrayDeque<Frame> late = new ArrayDeque<>();
        /** How many of them were late before this cycle. */
        private int dueCount;

        LossyPort(NetPort inner, SeededRandom random) {
            super(inner);
            this.random = random;
        }

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            dueCount = late.size();
            return super.pollReceive(node, portIndex, limit, nowNanos);
        }

        @Override
        public int transmitCapacity() {
            return Math.max(0, super.transmitCapacity() - late.size());
        }

        @Override
        public void transmit(Frame frame) {
            int number = random.nextInt(PPM);
            if (number < LOST_PPM) {
                frame.release();
            } else if (number < LOST_PPM + LATE_PPM) {
                late.add(frame);
            } else {
                super.transmit(frame);
            }
        }

        @Override
        public void flush() {
            for (; dueCount > 0 && super.transmitCapacity() > 0; dueCount--) {
                super.transmit(late.poll());
            }
            super.flush();
        }

        @Override
        public void close() {
            late.forEach(Frame::release);
            late.clear();
            super.close();
        }
    }
}
