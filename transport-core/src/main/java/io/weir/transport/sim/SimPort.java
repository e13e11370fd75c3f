package io.weir.transport.sim;

import io.weir.transport.node.Egress;

/** One port of a Node in the simulator. */
public final class SimPort {
    private final SimNode node;
    private final int index;

    SimPort(SimNode node, int index) {
        this.node = node;
        this.index = index;
    }

    /** {@return the Node that the port belongs to} */
    public SimNode node() {
        return node;
    }

    /** {@return the port's number at its Node} */
    public int index() {
        return index;
    }

    Egress egress() {
        return node.node().egress(index);
    }

    @Override
    public String toString() {
        return node.name() + ":" + index;
    }
}
