package io.weir.transport.testing;

import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.sim.Simulator;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.telemetry.CounterId;
import java.util.ArrayList;
import java.util.List;

/**
 * The named scenarios by which ExpressPass's presets are compared: N long flows, each with hosts of its own, share one link
 * between two switches. Flow i starts i x stagger; the first comes up alone.
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

    /** What a run gave. */
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
            ExpressPassConfig config,
            CreditPortConfig.Drop drop,
            long seed) {
        this.flowCount = flowCount;
        this.linkRateBps = linkRateBps;
        this.rttNanos = 6 * linkDelayNanos;
        this.network =
                new TestNetwork(seed, linkRateBps, config).creditDrop(drop).dumbbell(flowCount, linkDelayNanos);
    }

    /**
     * Runs flows that start {@code staggerNanos} apart for {@code runNanos} after the last start; the first half of that is
     * the time to settle.
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
        double jainShort = shortJain(settledNanos, runNanos / 2);
        simulator.run(settledNanos + runNanos / 2);
        long[] after = received();
        Result result = result(before, after, runNanos / 2, convergenceRtts, jainShort);
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

    private Result result(long[] before, long[] after, long spanNanos, double convergenceRtts, double jainShort) {
        double bytes = 0;
        for (int i = 0; i < flowCount; i++) {
            bytes += after[i] - before[i];
        }
        double utilization = bytes * DATA_WIRE_BYTES / PAYLOAD_BYTES * 8e9 / spanNanos / linkRateBps;
        SwitchPort data = network.leftSwitch().port(flowCount);
        SwitchPort credits = network.rightSwitch().port(flowCount);
        double creditLoss = (double) credits.counters().get(CounterId.DROP_CREDIT_QUEUE)
                / credits.counters().get(CounterId.CREDITS_RECEIVED);
        return new Result(
                utilization,
                jain(before, after),
                jainShort,
                convergenceRtts,
                data.dataQueueBytesMax(),
                creditLoss,
                data.counters().get(CounterId.DROP_DATA_QUEUE));
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
