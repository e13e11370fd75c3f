package io.weir.transport.scenario;

import java.util.List;

/**
 * Hosts and switches with the links between them. A Node is known by its name; hosts have one link each.
 *
 * @param hosts the hosts, in the order of their addresses
 * @param switches the switches
 * @param links the links, in an order that is the same for every switch: equal paths are numbered by it
 * @param multipath how a switch chooses among equal paths
 */
public record Network(List<HostSpec> hosts, List<SwitchSpec> switches, List<LinkSpec> links, Multipath multipath) {
    /** How a switch chooses among equal paths. */
    public enum Multipath {
        /** By a hash that is the same for both directions of a flow (ExpressPass section 3.1). */
        ECMP,
        /** Frame by frame in turn. */
        SPRAY
    }

    /** Copies the lists. That it makes sense as a whole is checked when routes are computed. */
    public Network {
        hosts = List.copyOf(hosts);
        switches = List.copyOf(switches);
        links = List.copyOf(links);
    }

    /** {@return the same network with switches that choose like this} */
    public Network withMultipath(Multipath newMultipath) {
        return new Network(hosts, switches, links, newMultipath);
    }

    /** {@return the same network with switches that all pause like this} */
    public Network withSwitchPauses(Pauses pauses) {
        List<SwitchSpec> pausing = switches.stream()
                .map(node -> new SwitchSpec(node.name(), pauses))
                .toList();
        return new Network(hosts, pausing, links, multipath);
    }
}
