package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.TestNetwork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What the default preset promises at a bottleneck of 1 Gbit/s with a round trip of about 100 us, as services meet it:
 * hosts around one switch, all sending to the last of them.
 */
class OneGigabitBottleneckTest {
    private static final long LINK_RATE_BPS = 1_000_000_000L;
    private static final long LINK_DELAY_NANOS = 18_000;
    /** Four links' propagation, and a credit and its frame serialized twice each. */
    private static final long RTT_NANOS = 4 * LINK_DELAY_NANOS + 2 * (92 + 1538) * 8;

    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long QUEUE_BYTES_MAX = 18_000;

    /** What ExpressPass leaves to data when each frame of 1538 B on the wire costs a credit of 84 (section 3.1). */
    private static final double DATA_SHARE = 1538.0 / (84 + 1538);
    /** The payload of a frame with TCP's headers, by which such figures are usually stated. */
    private static final double PAYLOAD_SHARE = 1460.0 / 1538;

    private static final double REQUIRED_BPS = 0.93 * LINK_RATE_BPS * DATA_SHARE * PAYLOAD_SHARE;
    /** What Weir can give at most: 1 % set aside, credits of 88 B on average, 1424 B of payload a frame. */
    private static final double POSSIBLE_BPS = LINK_RATE_BPS * 0.99 * 1424 / (88 + 1538);

    private static TestNetwork star(int hosts, long seed) {
        return new TestNetwork(seed, LINK_RATE_BPS, ExpressPass.weir())
                .creditDrop(CreditPortConfig.Drop.RANDOM)
                .star(hosts, LINK_DELAY_NANOS, builder -> builder);
    }

    private static void requireQueue(TestNetwork network, int host) {
        SwitchPort port = network.pipeline().port(host - 1);
        assertEquals(0, port.counters().get(CounterId.DROP_DATA_QUEUE));
        assertTrue(port.dataQueueBytesMax() <= QUEUE_BYTES_MAX, port.dataQueueBytesMax() + " B in the data queue");
    }

    private static long[] received(List<BulkFlow> flows) {
        return flows.stream().mapToLong(BulkFlow::receivedBytes).toArray();
    }

    @Test
    void goodput_singleFlow_is93PercentOfLinkTimesShares() {
        try (TestNetwork network = star(2, 1)) {
            BulkFlow receiver = BulkFlow.receiver();
            network.connect(0, 1, 2, BulkFlow.sender(), receiver);
            network.simulator().run(10 * MILLISECOND);
            long before = receiver.receivedBytes();
            network.simulator().run(10 * MILLISECOND + SECOND);
            double goodputBps = (receiver.receivedBytes() - before) * 8.0;
            String terms = goodputBps + " bit/s; required 0.93 x " + LINK_RATE_BPS + " x " + DATA_SHARE + " x "
                    + PAYLOAD_SHARE + " = " + REQUIRED_BPS + "; possible " + POSSIBLE_BPS;
            assertTrue(goodputBps >= REQUIRED_BPS, terms);
            // Nothing but what is set aside by name is lost: this holds the sum of all small leaks.
            assertTrue(goodputBps >= 0.999 * POSSIBLE_BPS && goodputBps <= 1.001 * POSSIBLE_BPS, terms);
            requireQueue(network, 2);
        }
    }

    /**
     * Credits that expire while a sender's loop is off its core are not the network's loss: a flow whose sender is away
     * for a quarter of the time loses that quarter and no more.
     */
    @Test
    void goodput_fourSendersPauseForAQuarterOfTheTime_isThreeQuarters() {
        int flows = 4;
        try (TestNetwork network = star(flows + 1, 3)) {
            BulkFlow[] receivers = new BulkFlow[flows];
            for (int i = 0; i < flows; i++) {
                receivers[i] = BulkFlow.receiver();
                network.connect(0, i + 1, flows + 1, BulkFlow.sender(), receivers[i]);
            }
            for (long at = 20 * MILLISECOND; at < 420 * MILLISECOND; at += 12 * MILLISECOND) {
                for (int i = 1; i <= flows; i++) {
                    network.pause(at, i, 3 * MILLISECOND);
                }
            }
            network.simulator().run(60 * MILLISECOND);
            long before =
                    Arrays.stream(receivers).mapToLong(BulkFlow::receivedBytes).sum();
            network.simulator().run(420 * MILLISECOND);
            long bytes =
                    Arrays.stream(receivers).mapToLong(BulkFlow::receivedBytes).sum() - before;
            double goodputBps = bytes * 8 / 0.36;
            assertTrue(goodputBps >= 0.75 * REQUIRED_BPS, goodputBps + " of " + REQUIRED_BPS);
            requireQueue(network, flows + 1);
        }
    }

    @Test
    void fairness_sixteenFlowsToOneHost_isHighOverASecond() {
        int flows = 16;
        try (TestNetwork network = star(flows + 1, 2)) {
            List<BulkFlow> receivers = new ArrayList<>();
            for (int i = 0; i < flows; i++) {
                receivers.add(BulkFlow.receiver());
                network.connect(i * 20_000L, i + 1, flows + 1, BulkFlow.sender(), receivers.get(i));
            }
            network.simulator().run(20 * MILLISECOND);
            long[] before = received(receivers);
            network.simulator().run(20 * MILLISECOND + SECOND);
            long[] after = received(receivers);
            double[] bytes = new double[flows];
            Arrays.setAll(bytes, i -> after[i] - before[i]);
            double sum = Arrays.stream(bytes).sum();
            double jain =
                    sum * sum / (flows * Arrays.stream(bytes).map(x -> x * x).sum());
            assertTrue(jain >= 0.95, "Jain " + jain);
            assertTrue(sum * 8 >= REQUIRED_BPS, "together " + sum * 8);
            requireQueue(network, flows + 1);
        }
    }

    @Test
    void convergence_secondFlowJoins_hasItsShareWithinTenRoundTrips() {
        int[] roundTrips = LongStream.rangeClosed(1, 20)
                .mapToInt(OneGigabitBottleneckTest::roundTripsToShare)
                .sorted()
                .toArray();
        // The upper of the two in the middle. Two of the round trips are the handshake's.
        assertTrue(roundTrips[10] <= 10, "round trips: " + Arrays.toString(roundTrips));
    }

    /** {@return the round trips from the second flow's opening to the end of the first that brought its whole share} */
    private static int roundTripsToShare(long seed) {
        try (TestNetwork network = star(3, seed)) {
            BulkFlow second = BulkFlow.receiver();
            network.connect(0, 1, 3, BulkFlow.sender(), BulkFlow.receiver());
            long now = 5 * MILLISECOND + seed * 7_919;
            network.connect(now, 2, 3, BulkFlow.sender(), second);
            network.simulator().run(now);
            double fairBytes = POSSIBLE_BPS / 2 / 8e9 * RTT_NANOS;
            for (int rtt = 1; rtt <= 100; rtt++) {
                long before = second.receivedBytes();
                network.simulator().run(now += RTT_NANOS);
                if (second.receivedBytes() - before >= fairBytes) {
                    requireQueue(network, 3);
                    return rtt;
                }
            }
            return Integer.MAX_VALUE;
        }
    }
}
