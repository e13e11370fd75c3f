package io.weir.transport.runtime;

import io.weir.pacer.RateMath;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import java.util.Arrays;

/**
 * One of the ports of an interface that has a loop for each: hands a received frame to its Node if the connection
 * belongs to this loop ({@link FlowSteering}), and else to the loop that has it, through a ring in memory. What a Node
 * transmits leaves by its own port.
 *
 * <p>Each pair of loops has a ring for each direction, made with its first frame; one loop writes it, the other reads
 * it. A frame for which there is no room is dropped, as by a device; no loop waits for another. A frame that came to
 * the right port costs its hash, some ten nanoseconds; another one a copy and perhaps a wake-up.
 *
 * <p>It also tells its Node which part of the link it may use ({@link LinkShares}).
 *
 * <p>The owning thread calls it, as any port; {@link #setWaiter} comes before.
 */
public final class SteeredPort extends ForwardingPort {
    private static final int SLOTS = 1 << 10;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long BITS_PER_BYTE = 8;

    private final Group group;
    private final int index;
    private final FramePool pool;
    private final HandOverListener onHandOver;
    private final ShareListener onShare;
    private final Sieve sieve = new Sieve();
    /** The rings to other loops that were used, by their numbers. Owning thread. */
    private final FrameRing[] outgoing;
    /** Whether a loop has been given frames since it was woken last, by its number. Owning thread. */
    private final boolean[] isToWake;
    /** What comes from other loops; replaced as a whole, with the group's lock. */
    private volatile FrameRing[] incoming = FrameRing.NO_RINGS;
    /** What the loop sleeps with; null before it is set. */
    private volatile Waiter waiter;
    /** Whether any of {@link #isToWake} is set. Owning thread. */
    private boolean hasHandedOver;
    /** Link bytes sent since {@link #measuredNanos}. Owning thread. */
    private long sentBytes;
    /** Link bytes received for this loop's connections since {@link #measuredNanos}. Owning thread. */
    private long receivedBytes;
    /** When this loop said last what it used of the link. Owning thread. */
    private long measuredNanos;
    /** What the Node was told last, in parts per million of the link: to send. Owning thread. */
    private int sentSharePpm = LinkShares.PPM;
    /** The same of what it may ask others to send. Owning thread. */
    private int receivedSharePpm = LinkShares.PPM;

    /** Is told which part of the link a loop may use, on its thread, when that changes. */
    @FunctionalInterface
    public interface ShareListener {
        /**
         * Takes the loop's part of each direction.
         *
         * @param sentPpm parts per million of the link that it may send
         * @param receivedPpm parts per million of the link that it may grant others
         */
        void onShare(int sentPpm, int receivedPpm, long nowNanos);
    }

    /** Is told of each frame of another loop's connection, on the thread of the loop that it came to. */
    @FunctionalInterface
    public interface HandOverListener {
        /** The frame was given to that loop, or dropped because that loop has not taken those before it. */
        void onHandOver(boolean wasTaken);
    }

    /** The ports of one interface. */
    public static final class Group {
        private final SteeredPort[] members;
        private final long linkRateBps;
        private final LinkShares sent;
        private final LinkShares received;

        /** Creates a group that {@code portCount} ports will join. */
        public Group(int portCount, long linkRateBps) {
            if (portCount < 1 || portCount > FlowSteering.LOOPS_MAX) {
                throw new IllegalArgumentException(
                        "portCount=" + portCount + " is outside 1.." + FlowSteering.LOOPS_MAX);
            }
            this.members = new SteeredPort[portCount];
            this.linkRateBps = RateMath.requireRate("linkRateBps", linkRateBps);
            this.sent = new LinkShares(portCount);
            this.received = new LinkShares(portCount);
        }

        /**
         * {@return the next port of the group, over {@code port}} All join before any of their loops runs.
         *
         * @param pool the port's pool
         */
        public SteeredPort join(NetPort port, FramePool pool, HandOverListener onHandOver, ShareListener onShare) {
            int free = Arrays.asList(members).indexOf(null);
            if (free < 0) {
                throw new IllegalStateException("the group has all its " + members.length + " ports");
            }
            members[free] = new SteeredPort(this, free, port, pool, onHandOver, onShare);
            return members[free];
        }
    }

    private SteeredPort(
            Group group, int index, NetPort port, FramePool pool, HandOverListener onHandOver, ShareListener onShare) {
        super(port);
        this.group = group;
        this.index = index;
        this.pool = pool;
        this.onHandOver = onHandOver;
        this.onShare = onShare;
        this.outgoing = new FrameRing[group.members.length];
        this.isToWake = new boolean[group.members.length];
    }

    /** Sets what the loop sleeps with, which is woken when frames come from another loop. */
    public void setWaiter(Waiter newWaiter) {
        waiter = newWaiter;
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        if (nowNanos - measuredNanos >= LinkShares.INTERVAL_NANOS) {
            share(nowNanos);
        }
        sieve.receiver = node;
        int received = super.pollReceive(sieve, portIndex, limit, nowNanos);
        for (FrameRing ring : incoming) {
            received += receive(ring, node, portIndex, limit, nowNanos);
        }
        if (hasHandedOver) {
            wakeOthers();
        }
        return received;
    }

    private int receive(FrameRing ring, Node node, int portIndex, int limit, long nowNanos) {
        int received = 0;
        while (received < limit && ring.hasNext()) {
            Frame frame = pool.allocate();
            if (frame == null) {
                break;
            }
            ring.readInto(frame);
            // The loop that took it from the device may have read the clock after this one did.
            frame.setStampNanos(Math.min(frame.stampNanos(nowNanos), nowNanos));
            frame.setIngressPort(portIndex);
            receivedBytes += frame.wireBytes();
            node.onFrame(portIndex, frame, nowNanos);
            received++;
        }
        return received;
    }

    /** A copy, so that each frame stays with the pool, and the thread, that it belongs to. */
    private void handOver(Frame frame, int loopIndex, long nowNanos) {
        FrameRing ring = outgoing[loopIndex];
        if (ring == null) {
            ring = open(loopIndex);
        }
        boolean hasRoom = ring.freeCount() > 0;
        if (hasRoom) {
            ring.write(frame, frame.stampNanos(nowNanos));
        }
        onHandOver.onHandOver(hasRoom);
        isToWake[loopIndex] = true;
        hasHandedOver = true;
        frame.release();
    }

    private FrameRing open(int loopIndex) {
        SteeredPort target = group.members[loopIndex];
        FrameRing ring = new FrameRing(SLOTS, target.pool.frameCapacityBytes());
        synchronized (group) {
            target.incoming = FrameRing.with(target.incoming, ring);
        }
        outgoing[loopIndex] = ring;
        return ring;
    }

    private void wakeOthers() {
        hasHandedOver = false;
        for (int i = 0; i < isToWake.length; i++) {
            if (isToWake[i]) {
                isToWake[i] = false;
                Waiter sleeping = group.members[i].waiter;
                if (sleeping != null) {
                    sleeping.wake();
                }
            }
        }
    }

    private void share(long nowNanos) {
        long nanos = nowNanos - measuredNanos;
        measuredNanos = nowNanos;
        group.sent.say(index, usedPpm(sentBytes, nanos), nowNanos);
        group.received.say(index, usedPpm(receivedBytes, nanos), nowNanos);
        sentBytes = 0;
        receivedBytes = 0;
        int sentPpm = group.sent.sharePpm(index, nowNanos);
        int receivedPpm = group.received.sharePpm(index, nowNanos);
        if (sentPpm != sentSharePpm || receivedPpm != receivedSharePpm) {
            sentSharePpm = sentPpm;
            receivedSharePpm = receivedPpm;
            onShare.onShare(sentPpm, receivedPpm, nowNanos);
        }
    }

    private long usedPpm(long bytes, long nanos) {
        double usedBps = (double) bytes * BITS_PER_BYTE * NANOS_PER_SECOND / nanos;
        return (long) Math.min(LinkShares.PPM, usedBps * LinkShares.PPM / group.linkRateBps);
    }

    @Override
    public void transmit(Frame frame) {
        sentBytes += frame.wireBytes();
        super.transmit(frame);
    }

    /** What the port hands its frames to: it keeps those of this loop's connections. */
    private final class Sieve implements Node {
        /** Whose port it is; of the latest poll. Owning thread. */
        private Node receiver;

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            int owner = FlowSteering.loopOf(frame, outgoing.length);
            if (owner == index || owner == FlowSteering.ANY_LOOP) {
                receivedBytes += frame.wireBytes();
                receiver.onFrame(portIndex, frame, nowNanos);
            } else {
                handOver(frame, owner, nowNanos);
            }
        }

        @Override
        public void onDeparted(int portIndex, long ticket, long departedNanos) {
            receiver.onDeparted(portIndex, ticket, departedNanos);
        }

        @Override
        public void onTimeout(long nowNanos) {
            receiver.onTimeout(nowNanos);
        }

        @Override
        public long nextTimeoutNanos() {
            return receiver.nextTimeoutNanos();
        }

        @Override
        public Egress egress(int portIndex) {
            return receiver.egress(portIndex);
        }

        @Override
        public int portCount() {
            return receiver.portCount();
        }

        @Override
        public void onPause(long pauseNanos, long nowNanos) {
            receiver.onPause(pauseNanos, nowNanos);
        }
    }
}
