package io.weir.transport.scenario.topology;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.SwitchSpec;
import java.util.ArrayList;
import java.util.List;

/** Collects the Nodes and links of a generated network: hosts are h1, h2 ... in the order of their coming. */
final class NetworkBuilder {
    private static final int NODES_MAX = 100_000;

    private final HostSpec hostTemplate;
    private final List<HostSpec> hosts = new ArrayList<>();
    private final List<SwitchSpec> switches = new ArrayList<>();
    private final List<LinkSpec> links = new ArrayList<>();

    NetworkBuilder(HostSpec hostTemplate) {
        this.hostTemplate = hostTemplate;
    }

    String addSwitch(String name) {
        switches.add(new SwitchSpec(name));
        return name;
    }

    void addHost(String switchName, LinkTemplate link) {
        String name = "h" + (hosts.size() + 1);
        hosts.add(hostTemplate.withName(name));
        links.add(link.between(name, switchName));
    }

    void connect(String lower, String upper, LinkTemplate link) {
        links.add(link.between(lower, upper));
    }

    Network build() {
        return new Network(hosts, switches, links, Network.Multipath.ECMP);
    }

    static void require(String name, long value, long min) {
        if (value < min || value > NODES_MAX) {
            throw new ConfigException(name + "=" + value + " is outside " + min + ".." + NODES_MAX);
        }
    }
}
