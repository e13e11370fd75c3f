package io.weir.transport.switching;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.EgressListener;
import io.weir.transport.node.Node;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.PassingFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A switch of N ports: learns where addresses are, forwards each frame to the port that leads to its destination, and
 * floods what it does not know. Forwarding copies nothing; flooding copies. No state per flow.
 */
public final class SwitchPipeline implements Node {
    /** What is shorter is made up for and not counted. */
    private static final long PAUSE_NANOS_MIN = 100_000;

    /** Replaced as a whole, between two cycles. */
    private SwitchPort[] ports;

    private final SeededRandom random;
    /** Where copies come from. Replaced between two cycles. */
    private FramePool pool;
    /** Where addresses are, by the numbers that the ports have now; replaced with them. */
    private ForwardingTable table;

    private final EcmpHash hash;
    private final Counters counters = new Counters();
    private final PassingFrame passing = new PassingFrame();
    /** Whether a port plays its link or holds frames, so that time-outs matter; set with the ports. */
    private boolean isAnyDelaying;
    /** Whether addresses are learned from frames; cleared once. */
    private boolean isLearning = true;
    /** Whether frames to unknown addresses go to every port; cleared once. */
    private boolean isFlooding = true;
    /** Whether frames take the paths to their destination in turn; set once. */
    private boolean isSpraying;
    /** Is told of each frame that waits at a port; never null. */
    private EgressListener listener = EgressListener.NONE;

    /** Creates a switch; marking and multipath choices follow from {@code seed}. */
    public SwitchPipeline(List<SwitchPortConfig> portConfigs, FramePool pool, long seed) {
        this.random = new SeededRandom(seed);
        this.pool = pool;
        this.ports = new SwitchPort[portConfigs.size()];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = new SwitchPort(portConfigs.get(i), ports.length, random.split());
        }
        this.isAnyDelaying = isAnyDelaying(ports);
        this.table = new ForwardingTable(ports.length);
        // The same everywhere: its own seed would let two switches choose differently for the same flow.
        this.hash = new EcmpHash(0);
    }

    private static boolean isAnyDelaying(SwitchPort[] ports) {
        boolean isAny = false;
        for (SwitchPort port : ports) {
            isAny |= port.isEmulated() || port.isHolding();
        }
        return isAny;
    }

    /**
     * Gives the switch other ports, or its ports another configuration, while it forwards: between two calls of its
     * driver, which has to ask for {@link #egress} again. A port that stays keeps its counters, and all that is queued
     * but credits; what it has learned stays known. Routes are to be added again.
     *
     * @param configs the ports from now on
     * @param before which port each of them is already, or -1 for one that is new
     * @throws io.weir.transport.node.ConfigException if a port cannot change so; then nothing has changed
     */
    public void setPorts(List<SwitchPortConfig> configs, int[] before, long nowNanos) {
        requirePossible(configs, before);
        SwitchPort[] next = new SwitchPort[before.length];
        int[] newIndexes = new int[ports.length];
        Arrays.fill(newIndexes, -1);
        List<Frame> released = new ArrayList<>();
        for (int i = 0; i < next.length; i++) {
            SwitchPortConfig config = configs.get(i);
            if (before[i] < 0) {
                next[i] = new SwitchPort(config, next.length, random.split());
                continue;
            }
            newIndexes[before[i]] = i;
            SwitchPort port = ports[before[i]];
            if (!port.config().equals(config)) {
                for (Frame frame = port.pollHeldEarly(); frame != null; frame = port.pollHeldEarly()) {
                    frame.setIngressPort(i);
                    released.add(frame);
                }
                port = port.withConfig(config, random.split());
            }
            next[i] = port;
        }
        for (int i = 0; i < ports.length; i++) {
            if (newIndexes[i] < 0) {
                ports[i].releaseAll();
            }
        }
        for (int i = 0; i < next.length; i++) {
            if (before[i] >= 0) {
                next[i].renumber(newIndexes, next.length);
            }
        }
        ports = next;
        isAnyDelaying = isAnyDelaying(next);
        table = table.withPorts(next.length, newIndexes);
        released.forEach(frame -> forward(frame, nowNanos));
    }

    /**
     * Takes copies of frames from another pool from now on. Frames that are queued stay with the one that they are of.
     */
    public void setPool(FramePool next) {
        pool = next;
    }

    /** Refuses what {@link #setPorts} refuses. */
    public void requirePossible(List<SwitchPortConfig> configs, int[] before) {
        for (int i = 0; i < before.length; i++) {
            if (before[i] >= 0) {
                ports[before[i]].requirePossible(configs.get(i));
            }
        }
    }

    /** Says that {@code portIndexes}, in an order that is the same at all switches, lead to {@code mac}. */
    public void addRoute(long mac, int... portIndexes) {
        addRouteOfLayer(0, mac, portIndexes);
    }

    /**
     * Says that {@code portIndexes}, in an order that is the same at all switches, lead to {@code mac}, in a network of
     * several layers.
     *
     * @param layer the layer of those ports' links, the same at both their ends
     */
    public void addRouteOfLayer(int layer, long mac, int... portIndexes) {
        table.addFixed(mac, new Paths(layer, portIndexes));
    }

    /**
     * Sends the frames to a destination over all its paths in turn, instead of those of a flow over one. Frames may
     * overtake each other then, and credits and data take different links.
     */
    public void spray() {
        isSpraying = true;
    }

    /** Says that the routes are complete: nothing is learned from frames from here on. */
    public void stopLearning() {
        isLearning = false;
    }

    /**
     * Drops what has no route instead of flooding it: in a network with several paths, floods would go round without
     * end.
     */
    public void stopFlooding() {
        isFlooding = false;
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        counters.increment(CounterId.FRAMES_RECEIVED);
        ports[portIndex].countReceived(frame);
        if (frame.length() < Ethernet.HEADER_BYTES) {
            drop(frame, CounterId.DROP_MALFORMED);
            return;
        }
        frame.setIngressPort(portIndex);
        if (ports[portIndex].isEmulated()) {
            ports[portIndex].addArriving(frame, nowNanos);
        } else {
            admit(frame, nowNanos);
        }
    }

    private void admit(Frame frame, long nowNanos) {
        if (!ports[frame.ingressPort()].hold(frame, nowNanos)) {
            forward(frame, nowNanos);
        }
    }

    private void forward(Frame frame, long nowNanos) {
        int ingress = frame.ingressPort();
        if (isLearning) {
            learn(Ethernet.source(frame.buffer(), frame.offset()), ingress);
        }
        long destination = Ethernet.destination(frame.buffer(), frame.offset());
        Paths candidates = Ethernet.isGroup(destination) ? null : table.pathsTo(destination);
        if (candidates == null) {
            floodOrDrop(frame, ingress, nowNanos);
            return;
        }
        int egress = isSpraying
                ? candidates.nextInTurn()
                : candidates.port(hash.choose(frame.buffer(), frame.offset(), frame.length(), candidates));
        if (egress == ingress) {
            drop(frame, CounterId.DROP_SAME_PORT);
            return;
        }
        enqueue(egress, frame, nowNanos);
    }

    private void learn(long source, int ingress) {
        if (!Ethernet.isGroup(source)) {
            table.learn(source, ingress);
        }
    }

    private void enqueue(int portIndex, Frame frame, long nowNanos) {
        // Either port meters the credits of one of the two directions, and the ends learn of both by one frame.
        if (ports[portIndex].isMetering() || ports[frame.ingressPort()].isMetering()) {
            passing.lookAt(frame).requireSingleFrames();
        }
        ports[portIndex].enqueue(frame, ports[frame.ingressPort()], nowNanos);
        listener.onReady(portIndex);
    }

    private void floodOrDrop(Frame frame, int ingress, long nowNanos) {
        if (isFlooding) {
            if (ports[ingress].admitsFlood(frame, nowNanos)) {
                flood(frame, ingress, nowNanos);
            }
        } else {
            drop(frame, CounterId.DROP_NO_ROUTE);
        }
    }

    private void flood(Frame frame, int ingress, long nowNanos) {
        counters.increment(CounterId.FRAMES_FLOODED);
        int last = ingress == ports.length - 1 ? ports.length - 2 : ports.length - 1;
        for (int i = 0; i < last; i++) {
            Frame copy = i == ingress ? null : copyOf(frame);
            if (copy != null) {
                enqueue(i, copy, nowNanos);
            }
        }
        if (last < 0) {
            drop(frame, CounterId.DROP_NO_ROUTE);
        } else {
            enqueue(last, frame, nowNanos);
        }
    }

    private Frame copyOf(Frame frame) {
        Frame copy = pool.allocate();
        if (copy == null) {
            counters.increment(CounterId.DROP_NO_FRAME);
            return null;
        }
        copy.setExtent(frame.offset(), frame.length());
        copy.setIngressPort(frame.ingressPort());
        copy.setElidedBytes(frame.elidedBytes());
        copy.buffer().putBytes(frame.offset(), frame.buffer(), frame.offset(), frame.length());
        return copy;
    }

    private void drop(Frame frame, CounterId reason) {
        counters.increment(reason);
        frame.release();
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (!isAnyDelaying) {
            return;
        }
        for (int i = 0; i < ports.length; i++) {
            SwitchPort port = ports[i];
            // The port may have had another number when the frame came.
            for (Frame frame = port.pollArrived(nowNanos); frame != null; frame = port.pollArrived(nowNanos)) {
                frame.setIngressPort(i);
                admit(frame, nowNanos);
            }
            for (Frame frame = port.pollReleased(nowNanos); frame != null; frame = port.pollReleased(nowNanos)) {
                frame.setIngressPort(i);
                forward(frame, nowNanos);
            }
        }
    }

    @Override
    public long nextTimeoutNanos() {
        long next = Deadline.NO_DEADLINE;
        if (isAnyDelaying) {
            for (SwitchPort port : ports) {
                next = Math.min(next, port.nextIngressNanos());
            }
        }
        return next;
    }

    @Override
    public Egress egress(int portIndex) {
        return ports[portIndex];
    }

    @Override
    public int portCount() {
        return ports.length;
    }

    /** Its ports make up for it as far as their budgets reach, and admit credits for what their links can send. */
    @Override
    public void onPause(long pauseNanos, long nowNanos) {
        if (pauseNanos >= PAUSE_NANOS_MIN) {
            counters.increment(CounterId.PAUSES);
        }
        for (SwitchPort port : ports) {
            port.onPause(pauseNanos, nowNanos);
        }
    }

    @Override
    public boolean setEgressListener(EgressListener newListener) {
        listener = newListener;
        return true;
    }

    /** {@return port {@code portIndex}, for its counters and queues} */
    public SwitchPort port(int portIndex) {
        return ports[portIndex];
    }

    /** {@return what the switch counts beyond its ports} */
    public Counters counters() {
        return counters;
    }

    /** {@return where copies come from} */
    public FramePool pool() {
        return pool;
    }

    /** {@return frames that it holds: queued or delayed} */
    public int framesHeld() {
        int count = 0;
        for (SwitchPort port : ports) {
            count += port.framesHeld();
        }
        return count;
    }

    /** Returns every frame to its pool. */
    public void close() {
        for (SwitchPort port : ports) {
            port.releaseAll();
        }
    }
}
