package io.weir.transport.scenario.topology;

import static io.weir.transport.scenario.topology.NetworkBuilder.require;

import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;

/** Networks without a choice of paths: one switch, or switches in a line. */
public final class Lines {
    private Lines() {}

    /**
     * {@return hosts h1 to hN around one switch}
     *
     * <pre>
     *   h1 ---+
     *   h2 ---+--- switch
     *   hN ---+
     * </pre>
     */
    public static Network star(int hosts, HostSpec host, LinkTemplate edge) {
        require("hosts", hosts, 1);
        NetworkBuilder network = new NetworkBuilder(host);
        String center = network.addSwitch("switch");
        for (int i = 0; i < hosts; i++) {
            network.addHost(center, edge);
        }
        return network.build();
    }

    /**
     * {@return N hosts on either side of one link: h1 to hN are left, h(N+1) to h(2N) right}
     *
     * <pre>
     *   h1 ---+                      +--- h(N+1)
     *   h2 ---+--- left ==== right --+--- h(N+2)
     *   hN ---+                      +--- h(2N)
     * </pre>
     */
    public static Network dumbbell(int pairs, HostSpec host, LinkTemplate edge, LinkTemplate trunk) {
        require("pairs", pairs, 1);
        NetworkBuilder network = new NetworkBuilder(host);
        String left = network.addSwitch("left");
        String right = network.addSwitch("right");
        for (int i = 0; i < 2 * pairs; i++) {
            network.addHost(i < pairs ? left : right, edge);
        }
        network.connect(left, right, trunk);
        return network.build();
    }

    /**
     * {@return N links in a line, each the bottleneck of one flow and of another that crosses them all
     * (ExpressPass Figures 4b and 10)}
     *
     * <p>Flow 0 goes from h1 to h(N+2), flow i of 1 to N from h(i+1) to h(N+2+i) over link i alone: pair the first half
     * of the hosts with the second.
     *
     * <pre>
     *   h1, h2 --- sw1 === sw2 === sw3 ... sw(N+1) --- h(N+2), h(2N+2)
     *               link 1  link 2
     *                       h(N+3) and h3 at sw2
     * </pre>
     */
    public static Network parkingLot(int bottlenecks, HostSpec host, LinkTemplate edge, LinkTemplate trunk) {
        require("bottlenecks", bottlenecks, 1);
        NetworkBuilder network = new NetworkBuilder(host);
        String[] line = line(network, bottlenecks + 1);
        network.addHost(line[0], edge);
        for (int i = 1; i <= bottlenecks; i++) {
            network.addHost(line[i - 1], edge);
        }
        network.addHost(line[bottlenecks], edge);
        for (int i = 1; i <= bottlenecks; i++) {
            network.addHost(line[i], edge);
        }
        connect(network, line, trunk);
        return network.build();
    }

    /**
     * {@return two links in a line: N flows cross both, one the second alone (ExpressPass Figures 4a and 11)}
     *
     * <p>Flow 0 goes from h1 to h(N+2), flow i of 1 to N from h(i+1) to h(N+2+i): pair the first half of the hosts with
     * the second. Credits of flows 1 to N pass link 1 before they meet those of flow 0, which come to link 2
     * undiminished.
     *
     * <pre>
     *   h(N+3) ---+                                  +--- h1
     *   h(N+4) ---+--- sw1 ===== sw2 ===== sw3 ------+--- h2
     *   h(2N+2) --+     link 1    |  link 2          +--- h(N+1)
     *                           h(N+2)
     * </pre>
     */
    public static Network multiBottleneck(int flows, HostSpec host, LinkTemplate edge, LinkTemplate trunk) {
        require("flows", flows, 1);
        NetworkBuilder network = new NetworkBuilder(host);
        String[] line = line(network, 3);
        for (int i = 0; i <= flows; i++) {
            network.addHost(line[2], edge);
        }
        network.addHost(line[1], edge);
        for (int i = 0; i < flows; i++) {
            network.addHost(line[0], edge);
        }
        connect(network, line, trunk);
        return network.build();
    }

    private static String[] line(NetworkBuilder network, int switches) {
        String[] line = new String[switches];
        for (int i = 0; i < switches; i++) {
            line[i] = network.addSwitch("sw" + (i + 1));
        }
        return line;
    }

    private static void connect(NetworkBuilder network, String[] line, LinkTemplate trunk) {
        for (int i = 1; i < line.length; i++) {
            network.connect(line[i - 1], line[i], trunk);
        }
    }
}
