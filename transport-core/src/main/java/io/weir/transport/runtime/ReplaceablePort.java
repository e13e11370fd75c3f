package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.time.Deadline;
import java.util.Map;

/**
 * A port in whose place another one can be put, for an interface that was deleted and made again. In between it moves
 * no frames. A call costs one field more than that of the port.
 *
 * <p>The owning thread calls it, as any port; {@link #failure}, {@link #end} and {@link #info} are any thread's.
 */
public final class ReplaceablePort implements NetPort {
    /** What moves the frames; the owning thread replaces it. */
    private volatile NetPort port;
    /** Frames that earlier ports lost. Owning thread. */
    private long earlierLostFrames;
    /** Whether no other port is put in its place any more. Owning thread. */
    private volatile boolean isClosed;

    /** Begins with a port, which it owns. */
    public ReplaceablePort(NetPort first) {
        this.port = first;
    }

    /** {@return whether it has been closed for good; any thread may ask} */
    public boolean isClosed() {
        return isClosed;
    }

    /** {@return whether the port has ended and been closed, and no other is in its place yet; any thread may ask} */
    public boolean isRetired() {
        return port instanceof AbsentPort;
    }

    /** Sends what it is given from now on, and takes no more frames in. */
    public void stopReceiving() {
        if (!isRetired()) {
            port = new SendingPort(port);
        }
    }

    /** Closes the port that has ended, so that its frames are in the pool again; until another one comes, none move. */
    public void retire() {
        NetPort ended = port;
        if (isRetired()) {
            return;
        }
        earlierLostFrames += ended.lostFrames();
        port = new AbsentPort(ended.info(), ended.failure(), ended.end());
        ended.close();
    }

    /** Puts another port in the place of one that is retired, and owns it from now on. */
    public void replace(NetPort next) {
        if (isClosed || !isRetired()) {
            throw new IllegalStateException("port " + info().name() + " is closed, or not retired");
        }
        port = next;
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
        return earlierLostFrames + port.lostFrames();
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
        isClosed = true;
        port.close();
    }

    /** A port that takes no more frames in. */
    private static final class SendingPort extends ForwardingPort {
        SendingPort(NetPort port) {
            super(port);
        }

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            return 0;
        }
    }

    /** What there is of a port that has ended. */
    private record AbsentPort(PortInfo info, String failure, PortEnd end) implements NetPort {
        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            return 0;
        }

        @Override
        public int transmitCapacity() {
            return 0;
        }

        /** The port went away between the question for capacity and this: the frame is lost as on a cut wire. */
        @Override
        public void transmit(Frame frame) {
            frame.release();
        }

        @Override
        public void flush() {}

        @Override
        public long nextFlushNanos() {
            return Deadline.NO_DEADLINE;
        }

        @Override
        public int pollFileDescriptor() {
            return -1;
        }

        @Override
        public void close() {}
    }
}
