package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;

/**
 * A port whose outgoing direction has a fault: the same that a simulated link has. Frames that it delays wait here.
 * Owned by the loop's thread.
 */
public final class FaultyPort extends ForwardingPort implements LinkFault.Line {
    /** Room for the copies that a fault makes of each frame. */
    private static final int COPIES = 4;

    private final LinkFault fault;
    private final LateFrames late = new LateFrames();
    private long nowNanos;

    /** Takes over a port, whose frames leave as {@code fault} lets them. */
    public FaultyPort(NetPort port, LinkFault fault) {
        super(port);
        this.fault = fault;
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
            late.add(frame, atNanos);
        }
    }

    @Override
    public void flush() {
        for (int room = super.transmitCapacity(); room > 0 && late.nextNanos() <= nowNanos; room--) {
            super.transmit(late.poll(nowNanos));
        }
        super.flush();
    }

    @Override
    public void close() {
        late.releaseAll();
        super.close();
    }
}
