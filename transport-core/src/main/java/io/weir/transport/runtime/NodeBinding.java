package io.weir.transport.runtime;

import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import java.util.List;

/**
 * A Node and the real ports behind its own: port i of the Node is {@code ports.get(i)}.
 *
 * @param node the Node
 * @param ports as many ports as the Node has
 */
public record NodeBinding(Node node, List<NetPort> ports) {
    /** Validates that every port of the Node has one behind it. */
    public NodeBinding {
        ports = List.copyOf(ports);
        if (ports.size() != node.portCount()) {
            throw new IllegalArgumentException(
                    "the node has " + node.portCount() + " ports, and " + ports.size() + " were given");
        }
    }
}
