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
    /**
     * Nanoseconds of a slot of the event wheel, in bits: in a small network events are tens of nanoseconds apart ...
     */
    private static final int SLOT_BITS = 6;
    /** ... and the more links there are, the closer. */
    private static final int LINKS_PER_HALVING = 64;

    /** All that is still to happen; replaced once, by start(), when the number of links is known. */
    private EventWheel events = new EventWheel(SLOT_BITS);

    private final List<SimNode> nodes = new ArrayList<>();
    /** Told of every departure; never null. */
    private SimTrace trace = SimTrace.NONE;
    /** Virtual time: that of the event at hand; never falls. */
    private long nowNanos;
    // Events and frames that have started on a link, since the beginning; linkCount numbers the links in the order of
    // their making.
    private long eventCount;
    private long frameCount;
    private int linkCount;

    /** {@return the Node, now part of the network} */
    public SimNode add(String name, Node node) {
        SimNode simNode = new SimNode(this, name, node);
        nodes.add(simNode);
        return simNode;
    }

    /** Connects two ports in both directions. */
    public void connect(SimPort a, SimPort b, long rateBps, long propagationNanos) {
        a.node().setLink(a.index(), new SimLink(this, linkCount++, a, b, rateBps, propagationNanos));
        b.node().setLink(b.index(), new SimLink(this, linkCount++, b, a, rateBps, propagationNanos));
    }

    /** Runs an action of the experiment at {@code atNanos}, on behalf of a Node: its ports are looked at afterwards. */
    public void at(long atNanos, SimNode node, Runnable action) {
        schedule(new SimEvent(SimEvent.ACTION, new Action(node, action)), Math.max(atNanos, nowNanos));
    }

    /** Watches every frame that starts on a link. */
    public void setTrace(SimTrace newTrace) {
        trace = newTrace;
    }

    /** Lets time pass up to and with {@code untilNanos}. */
    public void run(long untilNanos) {
        start();
        while (step(untilNanos)) {
            // All that happens, happens in the step.
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    /** Looks at every Node once: what was done to it from outside the simulation, nobody has told. */
    public void start() {
        int slotBits =
                Math.max(0, SLOT_BITS - (Integer.SIZE - Integer.numberOfLeadingZeros(linkCount / LINKS_PER_HALVING)));
        if (slotBits != events.slotBits()) {
            events = events.moved(slotBits);
        }
        // By index: an iterator would be garbage wherever the compiler does not see through it.
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).start(nowNanos);
        }
    }

    /**
     * Lets the next event happen, if it is due by {@code untilNanos}; time passes up to it. For experiments that look
     * at the network after each event: after {@link #start}.
     *
     * @return whether there was one
     */
    public boolean step(long untilNanos) {
        SimEvent event = events.poll(untilNanos);
        if (event == null) {
            return false;
        }
        nowNanos = event.atNanos;
        eventCount++;
        dispatch(event);
        return true;
    }

    private void dispatch(SimEvent event) {
        switch (event.kind) {
            case SimEvent.ARRIVAL -> {
                SimLink link = (SimLink) event.subject;
                arrive(link.to(), link.arrive());
            }
            case SimEvent.LATE_ARRIVAL -> {
                SimLink link = (SimLink) event.subject;
                arrive(link.to(), link.arriveLate(nowNanos));
            }
            case SimEvent.LINK_WAKE -> {
                SimLink link = (SimLink) event.subject;
                link.service(nowNanos);
                link.from().node().scheduleTimeout(nowNanos);
            }
            case SimEvent.TIMEOUT -> {
                SimNode node = (SimNode) event.subject;
                node.node().onTimeout(nowNanos);
                node.service(nowNanos);
            }
            default -> {
                Action action = (Action) event.subject;
                action.work().run();
                action.node().service(nowNanos);
            }
        }
    }

    private void arrive(SimPort to, Frame frame) {
        SimNode node = to.node();
        node.onFrame(to.index(), frame, nowNanos);
        node.service(nowNanos);
    }

    void schedule(SimEvent event, long atNanos) {
        events.add(event, atNanos);
    }

    void cancel(SimEvent event) {
        if (event.isScheduled()) {
            events.remove(event);
        }
    }

    void trace(SimLink link, Frame frame, long atNanos) {
        frameCount++;
        if (trace != SimTrace.NONE) {
            trace.onDeparture(link, frame, atNanos);
        }
    }

    /** {@return the virtual time} */
    public long nowNanos() {
        return nowNanos;
    }

    /** {@return events so far} */
    public long eventCount() {
        return eventCount;
    }

    /** {@return frames that have started on a link: packet-hops} */
    public long frameCount() {
        return frameCount;
    }

    /** {@return frames on all links: with those that Nodes hold, all that are not in the pool} */
    public int framesInFlight() {
        int count = 0;
        for (int i = 0; i < nodes.size(); i++) {
            count += nodes.get(i).framesInFlight();
        }
        return count;
    }

    /** Returns the frames that are on links to their pool: the experiment is over. */
    public void close() {
        nodes.forEach(SimNode::releaseAll);
    }

    private record Action(SimNode node, Runnable work) {}
}
