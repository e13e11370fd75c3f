package io.weir.papers.live;

import io.weir.nic.lab.LabNetwork;
import io.weir.nic.net.NetNamespace;
import io.weir.pacer.SeededRandom;
import io.weir.transport.host.Stamping;
import io.weir.transport.node.PortInfo;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Wiring;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Two hosts on one veth pair: Weir's stack on both, or the kernel's. Weir's share a loop, as in a laboratory: two that
 * spin would take both cores of a small machine, and with them the kernel's work for the link between them.
 */
final class BackToBack implements AutoCloseable {
    private static final long WARM_UP_NANOS = 700_000_000;
    private static final long SEED_LEFT = 1;
    private static final long SEED_RIGHT = 2;

    private static final List<HostSpec> HOSTS = List.of(HostSpec.named("left"), HostSpec.named("right"));

    private final LabNetwork network;

    /** Makes the namespaces and the link. */
    BackToBack() throws IOException {
        LinkSpec link = new LinkTemplate(DelayMeasurement.LINK_RATE_BPS, 0).between("left", "right");
        network = LabNetwork.create(new Wiring(new Network(HOSTS, List.of(), List.of(link), Network.Multipath.ECMP)));
    }

    NetNamespace left() {
        return network.host(0);
    }

    NetNamespace right() {
        return network.host(1);
    }

    /**
     * What a flow told of round trips.
     *
     * @param samples of its acknowledgements
     * @param port what the sender's port was
     * @param cycles how often the loop looked at both ports
     */
    record Measured(DelaySamples samples, PortInfo port, CycleLengths cycles) {
        /** {@return round trips in virtual time, between hosts that are looked at as often} */
        List<Double> twinMicros(Stamping stamping) {
            return VirtualBackToBack.polled(
                    stamping, cycles.drawn(new SeededRandom(SEED_LEFT)), cycles.drawn(new SeededRandom(SEED_RIGHT)));
        }
    }

    /** Lets the compiler have its time, which real-time threads would not leave it. */
    void warmUp() throws IOException {
        for (Stamping stamping : Stamping.values()) {
            measure(
                    stamping,
                    new Load(DelayMeasurement.WINDOW_SEGMENTS, DelayMeasurement.LINK_RATE_BPS, WARM_UP_NANOS, false));
        }
    }

    /**
     * What a flow does: segments in flight, its host's rate, for how long, and whether loops may be real-time threads.
     */
    private record Load(int windowSegments, long linkRateBps, long nanos, boolean isRealTime) {}

    /** {@return what one flow of {@code windowSegments} in flight told in {@code nanos}} */
    Measured measure(Stamping stamping, int windowSegments, long linkRateBps, long nanos) throws IOException {
        return measure(stamping, new Load(windowSegments, linkRateBps, nanos, true));
    }

    private Measured measure(Stamping stamping, Load load) throws IOException {
        DelaySamples samples = new DelaySamples();
        LiveHost sender =
                new LiveHost(0, network, new DelayProbe(load.windowSegments(), samples), load.linkRateBps(), stamping);
        LiveHost receiver;
        try {
            receiver =
                    new LiveHost(1, network, new DelayProbe(load.windowSegments(), null), load.linkRateBps(), stamping);
        } catch (IOException e) {
            sender.port().close();
            throw e;
        }
        receiver.listen();
        CycleLengths cycles;
        try (LiveLoop loop = loop(sender, receiver, load)) {
            samples.watch(loop::calmNanos);
            cycles = loop.lengths();
            loop.execute(now -> sender.connect(receiver, LiveHost.source(), now));
            sleep(load.nanos());
            loop.requireHealthy();
        }
        return new Measured(samples, sender.port().info(), cycles);
    }

    private static LiveLoop loop(LiveHost sender, LiveHost receiver, Load load) {
        return new LiveLoop("weir-live", load.isRealTime(), List.of(sender.binding(), receiver.binding()), () -> {
            sender.stack().close();
            receiver.stack().close();
        });
    }

    static void sleep(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
