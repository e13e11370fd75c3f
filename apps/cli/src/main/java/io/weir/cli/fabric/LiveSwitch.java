package io.weir.cli.fabric;

import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.nic.xdp.PollWaiter;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A software switch over AF_XDP ports that share one pool: frames cross it without being copied. */
public final class LiveSwitch implements AutoCloseable {
    /**
     * One port of the switch.
     *
     * @param netPort how its interface is opened; made with {@link AfXdpConfig#switchPort}
     * @param config its queues, meters and link
     */
    public record Port(AfXdpConfig netPort, SwitchPortConfig config) {}

    private final SwitchPipeline pipeline;
    private final List<PortInfo> portInfos;
    private final EventLoop loop;

    private LiveSwitch(SwitchPipeline pipeline, List<PortInfo> portInfos, EventLoop loop) {
        this.pipeline = pipeline;
        this.portInfos = portInfos;
        this.loop = loop;
    }

    /**
     * Opens every port and starts to forward. Nothing stays open if a port cannot be opened.
     *
     * @param frameCount frames in the pool, for all ports' rings and queues
     */
    public static LiveSwitch start(List<Port> ports, int frameCount, IdleMode idleMode, long seed) throws IOException {
        FramePool pool = new FramePool(frameCount, slotBytes(ports));
        SwitchPipeline pipeline =
                new SwitchPipeline(ports.stream().map(Port::config).toList(), pool, seed);
        AfXdp afXdp = new AfXdp(pool);
        try {
            List<NetPort> netPorts = new ArrayList<>();
            for (Port port : ports) {
                AfXdpPort netPort = afXdp.open(port.netPort());
                netPorts.add(netPort);
            }
            List<PortInfo> infos = netPorts.stream().map(NetPort::info).toList();
            int[] descriptors =
                    netPorts.stream().mapToInt(NetPort::pollFileDescriptor).toArray();
            EventLoop loop = new EventLoop(
                    "weir-switch",
                    List.of(new NodeBinding(pipeline, netPorts)),
                    idleMode,
                    new PollWaiter(descriptors),
                    pipeline::close);
            loop.start();
            return new LiveSwitch(pipeline, infos, loop);
        } catch (IOException | RuntimeException e) {
            afXdp.close();
            throw e;
        }
    }

    private static int slotBytes(List<Port> ports) {
        int mtuBytes = ports.stream()
                .mapToInt(port -> port.config().mtuBytes())
                .max()
                .orElseThrow(() -> new IllegalArgumentException("a switch needs ports"));
        return AfXdpInterface.slotBytes(mtuBytes);
    }

    /** {@return the switch, which belongs to the loop's thread; its counters may be read by any} */
    public SwitchPipeline pipeline() {
        return pipeline;
    }

    /** {@return what each port is and how it came to be so} */
    public List<PortInfo> portInfos() {
        return portInfos;
    }

    /** {@return the loop that drives the switch} */
    public EventLoop loop() {
        return loop;
    }

    /** Runs a task on the loop's thread, once. */
    public void execute(LoopTask task) {
        loop.execute(task);
    }

    /** Ends forwarding and gives back the interfaces. */
    @Override
    public void close() {
        loop.close();
    }
}
