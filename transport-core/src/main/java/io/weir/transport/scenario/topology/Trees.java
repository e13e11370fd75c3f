package io.weir.transport.scenario.topology;

import static io.weir.transport.scenario.topology.NetworkBuilder.require;

import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;

/**
 * Networks of layers with equal paths. Links come in the order of their lower Node, then of their upper one, so that a
 * switch numbers its next hops as every other switch of its layer does.
 */
public final class Trees {
    private Trees() {}

    /**
     * {@return switches leaf1 to leafN, each with a link to each of spine1 to spineM, and hosts at the leaves: h1 to hK
     * at leaf1, h(K+1) to h(2K) at leaf2 ...}
     */
    public static Network leafSpine(
            int leaves, int spines, int hostsPerLeaf, HostSpec host, LinkTemplate edge, LinkTemplate fabric) {
        require("leaves", leaves, 1);
        require("spines", spines, 1);
        require("hostsPerLeaf", hostsPerLeaf, 1);
        NetworkBuilder network = new NetworkBuilder(host);
        String[] leaf = layer(network, "leaf", leaves);
        String[] spine = layer(network, "spine", spines);
        addHosts(network, leaf, hostsPerLeaf, edge);
        for (String lower : leaf) {
            for (String upper : spine) {
                network.connect(lower, upper, fabric);
            }
        }
        return network.build();
    }

    /**
     * {@return a three-tier Clos network of switches tor1 ..., agg1 ... and core1 ..., pod by pod, and hosts h1 ... in
     * the order of their top-of-rack switches}
     *
     * @param edge links of hosts
     * @param rack links between top-of-rack and aggregation switches
     * @param core links between aggregation and core switches
     */
    public static Network clos(
            ClosShape shape, HostSpec host, LinkTemplate edge, LinkTemplate rack, LinkTemplate core) {
        NetworkBuilder network = new NetworkBuilder(host);
        String[] tors = layer(network, "tor", shape.pods() * shape.torsPerPod());
        String[] aggrs = layer(network, "agg", shape.pods() * shape.aggrsPerPod());
        String[] cores = layer(network, "core", shape.cores());
        addHosts(network, tors, shape.hostsPerTor(), edge);
        for (int i = 0; i < tors.length; i++) {
            int firstOfPod = i / shape.torsPerPod() * shape.aggrsPerPod();
            for (int j = 0; j < shape.aggrsPerPod(); j++) {
                network.connect(tors[i], aggrs[firstOfPod + j], rack);
            }
        }
        for (int i = 0; i < aggrs.length; i++) {
            for (int j = i % shape.aggrsPerPod(); j < cores.length; j += shape.aggrsPerPod()) {
                network.connect(aggrs[i], cores[j], core);
            }
        }
        return network.build();
    }

    /**
     * {@return the tree of ExpressPass section 6.3: {@link ClosShape#EXPRESSPASS}, all links alike, and those of hosts
     * 1 us longer for the delay of the host}
     *
     * @param link the links between switches: 4 us long in the paper
     */
    public static Network expressPass(HostSpec host, LinkTemplate link) {
        return clos(ClosShape.EXPRESSPASS, host, link.longerBy(1_000), link, link);
    }

    private static String[] layer(NetworkBuilder network, String name, int count) {
        String[] layer = new String[count];
        for (int i = 0; i < count; i++) {
            layer[i] = network.addSwitch(name + (i + 1));
        }
        return layer;
    }

    private static void addHosts(NetworkBuilder network, String[] switches, int hostsEach, LinkTemplate edge) {
        for (String name : switches) {
            for (int i = 0; i < hostsEach; i++) {
                network.addHost(name, edge);
            }
        }
    }
}
