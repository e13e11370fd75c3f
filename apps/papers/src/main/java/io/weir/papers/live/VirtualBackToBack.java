package io.weir.papers.live;

import io.weir.pacer.SeededRandom;
import io.weir.pacer.Slack;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.Stamping;
import io.weir.transport.node.Node;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.sim.PolledNode;
import io.weir.transport.sim.ReceiveDelay;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.Simulator;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@link BackToBack} measures, in virtual time: the same stacks, the same flow, the same stamps, over a link of 10
 * Gbps that is as long as nothing. Only the driver is played.
 */
final class VirtualBackToBack {
    private static final long DEVICE_RATE_BPS = 10_000_000_000L;
    private static final long VIRTUAL_NANOS = 200_000_000;
    private static final long KERNEL_NANOS_MIN = 10_000;
    private static final long KERNEL_NANOS_USUAL = 250_000;
    private static final long KERNEL_NANOS_MAX = 365_000;
    private static final int USUAL_PERCENT = 99;
    private static final int SMOOTHED_ACKS = 8;
    private static final int PORT = 4720;
    private static final int LOCAL_PORT = 40_000;
    private static final int POOL_FRAMES = 8192;
    private static final int SLOT_BYTES = 2048;

    private final FramePool pool = new FramePool(POOL_FRAMES, SLOT_BYTES);
    private final Simulator simulator = new Simulator();
    private final DelaySamples samples = new DelaySamples();
    private final Stamping stamping;

    private VirtualBackToBack(Stamping stamping) {
        this.stamping = stamping;
    }

    /** {@return round trips in microseconds between hosts whose loops look at their ports at these intervals} */
    static List<Double> polled(Stamping stamping, ReceiveDelay left, ReceiveDelay right) {
        VirtualBackToBack twin = new VirtualBackToBack(stamping);
        HostStack sender = twin.stack(0);
        HostStack receiver = twin.stack(1);
        PolledNode polledSender = new PolledNode(sender, left);
        PolledNode polledReceiver = new PolledNode(receiver, right);
        try {
            SimNode node = twin.connect(polledSender, polledReceiver);
            List<Double> micros = twin.run(node, sender, receiver);
            long framesLost = polledSender.framesLost() + polledReceiver.framesLost();
            if (framesLost > 0) {
                throw new IllegalStateException(
                        framesLost + " frames came to a full ring: a twin that loses frames measures repairs");
            }
            return micros;
        } finally {
            polledSender.close();
            polledReceiver.close();
            twin.close(sender, receiver);
        }
    }

    /**
     * {@return round trips in microseconds between hosts that look at their ports each 10 to 250 us, now and then 365,
     * as if they had to be woken: chosen so that round trips vary about as much as the paper's kernel saw them vary}
     */
    static List<Double> kernelLike() {
        return polled(Stamping.RAW, kernelIntervals(1), kernelIntervals(2));
    }

    private static ReceiveDelay kernelIntervals(long seed) {
        SeededRandom random = new SeededRandom(seed);
        return () -> random.nextInt(100) < USUAL_PERCENT
                ? KERNEL_NANOS_MIN + random.nextLong(KERNEL_NANOS_USUAL - KERNEL_NANOS_MIN)
                : KERNEL_NANOS_USUAL + random.nextLong(KERNEL_NANOS_MAX - KERNEL_NANOS_USUAL);
    }

    /**
     * {@return these round trips as a TCP smooths them (RFC 6298, alpha 1/8), each that many acknowledgements the state
     * of it}
     */
    static List<Double> smoothed(List<Double> micros) {
        List<Double> states = new ArrayList<>();
        double state = micros.isEmpty() ? 0 : micros.get(0);
        for (int i = 0; i < micros.size(); i++) {
            state += (micros.get(i) - state) / SMOOTHED_ACKS;
            if (i % SMOOTHED_ACKS == SMOOTHED_ACKS - 1) {
                states.add(state);
            }
        }
        return states;
    }

    private HostStack stack(int number) {
        SeededRandom random = new SeededRandom(number + 1L);
        HostConfig config = HostConfig.builder(
                        NetworkNodes.mac(number), List.of(NetworkNodes.address(number)), DelayMeasurement.LINK_RATE_BPS)
                .slack(Slack.LIVE)
                .stamping(stamping)
                .portRateBps(DEVICE_RATE_BPS)
                .build();
        DelayProbe probe = new DelayProbe(DelayMeasurement.WINDOW_SEGMENTS, number == 0 ? samples : null);
        return new HostStack(config, pool, List.of(probe.newFactory(random.split())), random::nextLong);
    }

    private SimNode connect(Node left, Node right) {
        SimNode leftNode = simulator.add("left", left);
        SimNode rightNode = simulator.add("right", right);
        simulator.connect(leftNode.port(0), rightNode.port(0), DEVICE_RATE_BPS, 0);
        return leftNode;
    }

    private List<Double> run(SimNode node, HostStack sender, HostStack receiver) {
        receiver.listen(PORT, incoming -> LiveHost.sink());
        simulator.at(1, node, () -> {
            sender.tick(simulator.nowNanos());
            sender.connect(NetworkNodes.path(0, 1, LOCAL_PORT, PORT), LiveHost.source());
        });
        simulator.run(VIRTUAL_NANOS);
        return samples.roundTripsMicros();
    }

    private void close(HostStack sender, HostStack receiver) {
        sender.close();
        receiver.close();
        simulator.close();
    }
}
