package io.weir.nic.host;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;

/**
 * A port whose device sees one pool's memory alone, that is also given frames of the pool before it: these are copied.
 * A frame of the port's pool costs one comparison. Owned by the thread that owns both pools; no allocation per frame.
 */
public final class AdoptingPort extends ForwardingPort {
    private final FramePool pool;
    /** Frames of the earlier pool that found no free frame. Owning thread. */
    private long lost;

    /** Takes over a port, which transmits frames of {@code pool}. */
    public AdoptingPort(NetPort port, FramePool pool) {
        super(port);
        this.pool = pool;
    }

    @Override
    public void transmit(Frame frame) {
        if (frame.pool() == pool) {
            super.transmit(frame);
            return;
        }
        Frame copy = CopyingPort.copy(frame, pool);
        frame.release();
        if (copy == null) {
            lost++;
        } else {
            super.transmit(copy);
        }
    }

    @Override
    public long lostFrames() {
        return lost + super.lostFrames();
    }
}
