package io.weir.papers.tfc;

import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/** What the figures share: the protocols that the paper compares, and its testbed of 1 Gbps. */
final class Testbed {
    /** TFC with the paper's parameters. */
    static final Variant TFC = new Variant("tfc", 1, List.of());
    /** DCTCP with the paper's threshold. */
    static final Variant DCTCP = new Variant(
            "dctcp",
            1,
            List.of("protocol={id: dctcp, initialSegments: 3}", "topology.tfc=off", "topology.ecn={threshold: 32KB}"));
    /** The paper's TCP. */
    static final Variant NEWRENO =
            new Variant("newreno", 1, List.of("protocol={id: newreno, initialSegments: 3}", "topology.tfc=off"));

    /** All three. */
    static final List<Variant> ALL = List.of(TFC, DCTCP, NEWRENO);

    static final double LINK_RATE_BPS = 1e9;
    static final double BUFFER_BYTES = 256_000;
    static final double FRAME_BYTES = 1_538;

    private static final String PAPER =
            "1 Gbps, 256 KB of queue a port, round trips of some 60 us; rho0 = 0.97, alpha = 7/8; DCTCP with K = 32 KB and g = 1/16.";

    private Testbed() {}

    static Setting setting(Scale scale, String smaller) {
        return new Setting(
                PAPER, scale == Scale.FULL ? Setting.AS_IN_THE_PAPER + "; the testbed is simulated" : smaller);
    }

    /** {@return the setting of a figure on real ports} */
    static Setting live(String differences) {
        return new Setting(
                PAPER,
                "hosts in network namespaces of one machine, AF_XDP on veth pairs, a software switch, all moved by one loop, whose"
                        + " time stands still while it is away; " + differences);
    }

    /** {@return the switch's port to a Node} */
    static PortResult port(ScenarioResult result, String node, String peer) {
        return result.ports().stream()
                .filter(port -> port.node().equals(node) && port.port().equals(peer))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no port " + node + ">" + peer));
    }
}
