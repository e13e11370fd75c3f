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

/** The default preset on a star of 1 Gbit/s links with round trips of about 100 us, as services meet it. */
class ExpressPassStarTest {
    private static final long LINK_RATE_BPS = 1_000_000_000L;
    private static final long LINK_DELAY_NANOS = 18_000;
    private static final long RTT_NANOS = 100_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long QUEUE_BYTES_MAX = 18_000;
    /** The most payload that credits of 88 B on average let through: an upper bound without acknowledgements. */
    private static final double PAYLOAD_BPS = LINK_RATE_BPS * (1538.0 / (88 + 1538)) * (1460.0 / 1538);

    private static TestNetwork star(int hosts, long seed) {
        return new TestNetwork(seed, LINK_RATE_BPS, ExpressPassConfig.weir())
                .creditDrop(CreditPortConfig.Drop.RANDOM)
                .star(hosts, LINK_DELAY_NANOS, builder -> builder);
    }

    private static void requireQueue(TestNetwork network, int host) {
        SwitchPort port = network.pipeline().port(host - 1);
        assertEquals(0, port.counters().get(CounterId.DROP_DATA_QUEUE));
        assertTrue(port.dataQueueBytesMax() <= QUEUE_BYTES_MAX, port.dataQueueBytesMax() + " B in the data queue");
    }

    @Test
    void goodput_singleFlow_is93PercentOfWhatCreditsLeave() {
        try (TestNetwork network = star(2, 1)) {
            BulkFlow receiver = BulkFlow.receiver();
            network.connect(0, 1, 2, BulkFlow.sender(), receiver);
            network.simulator().run(10 * MILLISECOND);
            long before = receiver.receivedBytes();
            network.simulator().run(210 * MILLISECOND);
            double goodputBps = (receiver.receivedBytes() - before) * 8 / 0.2;
            assertTrue(goodputBps >= 0.93 * PAYLOAD_BPS, goodputBps + " of " + PAYLOAD_BPS);
            requireQueue(network, 2);
        }
    }

    /**
     * Credits that expire while a sender's loop is off its core are not the network's loss: a flow whose sender is away for
     * a quarter of the time loses that quarter and no more.
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
            assertTrue(goodputBps >= 0.75 * 0.93 * PAYLOAD_BPS, goodputBps + " of " + PAYLOAD_BPS);
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
            long[] before =
                    receivers.stream().mapToLong(BulkFlow::receivedBytes).toArray();
            network.simulator().run(20 * MILLISECOND + SECOND);
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < flows; i++) {
                double bytes = receivers.get(i).receivedBytes() - before[i];
                sum += bytes;
                squares += bytes * bytes;
            }
            double jain = sum * sum / (flows * squares);
            assertTrue(jain >= 0.95, "Jain " + jain);
            assertTrue(sum * 8 >= 0.93 * PAYLOAD_BPS, "together " + sum * 8);
            requireQueue(network, flows + 1);
        }
    }

    @Test
    void convergence_secondFlowJoins_hasItsShareWithinTenRoundTrips() {
        double[] rtts = LongStream.rangeClosed(1, 20)
                .mapToDouble(ExpressPassStarTest::roundTripsToShare)
                .sorted()
                .toArray();
        assertTrue(rtts[10] <= 10, "median " + rtts[10] + ", worst " + rtts[19]);
    }

    /** {@return the round trips from the second flow's first byte until one brings 80 % of its fair share} */
    private static double roundTripsToShare(long seed) {
        try (TestNetwork network = star(3, seed)) {
            BulkFlow second = BulkFlow.receiver();
            network.connect(0, 1, 3, BulkFlow.sender(), BulkFlow.receiver());
            network.connect(5 * MILLISECOND + seed * 7_919, 2, 3, BulkFlow.sender(), second);
            long now = 5 * MILLISECOND;
            while (second.receivedBytes() == 0) {
                network.simulator().run(now += 1_000);
            }
            double fairBytes = PAYLOAD_BPS / 2 / 8e9 * RTT_NANOS;
            for (int rtt = 1; rtt <= 100; rtt++) {
                long before = second.receivedBytes();
                network.simulator().run(now += RTT_NANOS);
                if (second.receivedBytes() - before >= 0.8 * fairBytes) {
                    requireQueue(network, 3);
                    return rtt;
                }
            }
            return Double.POSITIVE_INFINITY;
        }
    }
}
