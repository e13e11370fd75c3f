package io.weir.transport.socket;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.time.Deadline;
import java.util.ArrayDeque;
import java.util.List;

/**
 * A Node that passes frames round and does nothing with them, on the loop that plays the stack warm. Where a loop
 * calls a Node, an egress or a port, the virtual machine's optimising compiler takes in what it calls, as long as it
 * has met at most two classes there: each of the loop's methods then holds the whole stack once more, takes seconds
 * to compile, and is thrown away when the real port is the second class or the third. With two kinds of bystanders,
 * each with a tenth of the calls or more, all of these calls stay calls.
 */
abstract class Bystander implements Node, Egress, NetPort {
    /** That many frames on each way round: a tenth of what hosts carry in a cycle, and more. */
    private static final int FRAMES = 3;

    private static final long LINK_RATE_BPS = 10_000_000_000L;

    /** Frames to be handed over next; the loop's thread alone. */
    private final ArrayDeque<Frame> frames = new ArrayDeque<>(2 * FRAMES);

    private final PortInfo info = MemoryLink.info("bystander", 0, Rehearsal.MTU_BYTES, LINK_RATE_BPS);

    private final FramePool pool;
    /** When the latest frame came; the loop's thread alone. */
    private long latestNanos;

    private Bystander(FramePool pool) {
        this.pool = pool;
    }

    /** {@return bystanders of both kinds with a link in memory between them} */
    static List<NodeBinding> pair(FramePool pool) {
        MemoryLink link = new MemoryLink(
                MemoryLink.info("left", 0, Rehearsal.MTU_BYTES, LINK_RATE_BPS),
                pool,
                MemoryLink.info("right", 0, Rehearsal.MTU_BYTES, LINK_RATE_BPS),
                pool);
        Bystander left = new First(pool);
        left.takeFrames();
        return List.of(
                new NodeBinding(left, List.of(link.left())), new NodeBinding(new Second(pool), List.of(link.right())));
    }

    /** {@return bystanders of both kinds that are their own ports} */
    static List<NodeBinding> onTheirOwn(FramePool pool) {
        Bystander one = new First(pool);
        Bystander two = new Second(pool);
        one.takeFrames();
        two.takeFrames();
        return List.of(new NodeBinding(one, List.of(one)), new NodeBinding(two, List.of(two)));
    }

    private void takeFrames() {
        for (int i = 0; i < FRAMES; i++) {
            Frame frame = pool.allocate();
            frame.setExtent(0, Long.BYTES);
            frames.add(frame);
        }
    }

    /** As a host does, it asks when the frame came. */
    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        latestNanos = frame.stampNanos(nowNanos);
        frames.add(frame);
    }

    @Override
    public void onTimeout(long nowNanos) {}

    @Override
    public long nextTimeoutNanos() {
        return latestNanos;
    }

    @Override
    public Egress egress(int portIndex) {
        return this;
    }

    @Override
    public int portCount() {
        return 1;
    }

    @Override
    public void onPause(long pauseNanos, long nowNanos) {}

    @Override
    public Frame pollTransmit(long nowNanos) {
        return frames.poll();
    }

    @Override
    public long nextTransmitNanos(long nowNanos) {
        return Deadline.NO_DEADLINE;
    }

    /** As the port of a device, it has frames ready for what will come, and stamps what has come. */
    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        Frame empty = pool.allocate(FrameOwner.FILL);
        int count = frames.size();
        for (int i = 0; i < count; i++) {
            Frame frame = frames.poll();
            frame.setStampNanos(nowNanos);
            node.onFrame(portIndex, frame, nowNanos);
        }
        if (empty != null) {
            pool.release(empty, FrameOwner.FILL);
        }
        return count;
    }

    @Override
    public int transmitCapacity() {
        return FRAMES;
    }

    @Override
    public void transmit(Frame frame) {
        frames.add(frame);
    }

    @Override
    public void flush() {}

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
        frames.forEach(Frame::release);
        frames.clear();
    }

    /** One kind. */
    private static final class First extends Bystander {
        First(FramePool pool) {
            super(pool);
        }
    }

    /** The other kind: another class, and nothing else. */
    private static final class Second extends Bystander {
        Second(FramePool pool) {
            super(pool);
        }
    }
}
