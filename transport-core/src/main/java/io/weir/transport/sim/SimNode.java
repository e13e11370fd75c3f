package io.weir.transport.sim;

import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;

/** A Node in the simulator, with the links that leave it. */
public final class SimNode {
    private final String name;
    private final Node node;
    private final SimPort[] ports;
    private final SimLink[] links;
    private long timeoutNanos = Deadline.NO_DEADLINE;

    SimNode(String name, Node node) {
        this.name = name;
        this.node = node;
        ports = new SimPort[node.portCount()];
        links = new SimLink[node.portCount()];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = new SimPort(this, i);
        }
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

    void setLink(int index, SimLink link) {
        if (links[index] != null) {
            throw new IllegalStateException(ports[index] + " is connected already");
        }
        links[index] = link;
    }

    /** After anything has happened to the Node: starts what may leave, and schedules its next deadline. */
    void service(Simulator simulator, long nowNanos) {
        for (SimLink link : links) {
            if (link != null) {
                link.service(simulator, nowNanos);
            }
        }
        long nextNanos = node.nextTimeoutNanos();
        if (nextNanos != Deadline.NO_DEADLINE && (nextNanos < timeoutNanos || timeoutNanos <= nowNanos)) {
            timeoutNanos = Math.max(nextNanos, nowNanos);
            simulator.schedule(timeoutNanos, Simulator.TIMEOUT, this);
        }
    }

    void releaseAll() {
        for (SimLink link : links) {
            if (link != null) {
                link.releaseAll();
            }
        }
    }
}
