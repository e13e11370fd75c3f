package io.weir.transport.testing;

import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.sim.Simulator;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.telemetry.CounterId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The named scenarios by which ExpressPass's presets are compared: N long flows, each with separate hosts, share one
 * link between two switches. Flow i starts i x stagger; the first comes up alone.
 */
public final class Dumbbell {
    private static final int PAYLOAD_BYTES = 1424;
    private static final int DATA_WIRE_BYTES = 1538;

    private final int flowCount;
    private final long linkRateBps;
    private final long rttNanos;
    private final List<BulkFlow> receivers = new ArrayList<>();
    private final List<BulkFlow> senders = new ArrayList<>();
    private final TestNetwork network;

    /**
     * What a run gave.
     *
     * @param utilization the bottleneck's data frames as a fraction of its rate, once settled
     * @param jain Jain's index of the flows' bytes, once settled
     * @param jainShort the mean of the index over a fifth of that time
     * @param convergenceRtts round trips until the last flow to join first had 80 % of its share in one
     * @param dataQueueBytesMax the most that ever waited for the bottleneck
     * @param creditLoss credits dropped at the bottleneck as a fraction of those that came there, once settled
     * @param dataDrops data frames dropped there, ever
     */
    public record Result(
            double utilization,
            double jain,
            double jainShort,
            double convergenceRtts,
            long dataQueueBytesMax,
            double creditLoss,
            long dataDrops) {}

    /** Creates the network of {@code flowCount} flows. */
    public Dumbbell(
            int flowCount,
            long linkRateBps,
            long linkDelayNanos,
            Settings config,
            CreditPortConfig.Drop drop,
            long seed) {
        this.flowCount = flowCount;
        this.linkRateBps = linkRateBps;
        this.rttNanos = 6 * linkDelayNanos;
        this.network =
                new TestNetwork(seed, linkRateBps, config).creditDrop(drop).dumbbell(flowCount, linkDelayNanos);
    }

    /**
     * Runs flows that start {@code staggerNanos} apart for {@code runNanos} after the last start; the first half of
     * that is the time to settle.
     */
    public Result run(long staggerNanos, long runNanos) {
        for (int i = 0; i < flowCount; i++) {
            BulkFlow sender = BulkFlow.sender();
            BulkFlow receiver = BulkFlow.receiver();
            senders.add(sender);
            receivers.add(receiver);
            network.connect(i * staggerNanos, i + 1, flowCount + i + 1, sender, receiver);
        }
        Simulator simulator = network.simulator();
        // The last flow is open 2 round trips after it began: a challenge, and the cookie's return with the request.
        long joinNanos = (flowCount - 1) * staggerNanos + 2 * rttNanos;
        simulator.run(joinNanos);
        double convergenceRtts = convergence(receivers.get(flowCount - 1));
        long settledNanos = joinNanos + runNanos / 2;
        simulator.run(settledNanos);
        long[] before = received();
        long creditsBefore = credits(CounterId.CREDITS_RECEIVED);
        long lostBefore = credits(CounterId.DROP_CREDIT_QUEUE);
        double jainShort = shortJain(settledNanos, runNanos / 2);
        simulator.run(settledNanos + runNanos / 2);
        long[] after = received();
        double creditLoss = (double) (credits(CounterId.DROP_CREDIT_QUEUE) - lostBefore)
                / Math.max(1, credits(CounterId.CREDITS_RECEIVED) - creditsBefore);
        double bytes = LongStream.of(after).sum() - LongStream.of(before).sum();
        SwitchPort data = network.leftSwitch().port(flowCount);
        Result result = new Result(
                bytes * DATA_WIRE_BYTES / PAYLOAD_BYTES * 8e9 / (runNanos / 2.0) / linkRateBps,
                jain(before, after),
                jainShort,
                convergenceRtts,
                data.dataQueueBytesMax(),
                creditLoss,
                data.counters().get(CounterId.DROP_DATA_QUEUE));
        network.close();
        return result;
    }

    private double convergence(BulkFlow flow) {
        double fairBytes = 0.9 * linkRateBps / 8e9 * rttNanos * PAYLOAD_BYTES / DATA_WIRE_BYTES / flowCount;
        for (int rtt = 1; rtt <= 200; rtt++) {
            long before = flow.receivedBytes();
            network.simulator().run(network.simulator().nowNanos() + rttNanos);
            if (flow.receivedBytes() - before >= 0.8 * fairBytes) {
                return rtt;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private double shortJain(long fromNanos, long spanNanos) {
        double sum = 0;
        int windows = 5;
        for (int i = 0; i < windows; i++) {
            long[] before = received();
            network.simulator().run(fromNanos + spanNanos * (i + 1) / windows);
            sum += jain(before, received());
        }
        return sum / windows;
    }

    private long[] received() {
        return receivers.stream().mapToLong(BulkFlow::receivedBytes).toArray();
    }

    private long credits(CounterId counter) {
        return network.rightSwitch().port(flowCount).counters().get(counter);
    }

    private static double jain(long[] before, long[] after) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < before.length; i++) {
            double x = after[i] - before[i];
            sum += x;
            squares += x * x;
        }
        return squares == 0 ? 0 : sum * sum / (before.length * squares);
    }

    /** {@return the network, for questions that a result does not answer} */
    public TestNetwork network() {
        return network;
    }
}
