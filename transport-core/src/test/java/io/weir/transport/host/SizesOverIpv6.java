package io.weir.transport.host;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.TrafficClass;
import java.util.Set;
import java.util.TreeSet;

/** Observes the credits of one flow between two IPv6 hosts. */
final class SizesOverIpv6 {
    private SizesOverIpv6() {}

    /** {@return the lengths in memory that credits have, until {@code count} have been seen} */
    static Set<Integer> ofCredits(int count) {
        Set<Integer> lengths = new TreeSet<>();
        int[] seen = new int[1];
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir())
                .ipv6(true)
                .pair(10_000)) {
            network.simulator().setTrace((link, frame, now) -> {
                if (TrafficClass.of(frame.buffer(), frame.offset(), frame.length()) == TrafficClass.CREDIT) {
                    lengths.add(frame.length());
                    seen[0]++;
                }
            });
            network.connect(0, 1, 2, BulkFlow.sender(), BulkFlow.receiver());
            for (long now = 0; seen[0] < count; now += 1_000_000) {
                network.simulator().run(now);
            }
        }
        return lengths;
    }
}
