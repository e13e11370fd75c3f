package io.weir.papers.live;

import io.weir.cli.lab.QueueSampler;
import io.weir.nic.lab.LabNetwork;
import io.weir.nic.lab.LabNodes;
import io.weir.nic.xdp.AfXdp;
import io.weir.pacer.Slack;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Stamping;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.switching.SwitchPortConfig.LinkEmulation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Two hosts and a software switch between them, whose port to the second is half as fast as the first: of what the
 * first has in flight, all but what the way holds is in the queue there. Each step lets one segment more be in flight.
 * One loop drives them all, as in a laboratory.
 */
final class StepNetwork implements AutoCloseable {
    private static final int HOSTS = 2;
    private static final int SINK = 1;
    private static final int POOL_FRAMES = 16_384;
    private static final int SLOT_BYTES = 2048;
    /** A few more than the way holds, so that the queue is there from the first step on. */
    private static final int WINDOW_SEGMENTS = 8;

    private static final long WARM_UP_NANOS = 1_000_000_000L;

    private final LabNetwork network;

    /** Makes the namespaces and links. */
    StepNetwork() throws IOException {
        LinkTemplate edge = new LinkTemplate(DelayMeasurement.LINK_RATE_BPS, 0);
        network = LabNetwork.create(new Wiring(Lines.star(HOSTS, HostSpec.named("host"), edge)));
    }

    /**
     * What was measured.
     *
     * @param delays one-way, of the flow that fills the link
     * @param queue at the switch's port
     * @param ports of hosts and switch
     */
    record Measured(DelaySamples delays, QueueSampler queue, List<PortInfo> ports) {}

    /**
     * {@return delays and queue at a port of this rate while {@code steps} segments more come into flight, one each
     * {@code stepNanos}}
     */
    Measured measure(long portRateBps, int steps, long stepNanos) throws IOException {
        DelaySamples delays = new DelaySamples();
        List<LiveHost> hosts = new ArrayList<>();
        FramePool pool = new FramePool(POOL_FRAMES, SLOT_BYTES);
        AfXdp afXdp = new AfXdp(pool);
        try {
            DelayProbe probe = new DelayProbe(WINDOW_SEGMENTS, delays);
            for (int host = 0; host < HOSTS; host++) {
                DelayProbe other = host == SINK ? new DelayProbe(1, null) : probe;
                hosts.add(new LiveHost(host, network, other, 2 * portRateBps, Stamping.CALIBRATED));
            }
            return run(hosts, openSwitch(afXdp, pool, portRateBps), delays, new Steps(steps, stepNanos, probe));
        } catch (IOException | RuntimeException e) {
            // Closing again what a loop has closed does nothing.
            hosts.forEach(host -> host.port().close());
            afXdp.close();
            throw e;
        }
    }

    private record Steps(int count, long gapNanos, DelayProbe probe) {
        /** Before the first step, the compiler and the connections have their time. */
        long lengthNanos() {
            return WARM_UP_NANOS + (count + 1) * gapNanos;
        }
    }

    private record Switch(SwitchPipeline pipeline, List<NetPort> ports) {}

    private Switch openSwitch(AfXdp afXdp, FramePool pool, long portRateBps) throws IOException {
        List<SwitchPortConfig> configs = new ArrayList<>();
        List<NetPort> ports = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            configs.add(SwitchPortConfig.builder(host == SINK ? portRateBps : 2 * portRateBps)
                    .unmetered()
                    .link(new LinkEmulation(false, 0, 0, Slack.LIVE.catchUpNanos()))
                    .build());
            ports.add(LabNodes.openSwitchPort(network, host, afXdp));
        }
        SwitchPipeline pipeline = new SwitchPipeline(configs, pool, 1);
        for (int host = 0; host < HOSTS; host++) {
            pipeline.addRoute(NetworkNodes.mac(host), host);
        }
        return new Switch(pipeline, ports);
    }

    private static Measured run(List<LiveHost> hosts, Switch fabric, DelaySamples delays, Steps steps)
            throws IOException {
        QueueSampler queue = new QueueSampler(
                fabric.pipeline().port(SINK),
                (int) (steps.lengthNanos() / QueueSampler.WINDOW_NANOS) + 1_000,
                System::nanoTime);
        List<PortInfo> infos = new ArrayList<>();
        hosts.forEach(host -> infos.add(host.port().info()));
        fabric.ports().forEach(port -> infos.add(port.info()));
        hosts.get(SINK).listen();
        try (LiveLoop loop = loop(hosts, fabric, queue)) {
            delays.watch(loop::calmNanos);
            loop.execute(now -> hosts.get(0).connect(hosts.get(SINK), LiveHost.source(), now));
            BackToBack.sleep(WARM_UP_NANOS);
            for (int i = 0; i < steps.count(); i++) {
                loop.execute(now -> steps.probe().widen());
                BackToBack.sleep(steps.gapNanos());
            }
            loop.requireHealthy();
        }
        return new Measured(delays, queue, infos);
    }

    private static LiveLoop loop(List<LiveHost> hosts, Switch fabric, QueueSampler queue) {
        List<NodeBinding> bindings = new ArrayList<>();
        hosts.forEach(host -> bindings.add(host.binding()));
        bindings.add(new NodeBinding(fabric.pipeline(), fabric.ports()));
        bindings.add(new NodeBinding(queue, List.of()));
        return new LiveLoop("weir-live", true, bindings, () -> {
            hosts.forEach(host -> host.stack().close());
            fabric.pipeline().close();
        });
    }

    @Override
    public void close() {
        network.close();
    }
}
