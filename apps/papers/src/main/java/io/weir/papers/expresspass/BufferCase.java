package io.weir.papers.expresspass;

import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.plan.BufferPlan;
import io.weir.transport.scenario.plan.PlanSettings;
import io.weir.transport.scenario.plan.PortBound;
import io.weir.transport.scenario.topology.ClosShape;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Trees;
import java.util.List;

/**
 * A network of section 3.1: its shape, its links and its hosts. Core links are 5 us long, the others 1 us; credits have
 * 84 bytes, and a meter passes 84/(84 + 1538) of its link.
 *
 * @param shape how many switches of each layer
 * @param hostRateBps the rate of the links of hosts and racks
 * @param coreRateBps the rate of core links
 * @param queueCredits how many credits wait at a port
 * @param hostSpreadNanos the delay spread of hosts
 */
record BufferCase(ClosShape shape, long hostRateBps, long coreRateBps, int queueCredits, long hostSpreadNanos) {
    /** The fat tree of 8192 hosts. */
    static final ClosShape FAT_TREE = ClosShape.fatTree(32, 1);

    /** The other tree of 8192 hosts: 16 core, 128 aggregation and 1024 rack switches. */
    static final ClosShape CLOS = ClosShape.builder()
            .pods(16)
            .torsPerPod(64)
            .aggrsPerPod(8)
            .cores(16)
            .hostsPerTor(8)
            .build();

    private static final long CORE_NANOS = 5_000;
    private static final long OTHER_NANOS = 1_000;
    private static final int CREDIT_BYTES = 84;

    /**
     * The bounds of the ports that the paper has.
     *
     * @param torDown a rack's port to a host
     * @param torUp a rack's port to an aggregation switch
     * @param core a core switch's port
     */
    record Bounds(PortBound torDown, PortBound torUp, PortBound core) {}

    Bounds bounds() {
        CreditSettings credits = CreditSettings.DEFAULT
                .withModel(CreditModel.PAPER)
                .with(CreditSettings.QUEUE, queueCredits)
                .with(CreditSettings.DROP, Drop.TAIL)
                .with(CreditSettings.SMALLEST, CREDIT_BYTES)
                .with(CreditSettings.LARGEST, CREDIT_BYTES);
        PortSpec port = new PortSpec(0, credits, null);
        LinkTemplate other = new LinkTemplate(hostRateBps, OTHER_NANOS, port);
        LinkTemplate core = new LinkTemplate(coreRateBps, CORE_NANOS, port);
        Network network = Trees.clos(shape, HostSpec.named(""), other, other, core);
        List<PortBound> bounds = BufferPlan.of(network, PlanSettings.OF_NETWORK.withHostSpreadNanos(hostSpreadNanos));
        return new Bounds(find(bounds, "tor1", "h1"), find(bounds, "tor1", "agg1"), find(bounds, "core1", "agg1"));
    }

    private static PortBound find(List<PortBound> bounds, String node, String peer) {
        return bounds.stream()
                .filter(bound -> bound.node().equals(node) && bound.peer().equals(peer))
                .findFirst()
                .orElseThrow();
    }
}
