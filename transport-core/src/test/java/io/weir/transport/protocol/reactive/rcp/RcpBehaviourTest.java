package io.weir.transport.protocol.reactive.rcp;

import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.SharedLink;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RcpBehaviourTest {
    private static final long TEN_GBPS = 10_000_000_000L;

    @Test
    void explore() {
        PortSpec port = SharedLink.port().withPolicies(new RcpPortConfig(400_000, 226_000, 10_000));
        SharedLink link = new SharedLink(TEN_GBPS, 15_000, port).flows(Rcp.KIND.usual(), 2, 3_000_000);
        ScenarioResult r = link.run(6_000_000, 0, 100_000);
        for (int f = 0; f < 2; f++) {
            System.out.println(Arrays.toString(Arrays.stream(link.shares(r, f)).map(x -> Math.round(x * 1000) / 1000.0).toArray()));
        }
        System.out.println(SharedLink.shared(r));
        for (int n : new int[] {32}) {
            SharedLink l = new SharedLink(TEN_GBPS, 15_000, port).flows(Rcp.KIND.usual(), n, 7_000);
            ScenarioResult s = l.run(10_000_000, 5_000_000, 0);
            System.out.println(n + " " + SharedLink.shared(s) + " jain " + s.summary().jainIndex());
        }
    }
}
