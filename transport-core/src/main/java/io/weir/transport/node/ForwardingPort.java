package io.weir.transport.node;

import io.weir.transport.frame.Frame;
import java.util.Map;

/** A port over another one, which does everything that a subclass does not do otherwise. */
public abstract class ForwardingPort implements NetPort {
    private final NetPort port;

    /** Takes over a port: {@link #close} closes it. */
    protected ForwardingPort(NetPort port) {
        this.port = port;
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        return port.pollReceive(node, portIndex, limit, nowNanos);
    }

    @Override
    public int transmitCapacity() {
        return port.transmitCapacity();
    }

    @Override
    public void transmit(Frame frame) {
        port.transmit(frame);
    }

    @Override
    public void flush() {
        port.flush();
    }

    @Override
    public long nextFlushNanos() {
        return port.nextFlushNanos();
    }

    @Override
    public Map<String, Long> skippedFrames() {
        return port.skippedFrames();
    }

    @Override
    public long lostFrames() {
        return port.lostFrames();
    }

    @Override
    public PortInfo info() {
        return port.info();
    }

    @Override
    public String failure() {
        return port.failure();
    }

    @Override
    public PortEnd end() {
        return port.end();
    }

    @Override
    public int pollFileDescriptor() {
        return port.pollFileDescriptor();
    }

    @Override
    public void close() {
        port.close();
    }
}
