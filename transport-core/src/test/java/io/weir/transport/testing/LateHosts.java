package io.weir.transport.testing;

import io.weir.pacer.SeededRandom;
import io.weir.pacer.Slack;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.sim.PolledNode;
import io.weir.transport.sim.ReceiveDelay;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.Simulator;
import io.weir.transport.switching.QueueMeter;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts that send to one, over one switch, each moved by a loop that looks at its port now
 * and then, and hands over what it took some time later.
 */
public final class LateHosts implements AutoCloseable {
    private static final long RATE_BPS = 1_000_000_000;
    private static final int FRAMES = 1 << 15;
    private static final int STREAM_BYTES = 1 << 22;
    private static final int FRAMES_IN_FLIGHT_MAX = 1 << 12;
    private static final long PROPAGATION_NANOS = 5_000;
    private static final long STAGGER_NANOS = 30_000;

    private final FramePool pool = new FramePool(FRAMES, 2048);
    private final Simulator simulator = new Simulator();
    private final SeededRandom random;
    private final List<HostStack> stacks = new ArrayList<>();
    private final List<SimNode> nodes = new ArrayList<>();
    private final List<PolledNode> loops = new ArrayList<>();
    private final List<BulkFlow> receivers = new ArrayList<>();
    private final SwitchPipeline pipeline;
    private final int senderCount;

    /** How late a loop is. */
    @FunctionalInterface
    public interface Lateness {
        /** {@return how long the next look, or the handing over of its frames, takes} */
        long nextNanos(SeededRandom random);
    }

    /**
     * Builds the network and starts a flow of each sender.
     *
     * @param look how long a loop is away between two looks
     * @param handover how long it takes to hand over what a look has taken
     * @param stampsArrivals whether ports say when frames came
     */
    public LateHosts(
            int senders, ProtocolConfig protocol, Lateness look, Lateness handover, boolean stampsArrivals, long seed) {
        random = new SeededRandom(seed);
        senderCount = senders;
        List<SwitchPortConfig> ports = new ArrayList<>();
        for (int i = 0; i <= senders; i++) {
            ports.add(SwitchPortConfig.builder(RATE_BPS).build());
        }
        pipeline = new SwitchPipeline(ports, pool, random.nextLong());
        SimNode middle = simulator.add("sw", pipeline);
        for (int i = 0; i <= senders; i++) {
            pipeline.addRoute(TestNetwork.mac(i + 1), i);
            SimNode host = simulator.add("h" + i, newHost(i, protocol, look, handover, stampsArrivals));
            nodes.add(host);
            simulator.connect(host.port(0), middle.port(i), RATE_BPS, PROPAGATION_NANOS);
        }
        for (int i = 0; i < senders; i++) {
            start(i);
        }
    }

    private PolledNode newHost(
            int index, ProtocolConfig protocol, Lateness look, Lateness handover, boolean stampsArrivals) {
        StreamLimits usual = StreamLimits.DEFAULT;
        HostConfig config = HostConfig.builder(
                        TestNetwork.mac(index + 1), List.of(TestNetwork.address(index + 1)), RATE_BPS)
                .payload(Payload.ELIDED)
                .slack(Slack.LIVE)
                .streams(StreamLimits.fixed(STREAM_BYTES, STREAM_BYTES)
                        .withGapsMax(usual.gapsMax())
                        .withFramesInFlightMax(FRAMES_IN_FLIGHT_MAX)
                        .withAckFrames(usual.ackFrames()))
                .build();
        ProtocolFactory factory = protocol.newFactory(random.split());
        SeededRandom secrets = random.split();
        SeededRandom looks = random.split();
        SeededRandom handovers = random.split();
        HostStack stack = new HostStack(config, pool, List.of(factory), secrets::nextLong);
        ReceiveDelay interval = () -> look.nextNanos(looks);
        ReceiveDelay handing = () -> handover.nextNanos(handovers);
        PolledNode loop = new PolledNode(stack, interval, handing, stampsArrivals);
        stacks.add(stack);
        loops.add(loop);
        return loop;
    }

    private void start(int index) {
        BulkFlow sender = BulkFlow.sender();
        BulkFlow receiver = BulkFlow.receiver();
        receivers.add(receiver);
        int port = TestNetwork.PORT + index;
        stacks.get(senderCount).listen(port, incoming -> receiver);
        Path path = Path.from(TestNetwork.mac(index + 1), TestNetwork.address(index + 1), 40_000 + index)
                .to(TestNetwork.mac(senderCount + 1), TestNetwork.address(senderCount + 1), port);
        HostStack stack = stacks.get(index);
        simulator.at(1 + index * STAGGER_NANOS, nodes.get(index), () -> {
            stack.tick(simulator.nowNanos());
            sender.fillEarly(stack.connect(path, sender));
        });
    }

    /** Runs until {@code untilNanos}. */
    public void run(long untilNanos) {
        simulator.run(untilNanos);
    }

    /** {@return payload that has come from all senders} */
    public long receivedBytes() {
        return receivers.stream().mapToLong(BulkFlow::receivedBytes).sum();
    }

    /** {@return what so much payload per so much time is of a link, with all that a full frame has around it} */
    public static double share(long payloadBytes, long nanos) {
        return payloadBytes * 8e9 / nanos / RATE_BPS * Bottleneck.WIRE_BYTES / Bottleneck.SEGMENT_BYTES;
    }

    /** {@return a meter of the switch's queue from now on} */
    public QueueMeter meter() {
        QueueMeter meter = new QueueMeter(pipeline.port(senderCount).dataQueueBytes(), simulator.nowNanos());
        pipeline.port(senderCount).setQueueMeter(meter);
        return meter;
    }

    @Override
    public void close() {
        stacks.forEach(HostStack::close);
        loops.forEach(PolledNode::close);
        simulator.close();
    }
}
