package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.sim.FaultInjector;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Payload;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests how soon a stream is as fast as before after nothing went either way for a time within its user time-out. */
class BlackoutTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long LINK_BPS = 100_000_000L;
    private static final long PROPAGATION = 25_000;
    private static final long CUT = 2 * SECOND;
    private static final long WINDOW = 500 * MILLISECOND;
    /** A second and two round trips: propagation and the times of a data frame and its acknowledgement. */
    private static final long RECOVERY = SECOND + 2 * (2 * PROPAGATION + 2 * 123_040);

    static List<ProtocolConfig> protocols() {
        return Catalogue.forRealPorts();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void blackout_of8Seconds_streamIsAsFastAsBeforeWithinASecond(ProtocolConfig protocol) {
        recover(protocol, 8 * SECOND, 10 * SECOND);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void blackout_of60Seconds_streamIsAsFastAsBeforeWithinASecond(ProtocolConfig protocol) {
        recover(protocol, 60 * SECOND, 120 * SECOND);
    }

    private static void recover(ProtocolConfig protocol, long cutNanos, long userTimeoutNanos) {
        ConnectionTimers usual = ConnectionTimers.DEFAULT;
        ConnectionTimers timers =
                usual.toBuilder().userTimeoutNanos(userTimeoutNanos).build();
        try (TestNetwork network = new TestNetwork(3, LINK_BPS, protocol)
                .hostOptions(builder -> builder.timers(timers))
                .pair(PROPAGATION)) {
            for (int host = 1; host <= 2; host++) {
                network.host(host)
                        .link(0)
                        .setFault(new FaultInjector(new SeededRandom(host), Payload.CARRIED)
                                .cut(CUT, CUT + cutNanos, cutNanos, 0));
            }
            BulkFlow sender = BulkFlow.sender();
            BulkFlow receiver = BulkFlow.receiver();
            network.connect(0, 1, 2, sender, receiver);
            long before = bytesIn(network, receiver, CUT - WINDOW);
            network.simulator().run(CUT + cutNanos);
            long after = bytesIn(network, receiver, CUT + cutNanos + RECOVERY);
            assertNull(sender.closeReason());
            double fraction = (double) after / before;
            assertTrue(fraction >= 0.9, () -> "after the blackout: " + fraction + " of the rate before it");
        }
    }

    private static long bytesIn(TestNetwork network, BulkFlow receiver, long fromNanos) {
        network.simulator().run(fromNanos);
        long bytes = receiver.receivedBytes();
        network.simulator().run(fromNanos + WINDOW);
        return receiver.receivedBytes() - bytes;
    }
}
