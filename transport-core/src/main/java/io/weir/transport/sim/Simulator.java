package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Node;
import java.util.ArrayList;
import java.util.List;

/**
 * Drives Nodes in virtual time: a driver without protocol. Frames of all Nodes come from one pool, so that a link hands
 * over ownership and copies nothing.
 *
 * <p>Single-threaded. Equal times happen in the order in which they were scheduled.
 */
public final class Simulator {
    static final int ARRIVAL = 0;
    static final int LINK_WAKE = 1;
    static final int TIMEOUT = 2;
    static final int ACTION = 3;

    private final EventHeap events = new EventHeap();
    private final List<SimNode> nodes = new ArrayList<>();
    private SimTrace trace = SimTrace.NONE;
    private long nowNanos;
    private long eventCount;

    /** {@return the Node, now part of the network} */
    public SimNode add(String name, Node node) {
        SimNode simNode = new SimNode(name, node);
        nodes.add(simNode);
        return simNode;
    }

    /** Connects two ports in both directions. */
    public void connect(SimPort a, SimPort b, long rateBps, long propagationNanos) {
        a.node().setLink(a.index(), new SimLink(a, b, rateBps, propagationNanos));
        b.node().setLink(b.index(), new SimLink(b, a, rateBps, propagationNanos));
    }

    /** Runs an action of the experiment at {@code atNanos}, on behalf of a Node: its ports are looked at afterwards. */
    public void at(long atNanos, SimNode node, Runnable action) {
        events.add(Math.max(atNanos, nowNanos), ACTION, new Action(node, action));
    }

    /** Watches every frame that starts on a link. */
    public void setTrace(SimTrace newTrace) {
        trace = newTrace;
    }

    /** Lets time pass up to and with {@code untilNanos}. */
    public void run(long untilNanos) {
        // By index: an iterator would be garbage wherever the compiler does not see through it.
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).service(this, nowNanos);
        }
        while (events.poll(untilNanos)) {
            nowNanos = events.time();
            eventCount++;
            dispatch(events.kind(), events.subject());
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    private void dispatch(int kind, Object subject) {
        switch (kind) {
            case ARRIVAL -> {
                SimLink link = (SimLink) subject;
                SimPort to = link.to();
                to.node().node().onFrame(to.index(), link.arrive(), nowNanos);
                to.node().service(this, nowNanos);
            }
            case LINK_WAKE -> ((SimLink) subject).service(this, nowNanos);
            case TIMEOUT -> {
                SimNode node = (SimNode) subject;
                node.node().onTimeout(nowNanos);
                node.service(this, nowNanos);
            }
            default -> {
                Action action = (Action) subject;
                action.work().run();
                action.node().service(this, nowNanos);
            }
        }
    }

    void schedule(long atNanos, int kind, Object subject) {
        events.add(atNanos, kind, subject);
    }

    void trace(SimLink link, Frame frame, long atNanos) {
        trace.onDeparture(link, frame, atNanos);
    }

    /** {@return the virtual time} */
    public long nowNanos() {
        return nowNanos;
    }

    /** {@return events so far} */
    public long eventCount() {
        return eventCount;
    }

    /** Returns the frames that are on links to their pool: the experiment is over. */
    public void close() {
        nodes.forEach(SimNode::releaseAll);
    }

    private record Action(SimNode node, Runnable work) {}
}
