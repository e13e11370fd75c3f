package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;

/** A Node in the simulator, with the links that leave it. */
public final class SimNode {
    private final Simulator simulator;
    private final String name;
    private final Node node;
    private final SimPort[] ports;
    private final SimLink[] links;
    private final SimEvent timeout = new SimEvent(SimEvent.TIMEOUT, this);
    private final boolean saysWhatIsReady;
    private ReceiveDelay delay = ReceiveDelay.NONE;
    /** Null where stamps are exact. */
    private StampError stampError;

    SimNode(Simulator simulator, String name, Node node) {
        this.simulator = simulator;
        this.name = name;
        this.node = node;
        ports = new SimPort[node.portCount()];
        links = new SimLink[node.portCount()];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = new SimPort(this, i);
        }
        saysWhatIsReady = node.setEgressListener(this::serviceLink);
    }

    /** {@return the name in traces} */
    public String name() {
        return name;
    }

    /** {@return the Node itself} */
    public Node node() {
        return node;
    }

    /** {@return port {@code index}} */
    public SimPort port(int index) {
        return ports[index];
    }

    /** {@return the link that leaves by port {@code index}, or null} */
    public SimLink link(int index) {
        return links[index];
    }

    /** Sets how long the Node takes to see a frame that has arrived. */
    public void setReceiveDelay(ReceiveDelay newDelay) {
        delay = newDelay;
    }

    /** Sets how far the Node's ports are wrong about when frames come. */
    public void setStampError(StampError newError) {
        stampError = newError;
    }

    void onFrame(int portIndex, Frame frame, long nowNanos) {
        if (stampError != null) {
            frame.setStampNanos(nowNanos + stampError.nextNanos());
        }
        node.onFrame(portIndex, frame, nowNanos);
    }

    long drawDelayNanos() {
        return delay == ReceiveDelay.NONE ? 0 : delay.nextNanos();
    }

    void setLink(int index, SimLink link) {
        if (links[index] != null) {
            throw new IllegalStateException(ports[index] + " is connected already");
        }
        links[index] = link;
    }

    private void serviceLink(int portIndex) {
        SimLink link = links[portIndex];
        if (link != null) {
            link.service(simulator.nowNanos());
        }
    }

    /** Looks at everything once: what was done to the Node from outside the simulation, nobody has told. */
    void start(long nowNanos) {
        for (int i = 0; i < links.length; i++) {
            serviceLink(i);
        }
        service(nowNanos);
    }

    /** After anything has happened to the Node: starts what may leave, and schedules its next deadline. */
    void service(long nowNanos) {
        if (node.nextTimeoutNanos() <= nowNanos) {
            // What became due by this very event comes before what may leave, as where an agent drives the Node.
            node.onTimeout(nowNanos);
        }
        if (!saysWhatIsReady) {
            for (int i = 0; i < links.length; i++) {
                serviceLink(i);
            }
        }
        scheduleTimeout(nowNanos);
    }

    /** Schedules the Node's next deadline: a frame that has just left may have set one. */
    void scheduleTimeout(long nowNanos) {
        long nextNanos = node.nextTimeoutNanos();
        if (timeout.isScheduled()) {
            if (timeout.atNanos == nextNanos) {
                return;
            }
            simulator.cancel(timeout);
        }
        if (nextNanos != Deadline.NO_DEADLINE) {
            simulator.schedule(timeout, Math.max(nextNanos, nowNanos));
        }
    }

    int framesInFlight() {
        int count = 0;
        for (SimLink link : links) {
            count += link == null ? 0 : link.framesInFlight();
        }
        return count;
    }

    void releaseAll() {
        for (SimLink link : links) {
            if (link != null) {
                link.releaseAll();
            }
        }
    }
}
