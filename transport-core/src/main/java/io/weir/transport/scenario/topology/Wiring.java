package io.weir.transport.scenario.topology;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.SwitchSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is connected to whom. Nodes have numbers: hosts first, in the network's order, then switches. The ports of a Node
 * are numbered by the order of its links.
 */
public final class Wiring {
    private final Network network;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final List<List<Port>> ports = new ArrayList<>();

    /**
     * A port of a Node.
     *
     * @param link the number of its link
     * @param isLeft whether the Node is the link's left one
     * @param peer the Node at the other end
     * @param peerPort its port there
     */
    public record Port(int link, boolean isLeft, int peer, int peerPort) {}

    /** Looks up every name, and refuses a network in which a link leads nowhere or a host has no link, or several. */
    public Wiring(Network network) {
        this.network = network;
        if (network.hosts().isEmpty()) {
            throw new ConfigException("the network has no hosts; add at least one");
        }
        network.hosts().forEach(host -> number(host.name()));
        network.switches().forEach(node -> number(node.name()));
        for (int i = 0; i < network.links().size(); i++) {
            connect(i, network.links().get(i));
        }
        for (int i = 0; i < hostCount(); i++) {
            int links = ports.get(i).size();
            if (links != 1) {
                throw new ConfigException("host '" + name(i) + "' has " + links + " links; a host has exactly 1"
                        + (links == 0 ? ": add one to a switch or to another host" : ": put a switch between"));
            }
        }
    }

    private void number(String name) {
        if (name.isEmpty()) {
            throw new ConfigException("a host or switch has an empty name; give it one");
        }
        if (numbers.put(name, numbers.size()) != null) {
            throw new ConfigException("there are two hosts or switches called '" + name + "'; rename one");
        }
        ports.add(new ArrayList<>());
    }

    private void connect(int index, LinkSpec link) {
        int left = node(link.left());
        int right = node(link.right());
        if (left == right) {
            throw new ConfigException("a link leads from '" + link.left() + "' to itself; remove it");
        }
        List<Port> leftPorts = ports.get(left);
        List<Port> rightPorts = ports.get(right);
        int leftIndex = leftPorts.size();
        leftPorts.add(new Port(index, true, right, rightPorts.size()));
        rightPorts.add(new Port(index, false, left, leftIndex));
    }

    /** {@return the number of the Node called {@code name}} */
    public int node(String name) {
        Integer number = numbers.get(name);
        if (number == null) {
            throw new ConfigException("there is no host or switch called '" + name + "'; the network has "
                    + String.join(", ", numbers.keySet().stream().limit(8).toList())
                    + (numbers.size() > 8 ? " and " + (numbers.size() - 8) + " more" : ""));
        }
        return number;
    }

    /** {@return the number of the host called {@code name}} */
    public int host(String name) {
        int number = node(name);
        if (number >= hostCount()) {
            throw new ConfigException("'" + name + "' is a switch; flows and pauses need a host");
        }
        return number;
    }

    /** {@return the ports of a Node} */
    public List<Port> ports(int node) {
        return ports.get(node);
    }

    /** {@return the name of a Node} */
    public String name(int node) {
        return isHost(node)
                ? network.hosts().get(node).name()
                : network.switches().get(node - hostCount()).name();
    }

    /** {@return whether a Node is a host} */
    public boolean isHost(int node) {
        return node < hostCount();
    }

    /** {@return how many hosts there are} */
    public int hostCount() {
        return network.hosts().size();
    }

    /** {@return how many hosts and switches there are} */
    public int nodeCount() {
        return ports.size();
    }

    /** {@return the switch of this number} */
    public SwitchSpec switchSpec(int node) {
        return network.switches().get(node - hostCount());
    }

    /** {@return the link of a host} */
    public LinkSpec hostLink(int host) {
        return link(ports.get(host).get(0));
    }

    /** {@return the link of a port} */
    public LinkSpec link(Port port) {
        return network.links().get(port.link());
    }

    /** {@return the link between two Nodes, by their names in either order} */
    public int linkBetween(String left, String right) {
        int from = node(left);
        int to = node(right);
        for (Port port : ports.get(from)) {
            if (port.peer() == to) {
                return port.link();
            }
        }
        throw new ConfigException("there is no link between '" + left + "' and '" + right + "'");
    }

    /** {@return the network} */
    public Network network() {
        return network;
    }

    /**
     * Shows every port by which frames leave one of two Nodes for the other, in this direction; there may be several
     * links.
     */
    public void forEachPort(String left, String right, Fault.Direction direction, PortVisitor visitor) {
        // Fails for Nodes that have none.
        linkBetween(left, right);
        if (direction != Fault.Direction.RIGHT_TO_LEFT) {
            forEachPort(node(left), node(right), visitor);
        }
        if (direction != Fault.Direction.LEFT_TO_RIGHT) {
            forEachPort(node(right), node(left), visitor);
        }
    }

    private void forEachPort(int from, int to, PortVisitor visitor) {
        List<Port> ports = ports(from);
        for (int i = 0; i < ports.size(); i++) {
            if (ports.get(i).peer() == to) {
                visitor.onPort(from, i);
            }
        }
    }

    /** Sees ports. */
    @FunctionalInterface
    public interface PortVisitor {
        /** Port number {@code portIndex} of Node number {@code node}. */
        void onPort(int node, int portIndex);
    }
}
