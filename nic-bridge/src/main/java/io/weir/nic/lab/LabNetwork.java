package io.weir.nic.lab;

import io.weir.nic.NicException;
import io.weir.nic.net.Capabilities;
import io.weir.nic.net.MacAddress;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.topology.Wiring;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The hosts of a scenario as network namespaces, each with one interface that has the host's addresses, and one
 * namespace for all switches. A veth pair for each link of a host; a link between two switches needs none.
 */
public final class LabNetwork implements AutoCloseable {
    /** What a host's interface is called. */
    public static final String HOST_INTERFACE = "weir0";

    private static final int PREFIX_BITS = 8;
    private static final String SWITCHES = "switches";
    private static final int NAME_CHARACTERS_MAX = 32;
    private static final int INTERFACE_CHARACTERS_MAX = 15;

    private final Wiring wiring;
    private final Lab lab;
    private final List<NetNamespace> hosts = new ArrayList<>();
    private NetNamespace switches;

    private LabNetwork(Wiring wiring, Lab lab) {
        this.wiring = wiring;
        this.lab = lab;
    }

    /**
     * Builds the network.
     *
     * @throws NicException if this machine or user cannot; nothing stays behind
     */
    public static LabNetwork create(Wiring wiring) throws NicException {
        Capabilities.requireForXdp();
        LabNetwork network = new LabNetwork(wiring, Lab.create());
        try {
            network.build();
            return network;
        } catch (NicException | RuntimeException e) {
            network.close();
            throw e;
        }
    }

    private void build() throws NicException {
        for (int host = 0; host < wiring.hostCount(); host++) {
            hosts.add(lab.namespace(namespaceName(wiring.name(host), "host" + host)));
        }
        if (wiring.nodeCount() > wiring.hostCount()) {
            switches = lab.namespace(SWITCHES);
        }
        for (LinkSpec link : wiring.network().links()) {
            connect(wiring.node(link.left()), wiring.node(link.right()), link);
        }
        for (int host = 0; host < wiring.hostCount(); host++) {
            addNeighbours(host);
        }
    }

    /** Tells a host's kernel the Ethernet addresses of all others. */
    public void addNeighbours(int host) throws NicException {
        lab.addNeighbours(hostEnd(host), neighbours(host));
    }

    /** {@return the Ethernet addresses of all other hosts: switches flood nothing, so that nobody can ask for them} */
    private Map<String, Long> neighbours(int host) {
        Map<String, Long> others = new LinkedHashMap<>();
        for (int other = 0; other < wiring.hostCount(); other++) {
            if (other != host) {
                others.put(addressText(other), NetworkNodes.mac(other));
            }
        }
        return others;
    }

    /** {@return the host's own name where that can be a namespace's, else {@code substitute}} */
    private static String namespaceName(String name, String substitute) {
        return fits(name, NAME_CHARACTERS_MAX) && !name.equals(SWITCHES) ? name : substitute;
    }

    private static boolean fits(String name, int charactersMax) {
        return name.length() <= charactersMax && name.matches("[A-Za-z0-9_.-]+");
    }

    private void connect(int left, int right, LinkSpec link) throws NicException {
        if (wiring.isHost(left) || wiring.isHost(right)) {
            LabEnd leftEnd = wiring.isHost(left) ? hostEnd(left) : switchEnd(right);
            LabEnd rightEnd = wiring.isHost(right) ? hostEnd(right) : switchEnd(left);
            lab.link(LabLink.between(leftEnd, rightEnd).withMtuBytes(link.mtuBytes()));
        }
    }

    private LabEnd hostEnd(int host) {
        return new LabEnd(hosts.get(host), HOST_INTERFACE, addressText(host) + "/" + PREFIX_BITS)
                .withMac(NetworkNodes.mac(host));
    }

    private LabEnd switchEnd(int host) {
        return new LabEnd(switches, switchInterface(host));
    }

    /** {@return the interface of the switch's port to a host: called like the host where that is possible} */
    public String switchInterface(int host) {
        String name = wiring.name(host);
        boolean isTaken = name.equals("lo") || name.matches("port\\d+|\\.+");
        return fits(name, INTERFACE_CHARACTERS_MAX) && !isTaken ? name : "port" + host;
    }

    /** {@return a description of a device that needs no hardware: DPDK takes over a host's end of its veth pair} */
    public String device(int host) {
        String others = neighbours(host).entrySet().stream()
                .map(other -> other.getKey() + "@" + MacAddress.text(other.getValue()))
                .collect(Collectors.joining(" "));
        return "device=net_af_packet" + host + ",iface=" + HOST_INTERFACE + ";address=" + addressText(host) + "/"
                + PREFIX_BITS + ";neighbour=" + others + ";eal=--no-huge -m 512";
    }

    /** {@return a host's address, as text} */
    public static String addressText(int host) {
        return address(host).getHostAddress();
    }

    /** {@return a host's address} */
    public static InetAddress address(int host) {
        return NetworkNodes.address(host).toInetAddress();
    }

    /** {@return the namespace of a host} */
    public NetNamespace host(int host) {
        return hosts.get(host);
    }

    /** {@return the namespace of the switches, or null when there are none} */
    public NetNamespace switches() {
        return switches;
    }

    /** Removes namespaces and links. */
    @Override
    public void close() {
        lab.close();
    }
}
