package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.agrona.concurrent.Agent;

/**
 * One thread's work: moves frames and time for its Nodes, and contains no protocol. A cycle reads the clock once, runs
 * what other threads asked for, receives a burst from each port, fires what is due, and transmits while ports have
 * room.
 */
final class NodeAgent implements Agent {
    /** Frames taken from a port in one go: enough to amortize the rings, few enough to keep time fresh. */
    private static final int RECEIVE_BURST_FRAMES = 64;
    /**
     * Room in a full port comes from others, which nobody tells of: so it is looked for this often. A full ring holds
     * more than they take meanwhile.
     */
    private static final long FULL_NANOS = 100_000;

    private final String name;
    private final Node[] nodes;
    private final NetPort[][] ports;
    private final Egress[][] egresses;
    /** The same ports for other threads. Replaced as a whole, with the cycle lock. */
    private volatile NetPort[][] observedPorts;

    private final LongSupplier clock;
    /** Whether the clock shows what a cycle takes; not one whose time is that of its readings. */
    private final boolean isClockRunning;

    private final LoopTasks tasks;
    private final CycleMonitor monitor;
    /** Whether a Node has been told of a pause and not yet that its rings are empty; by its index. Loop thread only. */
    private final boolean[] isBehind;
    /** Whether the latest cycle left a port no room; by the indexes of its Node and the port. With the cycle lock. */
    private final boolean[][] isFull;
    /** Written by the thread that runs a cycle; the loop's own thread looks at it between two. */
    private final AtomicLong cycleNanos = new AtomicLong();

    /** Creates an agent by a clock that stands still during a cycle, or moves only when it is read. */
    NodeAgent(String name, List<NodeBinding> bindings, LongSupplier clock, LoopTasks tasks, CycleMonitor monitor) {
        this(name, bindings, clock, false, tasks, monitor);
    }

    NodeAgent(
            String name,
            List<NodeBinding> bindings,
            LongSupplier clock,
            boolean isClockRunning,
            LoopTasks tasks,
            CycleMonitor monitor) {
        this.isClockRunning = isClockRunning;
        this.name = name;
        this.clock = clock;
        this.tasks = tasks;
        this.monitor = monitor;
        nodes = new Node[bindings.size()];
        ports = new NetPort[nodes.length][];
        egresses = new Egress[nodes.length][];
        isBehind = new boolean[nodes.length];
        isFull = new boolean[nodes.length][];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = bindings.get(i).node();
            setPorts(i, bindings.get(i).ports());
        }
        observedPorts = ports.clone();
    }

    private void setPorts(int nodeIndex, List<NetPort> nodePorts) {
        int count = nodePorts.size();
        ports[nodeIndex] = nodePorts.toArray(new NetPort[0]);
        egresses[nodeIndex] = new Egress[count];
        isFull[nodeIndex] = new boolean[count];
        for (int i = 0; i < count; i++) {
            egresses[nodeIndex][i] = nodes[nodeIndex].egress(i);
        }
        observedPorts = ports.clone();
    }

    /** Drives a Node over other ports from now on; within a cycle, before it receives. */
    void setPorts(Node node, List<NetPort> nodePorts) {
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].equals(node)) {
                setPorts(i, nodePorts);
                return;
            }
        }
        throw new IllegalArgumentException("the loop " + name + " does not drive this Node");
    }

    @Override
    public int doWork() {
        long nowNanos = clock.getAsLong();
        cycleNanos.setRelease(nowNanos);
        long pauseNanos = monitor.onCycle(nowNanos);
        if (pauseNanos > 0) {
            for (int i = 0; i < nodes.length; i++) {
                nodes[i].onPause(pauseNanos, nowNanos);
                isBehind[i] = true;
            }
        }
        int work = tasks.run(nowNanos);
        for (int i = 0; i < nodes.length; i++) {
            work += receive(i, nowNanos);
        }
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].nextTimeoutNanos() <= nowNanos) {
                nodes[i].onTimeout(nowNanos);
                work++;
            }
            work += transmit(i, nowNanos);
        }
        monitor.onWork(work);
        return work;
    }

    private int receive(int nodeIndex, long nowNanos) {
        Node node = nodes[nodeIndex];
        NetPort[] nodePorts = ports[nodeIndex];
        int work = 0;
        int framesMax = 0;
        for (int i = 0; i < nodePorts.length; i++) {
            int frames = nodePorts[i].pollReceive(node, i, RECEIVE_BURST_FRAMES, nowNanos);
            framesMax = Math.max(framesMax, frames);
            work += frames;
        }
        if (isBehind[nodeIndex] && framesMax < RECEIVE_BURST_FRAMES) {
            isBehind[nodeIndex] = false;
            node.onCaughtUp(nowNanos);
        }
        return work;
    }

    /** Tells a Node when its frames were handed over: that takes its time, and so did the cycle before it. */
    private int transmit(int nodeIndex, long nowNanos) {
        int work = 0;
        for (int i = 0; i < ports[nodeIndex].length; i++) {
            int room = ports[nodeIndex][i].transmitCapacity();
            int count = transmit(egresses[nodeIndex][i], ports[nodeIndex][i], room, nowNanos);
            isFull[nodeIndex][i] = count == room;
            if (count > 0 && isClockRunning) {
                nodes[nodeIndex].onFlushed(i, clock.getAsLong());
            }
            work += count;
        }
        return work;
    }

    private static int transmit(Egress egress, NetPort port, int room, long nowNanos) {
        int work = 0;
        while (work < room) {
            Frame frame = egress.pollTransmit(nowNanos);
            if (frame == null) {
                break;
            }
            port.transmit(frame);
            work++;
        }
        port.flush();
        return work;
    }

    /**
     * {@return the next time at which there is something to do, if nothing comes in}
     *
     * @param cycleLock the loop's, which the calling thread has: to ask reads and changes what Nodes and ports own
     */
    long nextDeadlineNanos(CycleLock cycleLock) {
        assert cycleLock.isMine() : "asked by a thread that does not run the loop, while another one may";
        return deadlineNanos();
    }

    private long deadlineNanos() {
        long next = Deadline.NO_DEADLINE;
        for (int i = 0; i < nodes.length; i++) {
            next = Math.min(next, nodes[i].nextTimeoutNanos());
            for (int j = 0; j < ports[i].length; j++) {
                long transmitNanos = egresses[i][j].nextTransmitNanos(nowNanos());
                next = Math.min(next, isFull[i][j] ? Math.max(transmitNanos, nowNanos() + FULL_NANOS) : transmitNanos);
                next = Math.min(next, ports[i][j].nextFlushNanos());
            }
        }
        return next;
    }

    /** {@return why a port can move no more frames, or null; any thread may ask} */
    String portFailure() {
        for (NetPort[] nodePorts : observedPorts) {
            for (NetPort port : nodePorts) {
                String failure = port.failure();
                if (failure != null) {
                    return port.info().name() + ": " + failure;
                }
            }
        }
        return null;
    }

    long nowNanos() {
        return cycleNanos.getOpaque();
    }

    @Override
    public String roleName() {
        return name;
    }
}
