package io.weir.nic.switching;

import io.weir.nic.NicException;
import io.weir.nic.host.PollWaiter;
import io.weir.nic.host.SliceWaiter;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.runtime.ThreadTuning;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A software switch over ports that share one pool: between those of AF_XDP frames cross it without being copied.
 */
public final class LiveSwitch implements AutoCloseable {
    /**
     * One port of the switch.
     *
     * @param netPort what its interface is
     * @param config its queues, meters and link
     * @param addresses the Ethernet addresses that are behind it, whatever it learns; one of several ports is reached
     *     by all
     */
    public record Port(SwitchInterface netPort, SwitchPortConfig config, List<Long> addresses) {
        public Port {
            addresses = List.copyOf(addresses);
        }

        /** A port by AF_XDP that learns what is behind it. */
        public Port(AfXdpConfig netPort, SwitchPortConfig config) {
            this(new SwitchInterface.Xdp(netPort), config, List.of());
        }
    }

    /** How long a frame may wait at a port that wakes nobody. */
    private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final SwitchPipeline pipeline;
    private final List<NetPort> netPorts;
    private final EventLoop loop;

    private LiveSwitch(SwitchPipeline pipeline, List<NetPort> netPorts, EventLoop loop) {
        this.pipeline = pipeline;
        this.netPorts = netPorts;
        this.loop = loop;
    }

    /**
     * Opens every port and starts to forward. Nothing stays open if a port cannot be opened.
     *
     * @param frameCount frames in the pool, for all ports' rings and queues
     * @param scheduling what the loop's thread asks of the scheduler
     */
    public static LiveSwitch start(
            List<Port> ports, int frameCount, IdleMode idleMode, SchedulingConfig scheduling, long seed)
            throws IOException {
        ThreadTuning.find().requirePossible(scheduling);
        FramePool pool = new FramePool(frameCount, slotBytes(ports));
        SwitchPipeline pipeline =
                new SwitchPipeline(ports.stream().map(Port::config).toList(), pool, seed);
        addRoutes(pipeline, ports);
        AfXdp afXdp = new AfXdp(pool);
        List<NetPort> netPorts = new ArrayList<>();
        try {
            for (Port port : ports) {
                netPorts.add(port.netPort().open(afXdp));
            }
            int[] descriptors =
                    netPorts.stream().mapToInt(NetPort::pollFileDescriptor).toArray();
            EventLoop loop = new EventLoop(
                    "weir-switch",
                    List.of(new NodeBinding(pipeline, List.copyOf(netPorts))),
                    idleMode,
                    waiter(descriptors),
                    pipeline::close);
            loop.setScheduling(scheduling);
            loop.start();
            return new LiveSwitch(pipeline, List.copyOf(netPorts), loop);
        } catch (IOException | RuntimeException e) {
            netPorts.forEach(NetPort::close);
            throw e;
        }
    }

    private static Waiter waiter(int[] descriptors) throws NicException {
        Waiter poll = new PollWaiter(descriptors);
        boolean isEveryPortHeard = IntStream.of(descriptors).allMatch(descriptor -> descriptor >= 0);
        return isEveryPortHeard ? poll : new SliceWaiter(poll, SLICE_NANOS);
    }

    private static void addRoutes(SwitchPipeline pipeline, List<Port> ports) {
        Map<Long, List<Integer>> portsOf = new LinkedHashMap<>();
        for (int i = 0; i < ports.size(); i++) {
            for (long address : ports.get(i).addresses()) {
                portsOf.computeIfAbsent(address, added -> new ArrayList<>()).add(i);
            }
        }
        portsOf.forEach((address, indexes) -> pipeline.addRoute(
                address, indexes.stream().mapToInt(Integer::intValue).toArray()));
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
        return netPorts.stream().map(NetPort::info).toList();
    }

    /** {@return the loop that drives the switch} */
    public EventLoop loop() {
        return loop;
    }

    /** Runs a task on the loop's thread, once. */
    public void execute(LoopTask task) {
        loop.execute(task);
    }

    /**
     * {@return what the switch has counted and holds, once its thread gets to it} The windows of the queues' maxima
     * begin again. The answer never comes if the loop has ended.
     */
    public CompletableFuture<SwitchSample> sample() {
        CompletableFuture<SwitchSample> answer = new CompletableFuture<>();
        loop.offer(nowNanos -> answer.complete(take(nowNanos)));
        return answer;
    }

    private SwitchSample take(long nowNanos) {
        List<PortSample> ports = new ArrayList<>();
        for (int i = 0; i < netPorts.size(); i++) {
            ports.add(take(pipeline.port(i), netPorts.get(i)));
        }
        CycleMonitor monitor = loop.monitor();
        return new SwitchSample(
                nowNanos, ports, counts(pipeline.counters()), monitor.stallNanos(), monitor.stallCount());
    }

    private static PortSample take(SwitchPort port, NetPort netPort) {
        return new PortSample(
                counts(port.counters()),
                port.dataQueueBytes(),
                port.dataQueueBytesMax(),
                port.takeDataQueueBytesMax(),
                port.creditQueueFrames(),
                port.creditQueueFramesMax(),
                netPort.lostFrames(),
                netPort.failure());
    }

    private static Map<CounterId, Long> counts(Counters counters) {
        Map<CounterId, Long> counts = new EnumMap<>(CounterId.class);
        for (CounterId id : CounterId.values()) {
            counts.put(id, counters.get(id));
        }
        return counts;
    }

    /** Ends forwarding and gives back the interfaces. */
    @Override
    public void close() {
        loop.close();
    }
}
