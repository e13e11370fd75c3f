package io.weir.nic.switching;

import io.weir.nic.NicException;
import io.weir.nic.host.AdoptingPort;
import io.weir.nic.host.PollWaiter;
import io.weir.nic.host.SliceWaiter;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.ReplaceablePort;
import io.weir.transport.runtime.ReplaceableWaiter;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.runtime.ThreadTuning;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(LiveSwitch.class);
    /** How long a frame may wait at a port that wakes nobody. */
    private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    /** How often ports that ended are looked for. One look costs a few system calls, and none while all are there. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** How often it is asked whether the switch is empty, or its loop has ended. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SwitchPipeline pipeline;
    /** The pool, as ports by AF_XDP share it. Replaced by the loop's thread when the pool grows. */
    private volatile AfXdp afXdp;

    private final ReplaceableWaiter waiter;
    private final EventLoop loop;
    private final Thread keeper = new Thread(this::keepPorts, "weir-switch-ports");
    /** The ports in the pipeline's order. Replaced as a whole by the loop's thread. */
    private volatile List<LivePort> members;
    /** What its ports count, in the pipeline's order. Replaced as a whole by the loop's thread. */
    private volatile List<Counters> portCounters;
    /** Where others see what it counts. */
    private final SwitchCounters counterFiles;
    /** What was said last of a port that is away. The keeper's. */
    private String latestProblem = "";

    /** A port and what moves its frames. */
    private record LivePort(Port port, ReplaceablePort netPort) {}

    private LiveSwitch(
            SwitchPipeline pipeline,
            AfXdp afXdp,
            List<LivePort> members,
            ReplaceableWaiter waiter,
            EventLoop loop,
            SwitchCounters counterFiles) {
        this.counterFiles = counterFiles;
        this.portCounters = portCounters(pipeline, members.size());
        this.pipeline = pipeline;
        this.afXdp = afXdp;
        this.members = members;
        this.waiter = waiter;
        this.loop = loop;
    }

    /**
     * Opens every port and starts to forward. Nothing stays open if a port cannot be opened. Later, a port whose
     * interface was deleted is opened again when there is one of that name.
     *
     * @param frameCount frames in the pool, for all ports' rings and queues
     * @param scheduling what the loop's thread asks of the scheduler
     */
    public static LiveSwitch start(
            List<Port> ports, int frameCount, IdleMode idleMode, SchedulingConfig scheduling, long seed)
            throws IOException {
        ThreadTuning.find().requirePossible(scheduling);
        FramePool pool = newPool(frameCount, slotBytes(ports));
        SwitchPipeline pipeline = new SwitchPipeline(configs(ports), pool, seed);
        addRoutes(pipeline, ports);
        AfXdp afXdp = new AfXdp(pool);
        List<LivePort> members = new ArrayList<>();
        SwitchCounters counterFiles = SwitchCounters.open(CounterFolder.of(System::getProperty));
        try {
            for (Port port : ports) {
                members.add(new LivePort(port, new ReplaceablePort(open(port, afXdp))));
            }
            ReplaceableWaiter waiter = new ReplaceableWaiter(waiterFor(members));
            EventLoop loop = new EventLoop(
                    "weir-switch",
                    List.of(new NodeBinding(pipeline, netPorts(members))),
                    idleMode,
                    waiter,
                    pipeline::close);
            loop.setScheduling(scheduling);
            LiveSwitch live = new LiveSwitch(pipeline, afXdp, List.copyOf(members), waiter, loop, counterFiles);
            loop.setReport(live::report);
            counterFiles.setPorts(live.portInfos());
            loop.start();
            live.keeper.setDaemon(true);
            live.keeper.start();
            return live;
        } catch (IOException | RuntimeException e) {
            members.forEach(member -> member.netPort().close());
            counterFiles.close();
            throw e;
        }
    }

    private static List<Counters> portCounters(SwitchPipeline pipeline, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> pipeline.port(number).counters())
                .toList();
    }

    /** Shows what the switch has counted to who looks from outside. */
    private void report(CycleMonitor monitor, long nowNanos) {
        counterFiles.report(pipeline, portCounters, monitor, nowNanos);
        for (int i = 0; i < members.size(); i++) {
            LivePort member = members.get(i);
            counterFiles.report(i, member.port().netPort().name(), pipeline.port(i), member.netPort(), nowNanos);
        }
    }

    private static FramePool newPool(int frameCount, int slotBytes) {
        return new FramePool(framesOf(frameCount, slotBytes), slotBytes);
    }

    /** {@return so many frames, or as many as a pool can have} */
    private static int framesOf(int frameCount, int slotBytes) {
        return Math.min(frameCount, Integer.MAX_VALUE / slotBytes);
    }

    /** {@return a port that also sends what is queued of a pool before} */
    private static NetPort open(Port port, AfXdp afXdp) throws NicException {
        return new AdoptingPort(port.netPort().open(afXdp), afXdp.pool());
    }

    private static List<SwitchPortConfig> configs(List<Port> ports) {
        return ports.stream().map(Port::config).toList();
    }

    private static List<NetPort> netPorts(List<LivePort> members) {
        return members.stream().<NetPort>map(LivePort::netPort).toList();
    }

    private static Waiter waiterFor(List<LivePort> members) throws NicException {
        return waiterOf(members.stream()
                .map(LivePort::netPort)
                .filter(netPort -> !netPort.isRetired())
                .toList());
    }

    private static Waiter waiterOf(List<? extends NetPort> netPorts) throws NicException {
        int[] descriptors =
                netPorts.stream().mapToInt(NetPort::pollFileDescriptor).toArray();
        Waiter poll = new PollWaiter(descriptors);
        boolean isEveryPortHeard = IntStream.of(descriptors).allMatch(descriptor -> descriptor >= 0);
        return isEveryPortHeard ? poll : new SliceWaiter(poll, SLICE_NANOS);
    }

    // ---- ports that go and return

    private void keepPorts() {
        while (!loop.isClosed()) {
            for (LivePort member : members) {
                try {
                    if (member.netPort().end() != null || member.netPort().isRetired()) {
                        restore(member);
                    }
                } catch (IOException | RuntimeException e) {
                    say(member.port().netPort().name(), String.valueOf(e.getMessage()));
                }
            }
            if (counterFiles.isBehind(pipeline, portCounters)) {
                // The loop does not wake to report; it may sleep on what it moved last.
                loop.offer(nowNanos -> report(loop.monitor(), nowNanos));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Says each problem once. */
    private void say(String interfaceName, String problem) {
        if (!problem.equals(latestProblem)) {
            latestProblem = problem;
            LOG.warn("port={} cannot be opened again yet: {}", interfaceName, problem);
        }
    }

    private void restore(LivePort member) throws IOException {
        if (!member.netPort().isRetired()) {
            LOG.warn(
                    "port={} end=\"{}\"",
                    member.port().netPort().name(),
                    member.netPort().failure());
            onLoop(now -> retire(member));
        }
        if (member.port().netPort().isThere()) {
            onLoop(now -> reopen(member));
        }
    }

    /** Gives back what a dead port has, above all a descriptor that would end every sleep. Loop thread. */
    private void retire(LivePort member) throws NicException {
        if (members.contains(member)) {
            member.netPort().retire();
            waiter.replace(waiterFor(members));
        }
    }

    /** Loop thread: the pool is its own. */
    private void reopen(LivePort member) throws NicException {
        if (!members.contains(member) || !member.netPort().isRetired()) {
            return;
        }
        long startNanos = System.nanoTime();
        member.netPort().replace(open(member.port(), afXdp));
        boolean isHeard = false;
        try {
            waiter.replace(waiterFor(members));
            isHeard = true;
        } finally {
            if (!isHeard) {
                member.netPort().retire();
            }
        }
        LOG.info(
                "port={} is open again; forwarding paused for {} ms",
                member.port().netPort().name(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }

    /** Work on the loop's thread. */
    @FunctionalInterface
    private interface LoopWork {
        void run(long nowNanos) throws IOException;
    }

    /** Runs work on the loop's thread, and waits for it. */
    private void onLoop(LoopWork work) throws IOException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean isAsked = loop.offer(nowNanos -> {
            try {
                work.run(nowNanos);
                done.complete(null);
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        while (isAsked && !loop.awaitEnd(0)) {
            try {
                done.get(POLL_NANOS, TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                // The loop is busy, or ends.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the switch was changed");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException refusal) {
                    throw refusal;
                }
                throw (IOException) e.getCause();
            }
        }
        throw new IOException("the switch has ended");
    }

    // ---- changing it

    /**
     * Gives the switch other ports, or its ports other rates, queues, meters and marking, while it forwards. A port
     * that is there already keeps its counters and queues, and its interface stays open unless the pool has to grow.
     * While an interface is opened, nothing is forwarded.
     *
     * @param frameCount frames that the pool is to have at least
     * @return whether the pool has grown, for which every interface was opened again
     * @throws ConfigException if a port cannot change so, or there is no memory for the pool; then nothing has changed
     * @throws IOException if an interface cannot be opened; then nothing has changed, but that those which were closed
     *     for a larger pool are opened again as soon as the kernel lets them
     */
    public boolean reload(List<Port> ports, int frameCount) throws IOException {
        int slotBytes = Math.max(slotBytes(ports), afXdp.pool().frameCapacityBytes());
        boolean isGrowing = slotBytes > afXdp.pool().frameCapacityBytes()
                || framesOf(frameCount, slotBytes) > afXdp.pool().frameCount();
        FramePool larger = isGrowing ? allocate(frameCount, slotBytes) : null;
        onLoop(nowNanos -> {
            if (larger == null) {
                setPorts(ports, nowNanos);
            } else {
                grow(ports, larger, nowNanos);
            }
        });
        counterFiles.setPorts(portInfos());
        return isGrowing;
    }

    /** {@return a pool as large as the present one at least} The present one is needed until its frames have left. */
    private FramePool allocate(int frameCount, int slotBytes) {
        int frames =
                Math.max(framesOf(frameCount, slotBytes), framesOf(afXdp.pool().frameCount(), slotBytes));
        try {
            return newPool(frames, slotBytes);
        } catch (OutOfMemoryError e) {
            throw new ConfigException(
                    "the pool cannot grow from " + afXdp.pool().frameCount() + " frames of "
                            + afXdp.pool().frameCapacityBytes() + " bytes to " + frames + " of " + slotBytes + ": "
                            + e.getMessage()
                            + "; raise -XX:MaxDirectMemorySize, or start the switch again with this file",
                    e);
        }
    }

    /**
     * Opens every port again, with a larger pool: the kernel has the memory of the present one as long as a port is
     * open. What is queued stays where it is, and is copied when it leaves.
     */
    private void grow(List<Port> ports, FramePool larger, long nowNanos) throws IOException {
        List<LivePort> before = members;
        int[] indexes = new int[ports.size()];
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = indexOf(before, ports.get(i));
        }
        pipeline.requirePossible(configs(ports), indexes);
        long startNanos = System.nanoTime();
        before.forEach(member -> member.netPort().retire());
        AfXdp next = new AfXdp(larger);
        List<NetPort> opened = new ArrayList<>();
        Waiter nextWaiter = null;
        List<LivePort> after = new ArrayList<>();
        boolean isDone = false;
        try {
            for (int i = 0; i < indexes.length; i++) {
                opened.add(open(ports.get(i), next));
            }
            for (int i = 0; i < indexes.length; i++) {
                ReplaceablePort kept =
                        indexes[i] < 0 ? null : before.get(indexes[i]).netPort();
                after.add(new LivePort(ports.get(i), kept == null ? new ReplaceablePort(opened.get(i)) : kept));
            }
            nextWaiter = waiterOf(opened);
            isDone = true;
        } finally {
            if (!isDone) {
                opened.forEach(NetPort::close);
                reopenAll(before);
            }
        }
        for (int i = 0; i < indexes.length; i++) {
            if (indexes[i] >= 0) {
                after.get(i).netPort().replace(opened.get(i));
            }
        }
        afXdp = next;
        pipeline.setPool(larger);
        pipeline.setPorts(configs(ports), indexes, nowNanos);
        become(after, nextWaiter);
        LOG.info(
                "frames={} frameBytes={}: the pool has grown; forwarding paused for {} ms",
                larger.frameCount(),
                larger.frameCapacityBytes(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }

    /** As it was before; ports that cannot be opened now are looked after as those that have ended. */
    private void reopenAll(List<LivePort> retired) throws IOException {
        for (LivePort member : retired) {
            try {
                reopen(member);
            } catch (NicException e) {
                LOG.warn(
                        "port={} cannot be opened again yet: {}",
                        member.port().netPort().name(),
                        e.getMessage());
            }
        }
    }

    private void setPorts(List<Port> ports, long nowNanos) throws IOException {
        List<LivePort> before = members;
        List<LivePort> after = new ArrayList<>();
        List<NetPort> opened = new ArrayList<>();
        int[] indexes = new int[ports.size()];
        Waiter next = null;
        boolean isDone = false;
        try {
            for (int i = 0; i < indexes.length; i++) {
                Port port = ports.get(i);
                indexes[i] = indexOf(before, port);
                ReplaceablePort netPort = indexes[i] < 0
                        ? new ReplaceablePort(open(port, afXdp))
                        : before.get(indexes[i]).netPort();
                if (indexes[i] < 0) {
                    opened.add(netPort);
                }
                after.add(new LivePort(port, netPort));
            }
            next = waiterFor(after);
            pipeline.setPorts(configs(ports), indexes, nowNanos);
            isDone = true;
        } finally {
            if (!isDone) {
                opened.forEach(NetPort::close);
                if (next != null) {
                    next.close();
                }
            }
        }
        become(after, next);
    }

    /** Drives these ports from now on, which the pipeline has already; those that are not among them are closed. */
    private void become(List<LivePort> after, Waiter next) {
        addRoutes(pipeline, after.stream().map(LivePort::port).toList());
        List<NetPort> before = netPorts(members);
        List<NetPort> netPorts = netPorts(after);
        loop.setPorts(pipeline, netPorts);
        members = List.copyOf(after);
        portCounters = portCounters(pipeline, after.size());
        waiter.replace(next);
        before.stream().filter(port -> !netPorts.contains(port)).forEach(NetPort::close);
    }

    /** {@return which of the ports has this one's interface already, or -1} */
    private static int indexOf(List<LivePort> members, Port port) {
        for (int i = 0; i < members.size(); i++) {
            SwitchInterface known = members.get(i).port().netPort();
            SwitchInterface wanted = port.netPort();
            if (known.name().equals(wanted.name()) && Objects.equals(known.namespace(), wanted.namespace())) {
                if (!known.equals(wanted)) {
                    throw new ConfigException("port " + wanted.name()
                            + ": backend, queues, mode and rings cannot change while it is open; take the port out,"
                            + " reload, and put it in again");
                }
                return i;
            }
        }
        return -1;
    }

    /**
     * Takes no more frames in, and waits until those that the switch holds have left, by ports that are there.
     *
     * @param nanosMax how long to wait at most
     * @return frames that are left
     */
    public int drain(long nanosMax) throws IOException {
        onLoop(now -> members.forEach(member -> member.netPort().stopReceiving()));
        long startNanos = System.nanoTime();
        AtomicInteger left = new AtomicInteger();
        onLoop(now -> left.set(framesLeft()));
        while (left.get() > 0 && System.nanoTime() - startNanos < nanosMax) {
            LockSupport.parkNanos(POLL_NANOS);
            onLoop(now -> left.set(framesLeft()));
        }
        return left.get();
    }

    private int framesLeft() {
        int count = 0;
        for (int i = 0; i < members.size(); i++) {
            ReplaceablePort netPort = members.get(i).netPort();
            if (netPort.end() == null) {
                // What the kernel has not taken yet counts too.
                count += pipeline.port(i).framesHeld() + (netPort.nextFlushNanos() == Deadline.NO_DEADLINE ? 0 : 1);
            }
        }
        return count;
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

    private static int slotBytes(List<Port> ports) throws NicException {
        int mtuBytes = ports.stream()
                .mapToInt(port -> port.config().mtuBytes())
                .max()
                .orElseThrow(() -> new IllegalArgumentException("a switch needs ports"));
        int slotBytes = 0;
        for (Port port : ports) {
            slotBytes = Math.max(slotBytes, port.netPort().slotBytes(mtuBytes));
        }
        return slotBytes;
    }

    /** {@return the switch, which belongs to the loop's thread; its counters may be read by any} */
    public SwitchPipeline pipeline() {
        return pipeline;
    }

    /** {@return frames of the pool} */
    public int frameCount() {
        return afXdp.pool().frameCount();
    }

    /** {@return what each port is and how it came to be so} */
    public List<PortInfo> portInfos() {
        return netPorts(members).stream().map(NetPort::info).toList();
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
        for (int i = 0; i < members.size(); i++) {
            ports.add(take(pipeline.port(i), members.get(i).netPort()));
        }
        CycleMonitor monitor = loop.monitor();
        return new SwitchSample(
                nowNanos, ports, counts(pipeline.counters()), monitor.stallNanos(), monitor.stallCount());
    }

    private static PortSample take(SwitchPort port, NetPort netPort) {
        return new PortSample(
                counts(port.counters()),
                ingress(port),
                port.dataQueueBytes(),
                port.dataQueueBytesMax(),
                port.takeDataQueueBytesMax(),
                port.creditQueueFrames(),
                port.creditQueueFramesMax(),
                netPort.lostFrames(),
                netPort.failure());
    }

    private static List<IngressSample> ingress(SwitchPort port) {
        long[] dataQueued = port.dataQueuedByIngress();
        long[] dataDropped = port.dataDroppedByIngress();
        long[] creditsOffered = port.creditsOfferedByIngress();
        long[] creditsDropped = port.creditsDroppedByIngress();
        List<IngressSample> samples = new ArrayList<>();
        for (int i = 0; i < dataQueued.length; i++) {
            samples.add(new IngressSample(dataQueued[i], dataDropped[i], creditsOffered[i], creditsDropped[i]));
        }
        return samples;
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
        LockSupport.unpark(keeper);
        counterFiles.close();
    }
}
