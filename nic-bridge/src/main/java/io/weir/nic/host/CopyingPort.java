package io.weir.nic.host;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;

/**
 * A port with a pool that it needs for itself, among ports of another one: each frame is copied on its way in and on
 * its way out. Owned by the thread that owns both pools; no allocation per frame.
 */
public final class CopyingPort extends ForwardingPort {
    private final FramePool innerPool;
    private final FramePool pool;
    private final Copier copier = new Copier();
    private long lost;

    /**
     * Copies between two pools.
     *
     * @param inner the port
     * @param innerPool the port's own pool
     * @param pool the pool of the frames that come out of this port, and that it is given
     */
    public CopyingPort(NetPort inner, FramePool innerPool, FramePool pool) {
        super(inner);
        this.innerPool = innerPool;
        this.pool = pool;
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        copier.node = node;
        return super.pollReceive(copier, portIndex, limit, nowNanos);
    }

    @Override
    public int transmitCapacity() {
        return Math.min(super.transmitCapacity(), innerPool.available());
    }

    @Override
    public void transmit(Frame frame) {
        Frame copy = copy(frame, innerPool);
        frame.release();
        if (copy != null) {
            super.transmit(copy);
        }
    }

    /** {@return a copy, or null if there is no frame for it, or none as large} */
    static Frame copy(Frame frame, FramePool target) {
        Frame copy = target.allocate();
        if (copy == null) {
            return null;
        }
        if (frame.length() > copy.buffer().capacity()) {
            copy.release();
            return null;
        }
        copy.setExtent(0, frame.length());
        copy.buffer().putBytes(0, frame.buffer(), frame.offset(), frame.length());
        return copy;
    }

    @Override
    public long lostFrames() {
        return lost + super.lostFrames();
    }

    /** Takes what the port received, and hands a copy to the Node. It is asked nothing else. */
    private final class Copier implements Node {
        private Node node;

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            Frame copy = copy(frame, pool);
            frame.release();
            if (copy == null) {
                lost++;
                return;
            }
            copy.setIngressPort(portIndex);
            node.onFrame(portIndex, copy, nowNanos);
        }

        @Override
        public void onTimeout(long nowNanos) {
            node.onTimeout(nowNanos);
        }

        @Override
        public long nextTimeoutNanos() {
            return node.nextTimeoutNanos();
        }

        @Override
        public Egress egress(int portIndex) {
            return node.egress(portIndex);
        }

        @Override
        public int portCount() {
            return node.portCount();
        }

        @Override
        public void onPause(long pauseNanos, long nowNanos) {
            node.onPause(pauseNanos, nowNanos);
        }
    }
}
