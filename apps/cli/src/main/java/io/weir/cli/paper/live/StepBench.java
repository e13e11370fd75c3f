package io.weir.cli.paper.live;

import io.weir.nic.NicException;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.RingSizes;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Stamping;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.ParkWaiter;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Three hosts around a software switch: one fills the link to the second, and each segment of the third stays in the queue there for good.
 * The hosts share a loop and a core, the switch has the other.
 */
final class StepBench implements AutoCloseable {
    private static final int HOSTS = 3;
    private static final int SINK = 1;
    private static final int STEPPER = 2;
    private static final int POOL_FRAMES = 16_384;
    private static final int RING_FRAMES = 1024;
    private static final int SLOT_BYTES = 2048;
    /** More than steps and propagation need, so that the window never limits. */
    private static final int WINDOW_SEGMENTS = 150;

    private static final int SEGMENT_BYTES = 1424;

    private final Lab lab;
    private final List<LabEnd> ends = new ArrayList<>();
    private final NetNamespace switches;

    /** Makes the namespaces and links. */
    StepBench() throws IOException {
        lab = Lab.create();
        try {
            switches = lab.namespace("switch");
            for (int host = 0; host < HOSTS; host++) {
                LabEnd end = LiveHost.end(host, lab.namespace("host" + host));
                ends.add(end);
                lab.link(LabLink.between(end, new LabEnd(switches, "port" + host)));
            }
        } catch (IOException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    /**
     * What was measured.
     *
     * @param delays one-way, of the flow that fills the link
     * @param queue at the switch's port
     * @param ports of hosts and switch
     */
    record Measured(DelaySamples delays, QueueSeries queue, List<PortInfo> ports) {}

    /** {@return delays and queue while {@code steps} segments come, one each {@code stepNanos}} */
    Measured measure(long linkRateBps, int steps, long stepNanos) throws IOException {
        DelaySamples delays = new DelaySamples();
        List<LiveHost> hosts = new ArrayList<>();
        FramePool pool = new FramePool(POOL_FRAMES, SLOT_BYTES);
        AfXdp afXdp = new AfXdp(pool);
        try {
            for (int host = 0; host < HOSTS; host++) {
                DelayProbe probe = new DelayProbe(WINDOW_SEGMENTS, host == 0 ? delays : null);
                hosts.add(new LiveHost(host, ends.get(host), probe, linkRateBps, Stamping.CALIBRATED));
            }
            return run(hosts, openSwitch(afXdp, pool, linkRateBps), delays, new Steps(steps, stepNanos));
        } catch (IOException | RuntimeException e) {
            // Closing again what a loop has closed does nothing.
            hosts.forEach(host -> host.port().close());
            afXdp.close();
            throw e;
        }
    }

    private record Steps(int count, long gapNanos) {
        /** Before the first step, the compiler and the connections have their time. */
        long lengthNanos() {
            return 1_000_000_000L + (count + 1) * gapNanos;
        }
    }

    private record Switch(SwitchPipeline pipeline, List<NetPort> ports) {}

    private Switch openSwitch(AfXdp afXdp, FramePool pool, long linkRateBps) throws NicException {
        List<SwitchPortConfig> configs = new ArrayList<>();
        List<NetPort> ports = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            configs.add(SwitchPortConfig.builder(linkRateBps).unmetered().build());
            ports.add(afXdp.open(AfXdpConfig.switchPort("port" + host)
                    .namespace(switches.name())
                    .ringSizes(RingSizes.ofAll(RING_FRAMES))
                    .build()));
        }
        SwitchPipeline pipeline = new SwitchPipeline(configs, pool, 1);
        for (int host = 0; host < HOSTS; host++) {
            pipeline.addRoute(NetworkNodes.mac(host), host);
        }
        return new Switch(pipeline, ports);
    }

    private static Measured run(List<LiveHost> hosts, Switch fabric, DelaySamples delays, Steps steps)
            throws IOException {
        QueueSeries queue = new QueueSeries(
                fabric.pipeline().port(SINK), System.nanoTime(), (int) (steps.lengthNanos() / 1_000_000) + 1_000);
        List<PortInfo> infos = new ArrayList<>();
        hosts.forEach(host -> infos.add(host.port().info()));
        fabric.ports().forEach(port -> infos.add(port.info()));
        hosts.get(SINK).listen();
        Feed stepper = Feed.quiet();
        try (EventLoop edge = hostLoop(hosts);
                EventLoop core = switchLoop(fabric, queue)) {
            delays.watch(() -> edge.monitor().stallCount() + core.monitor().stallCount());
            core.start();
            edge.start();
            edge.execute(now -> hosts.get(0).connect(hosts.get(SINK), Feed.bulk(), now));
            edge.execute(now -> hosts.get(STEPPER).connect(hosts.get(SINK), stepper, now));
            BackToBack.sleep(1_000_000_000L);
            for (int i = 0; i < steps.count(); i++) {
                edge.execute(now -> {
                    hosts.get(STEPPER).stack().tick(now);
                    stepper.write(SEGMENT_BYTES);
                });
                BackToBack.sleep(steps.gapNanos());
            }
            BackToBack.requireHealthy(edge);
            BackToBack.requireHealthy(core);
        }
        return new Measured(delays, queue, infos);
    }

    private static EventLoop hostLoop(List<LiveHost> hosts) {
        return new EventLoop(
                "weir-live-hosts",
                hosts.stream().map(LiveHost::binding).toList(),
                IdleMode.BUSY_SPIN,
                new ParkWaiter(),
                () -> hosts.forEach(host -> host.stack().close()));
    }

    private static EventLoop switchLoop(Switch fabric, QueueSeries queue) {
        return new EventLoop(
                "weir-live-switch",
                List.of(new NodeBinding(fabric.pipeline(), fabric.ports()), new NodeBinding(queue, List.of())),
                IdleMode.BUSY_SPIN,
                new ParkWaiter(),
                fabric.pipeline()::close);
    }

    @Override
    public void close() {
        lab.close();
    }
}
