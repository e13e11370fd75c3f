package io.weir.transport.node;

import io.weir.transport.frame.Frame;
import io.weir.transport.time.Deadline;
import java.util.Map;

/**
 * A port that moves real frames: AF_XDP rings, an in-memory link, later DPDK. It knows no protocol. All its frames come
 * from and return to the pool that it was opened with; only the owning thread calls it.
 */
public interface NetPort extends AutoCloseable {
    /** What a frame has for its port of ingress that has not come by a wire, but from this process. */
    int OWN_HOST = -1;

    /**
     * Hands at most {@code limit} received frames to {@code node} as frames of its port {@code portIndex}.
     *
     * @return how many
     */
    int pollReceive(Node node, int portIndex, int limit, long nowNanos);

    /** {@return how many frames {@link #transmit} takes right now; reclaims completed ones to find out} */
    int transmitCapacity();

    /** Takes a held frame to transmit. At most {@link #transmitCapacity()} before the next flush. */
    void transmit(Frame frame);

    /** Makes the frames given since the last flush leave. At most one native call, but for frames that are given up. */
    void flush();

    /**
     * {@return when {@link #flush} is to be called again for frames that could not leave at the last one, in
     * nanoseconds of the loop's clock; {@link Deadline#NO_DEADLINE} if there are none}
     */
    default long nextFlushNanos() {
        return Deadline.NO_DEADLINE;
    }

    /**
     * {@return frames that came and were lost before the Node could have them, since the port was opened: no room in a
     * ring, no frame to receive into, a shape that the port does not take} It may cost a native call.
     */
    default long lostFrames() {
        return 0;
    }

    /**
     * {@return how many frames for what the port takes it left to the kernel because of their shape, since it was
     * opened, by reason in words, as in "fragmented"; only those that there were} Any thread may ask; it may cost native
     * calls.
     */
    default Map<String, Long> skippedFrames() {
        return Map.of();
    }

    /** {@return what this port is and how it came to be so} */
    PortInfo info();

    /**
     * {@return why the port moves no frames, now or for good (its interface was deleted, say), or null while it does;
     * any thread may ask}
     */
    String failure();

    /**
     * {@return why the port moves no more frames for good, or null while it may move some, perhaps later; any thread
     * may ask} Then {@link #failure} says it in words.
     */
    default PortEnd end() {
        return null;
    }

    /** {@return a file descriptor that polls readable when frames wait, or -1 when the port has none} */
    int pollFileDescriptor();

    /** Gives back everything: rings, descriptors, attached programs, and every frame to the pool. */
    @Override
    void close();
}
