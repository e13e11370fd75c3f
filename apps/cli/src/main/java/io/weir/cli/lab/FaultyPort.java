package io.weir.cli.lab;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.sim.LinkFault;
import io.weir.transport.time.DeadlineHeap;

/**
 * A port whose outgoing direction has a fault: the same that a simulated link has. Frames that it delays wait here.
 * Owned by the loop's thread.
 */
final class FaultyPort extends ForwardingPort implements LinkFault.Line {
    /** Room for the copies that a fault makes of each frame. */
    private static final int COPIES = 4;

    private final LinkFault fault;
    private final FramePool pool;
    private final DeadlineHeap late = new DeadlineHeap(64);
    private long nowNanos;

    FaultyPort(NetPort port, LinkFault fault, FramePool pool) {
        super(port);
        this.fault = fault;
        this.pool = pool;
    }

    /** A cycle begins here: what it transmits later, it transmits at this time. */
    @Override
    public int pollReceive(Node node, int portIndex, int limit, long cycleNanos) {
        nowNanos = cycleNanos;
        return super.pollReceive(node, portIndex, limit, cycleNanos);
    }

    @Override
    public int transmitCapacity() {
        return super.transmitCapacity() / COPIES;
    }

    @Override
    public void transmit(Frame frame) {
        fault.onDeparture(this, frame, nowNanos, nowNanos);
    }

    @Override
    public void deliver(Frame frame, long atNanos) {
        if (atNanos <= nowNanos && super.transmitCapacity() > 0) {
            super.transmit(frame);
        } else {
            late.schedule(frame.index(), atNanos);
        }
    }

    @Override
    public void flush() {
        for (int room = super.transmitCapacity(); room > 0 && late.peekDeadline() <= nowNanos; room--) {
            super.transmit(pool.frame(late.pollDue(nowNanos)));
        }
        super.flush();
    }

    @Override
    public void close() {
        for (int index = late.pollDue(Long.MAX_VALUE - 1); index >= 0; index = late.pollDue(Long.MAX_VALUE - 1)) {
            pool.frame(index).release();
        }
        super.close();
    }
}
