package io.weir.transport.protocol.reactive.rcp;

import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.SharedLink;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RcpBehaviourTest {
    private static final long TEN_GBPS = 10_000_000_000L;
    private static final PortSpec PORT = SharedLink.port().withPolicies(RcpPortConfig.DEFAULT);

    @Test
    void explore() {
        SharedLink link = new SharedLink(TEN_GBPS, 15_000, PORT).flows(Rcp.KIND.usual(), 2, 5_000_000);
        ScenarioResult r = link.run(10_000_000, 1_000_000, 100_000);
        for (int f = 0; f < 2; f++) {
            System.out.println(Arrays.toString(Arrays.stream(link.shares(r, f)).map(x -> Math.round(x * 1000) / 1000.0).toArray()));
        }
        System.out.println(SharedLink.shared(r));
        for (int n : new int[] {4, 8, 16, 32, 64, 256}) {
            SharedLink l = new SharedLink(TEN_GBPS, 15_000, PORT).flows(Rcp.KIND.usual(), n, 7_000);
            ScenarioResult s = l.run(30_000_000, 15_000_000, 0);
            SharedLink l2 = new SharedLink(TEN_GBPS, 15_000, PORT).flows(Rcp.KIND.usual(), n, 7_000);
            ScenarioResult s2 = l2.run(30_000_000, 0, 0);
            System.out.println(n + " " + SharedLink.shared(s) + " jain " + s.summary().jainIndex());
            System.out.println(n + "   from start " + SharedLink.shared(s2).queueBytesMax() + " " + SharedLink.shared(s2).dataDrops());
        }
    }
}
