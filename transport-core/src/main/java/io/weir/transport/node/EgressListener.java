package io.weir.transport.node;

/** Is told which ports of a Node have something to transmit. */
@FunctionalInterface
public interface EgressListener {
    /** Tells nobody. */
    EgressListener NONE = portIndex -> {};

    /** The port may have something to transmit now. The listener may poll its egress at once. */
    void onReady(int portIndex);
}
