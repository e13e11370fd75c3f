package io.weir.transport.scenario.run;

import io.weir.transport.host.HostStack;
import io.weir.transport.host.QueuedHost;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.wire.Path;
import java.util.List;

/**
 * A network that stands, in virtual time or on real ports. Everything runs on the one thread that owns all its Nodes.
 * Hosts are numbered as the scenario lists them.
 */
public interface World {
    /** {@return host {@code host}} */
    HostStack stack(int host);

    /** {@return the way from one host to another} */
    Path path(int from, int to, int localPort, int remotePort);

    /** {@return the time since the world began} */
    long nowNanos();

    /**
     * Does something on behalf of a host's application at {@code atNanos}, or as soon after as the world can; the host
     * knows the time then. Allocates.
     */
    void at(long atNanos, int host, Runnable action);

    /**
     * Does something on behalf of a host's application now, or, where the host's loop has lost its core, as soon as
     * that runs: an application asks its loop.
     */
    default void whenRunning(int host, Runnable action) {
        action.run();
    }

    /** {@return the result of each Node that the scenario lets pause} */
    default List<PauseResult> pauses() {
        return List.of();
    }

    /** {@return the queue in front of the link of host {@code host}, or null where flows take turns at it} */
    default QueuedHost queue(int host) {
        return null;
    }

    /** {@return the ports of all switches, switch by switch} */
    List<Port> ports();

    /**
     * A port of a switch.
     *
     * @param node the switch's name
     * @param peer the name of the Node at the other end of the link
     * @param port the port itself
     */
    record Port(String node, String peer, SwitchPort port) {}
}
