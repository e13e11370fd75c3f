package io.weir.cli.lab;

import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.host.PollWaiter;
import io.weir.nic.lab.LabNetwork;
import io.weir.nic.lab.LabNodes;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.pacer.PauseBudget;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.runtime.ParkWaiter;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The network of a scenario for programs that bring their own traffic: its switches forward on their own thread,
 * and its hosts are interfaces to open, in network namespaces or in memory.
 */
public final class Laboratory implements AutoCloseable {
    /** The backend of hosts in memory. */
    public static final String MEMORY = "memory";

    /** Frames of a host's pool. */
    private static final int HOST_FRAMES = 1 << 13;

    private static final long ANSWER_SECONDS_MAX = 5;

    private final Wiring wiring;
    private final LabNodes nodes;
    /** Null in memory. */
    private final LabNetwork network;
    /** In memory, the hosts' interfaces that are not open yet, by the hosts' numbers. */
    private final Map<Integer, Backend.Opened> memoryHosts = new HashMap<>();

    private final QueueSampler sampler;
    /** Null until the switches' ports are open. */
    private EventLoop loop;

    /**
     * What a laboratory does beyond forwarding.
     *
     * @param pauses what its switches make up for of which the scenario says nothing
     * @param sampledAt the switch whose queue is sampled, or null
     * @param sampledTowards the node that its sampled port leads to, or null
     */
    public record Options(PauseBudget pauses, String sampledAt, String sampledTowards) {
        /** Switches that make up for nothing, and no samples. */
        public static final Options PLAIN = new Options(PauseBudget.NONE, null, null);
    }

    private Laboratory(Scenario scenario, Options options, Wiring wiring, LabNetwork network) {
        this.wiring = wiring;
        this.network = network;
        this.nodes =
                new LabNodes(scenario, wiring, LabNodes.services(scenario.withTraffic(List.of())), options.pauses());
        this.sampler = options.sampledAt() == null
                ? null
                : new QueueSampler(port(options.sampledAt(), options.sampledTowards()));
    }

    /**
     * {@return the network in namespaces: AF_XDP ports at the switches' ends}
     *
     * @throws io.weir.nic.NicException if this machine or user cannot; nothing stays behind
     */
    public static Laboratory inNamespaces(Scenario scenario, Options options) throws IOException {
        Wiring wiring = new Wiring(scenario.network());
        LabNetwork network = LabNetwork.create(wiring);
        try {
            Laboratory created = new Laboratory(scenario, options, wiring, network);
            created.nodes.openPorts(network, false);
            created.start(new PollWaiter(created.nodes.pollFileDescriptors()));
            return created;
        } catch (IOException | RuntimeException e) {
            network.close();
            throw e;
        }
    }

    /** {@return the same network without a kernel, for users without privileges; each host can be opened once} */
    public static Laboratory inMemory(Scenario scenario, Options options) throws IOException {
        Laboratory created = new Laboratory(scenario, options, new Wiring(scenario.network()), null);
        MemoryNetwork memory = new MemoryNetwork();
        ParkWaiter waiter = new ParkWaiter();
        created.nodes.openPorts(host -> List.of(), host -> created.memoryPort(host, memory, waiter));
        created.start(waiter);
        return created;
    }

    private NetPort memoryPort(int host, MemoryNetwork memory, Waiter waiter) {
        LinkSpec spec = wiring.hostLink(host);
        FramePool switchPool = nodes.pool();
        FramePool pool = new FramePool(HOST_FRAMES, switchPool.frameCapacityBytes());
        MemoryLink link = new MemoryLink(
                MemoryLink.info("host-" + wiring.name(host), NetworkNodes.mac(host), spec.mtuBytes(), spec.rateBps()),
                pool,
                MemoryLink.info("switch-" + wiring.name(host), 0, spec.mtuBytes(), spec.rateBps()),
                switchPool);
        link.right().setWaiter(waiter);
        memoryHosts.put(host, new Backend.Opened(memory.attach(link.left(), LabNetwork.address(host)), pool));
        return link.right();
    }

    private void start(Waiter waiter) {
        List<NodeBinding> bindings = new ArrayList<>();
        for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
            SwitchPipeline pipeline = nodes.nodes().switches().get(node - wiring.hostCount());
            bindings.add(new NodeBinding(pipeline, nodes.ports(node)));
        }
        if (sampler != null) {
            bindings.add(new NodeBinding(sampler, List.of()));
        }
        loop = new EventLoop("weir-lab-switches", bindings, IdleMode.BACK_OFF, waiter, nodes.nodes()::close);
        watch(List.of());
        loop.start();
    }

    /**
     * Opens the interface of a host.
     *
     * @param backend the name of the backend; in memory there is only one
     */
    public Backend.Opened openHost(int host, String backend) throws IOException {
        if (network == null) {
            Backend.Opened opened = memoryHosts.remove(host);
            if (opened == null) {
                throw new IllegalStateException(
                        "host " + wiring.name(host) + " of a laboratory in memory was opened before");
            }
            return opened;
        }
        NetNamespace namespace = network.host(host);
        if (backend.equals(DpdkBackend.NAME)) {
            Backend.Opened opened = DpdkBackend.open(namespace, network.device(host), HOST_FRAMES);
            // Its driver sets the interface's Ethernet address, at which the kernel forgets its neighbours.
            network.addNeighbours(host);
            return opened;
        }
        if (backend.equals(PacketBackend.NAME)) {
            return PacketBackend.openWithPool(namespace, LabNetwork.HOST_INTERFACE, HOST_FRAMES, List.of());
        }
        AfXdpConfig config = AfXdpConfig.host(LabNetwork.HOST_INTERFACE)
                .namespace(namespace.name())
                .build();
        return AfXdpBackend.open(config, HOST_FRAMES);
    }

    /** {@return the namespace of a host, or nothing where no kernel is involved} */
    public Optional<NetNamespace> namespace(int host) {
        return Optional.ofNullable(network).map(made -> made.host(host));
    }

    /** {@return what the switches' ports to hosts are, in the hosts' order} */
    public List<PortInfo> portsToHosts() {
        List<PortInfo> infos = new ArrayList<>();
        for (int host = 0; host < wiring.hostCount(); host++) {
            Wiring.Port own = wiring.ports(host).get(0);
            if (!wiring.isHost(own.peer())) {
                infos.add(nodes.ports(own.peer()).get(own.peerPort()).info());
            }
        }
        return infos;
    }

    /** {@return the port of a switch that leads to a node; its counters may be read by any thread} */
    public SwitchPort port(String at, String towards) {
        return nodes.nodes().ports().stream()
                .filter(port -> port.node().equals(at) && port.peer().equals(towards))
                .map(World.Port::port)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no port of " + at + " leads to " + towards));
    }

    /** {@return the loop that drives the switches} */
    public EventLoop loop() {
        return loop;
    }

    /** Sets which loops, next to the switches', must run for the queue's samples to mean something. */
    public void watch(Collection<CycleMonitor> hostLoops) {
        if (sampler != null) {
            List<CycleMonitor> all = new ArrayList<>(hostLoops);
            all.add(loop.monitor());
            sampler.watch(all);
        }
    }

    /** {@return what the sampled data queue held since the last call} */
    public QueueStats takeQueueStats() {
        return call(sampler::take);
    }

    private <T> T call(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        // An interrupt waits for the answer, which takes moments: it asks for the end of what is measured.
        boolean isInterrupted = Thread.interrupted();
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(ANSWER_SECONDS_MAX);
        try {
            loop.execute(now -> answer.complete(work.get()));
            while (true) {
                try {
                    return limit.get(answer);
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            throw new IllegalStateException(
                    "the switches' loop does not answer" + limit.remark() + "; failure: " + loop.failure(), e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** From now on hosts end, with their links if these are in memory. Any thread. */
    public void expectHostsEnd() {
        loop.expectPortEnd();
    }

    /** Fails if the loop has ended or a port has. */
    public void requireHealthy() throws IOException {
        String fault = fault(loop);
        if (fault != null) {
            throw new IOException(fault, loop.failure());
        }
    }

    /** {@return why a loop or one of its ports has ended, or null} */
    static String fault(EventLoop loop) {
        if (loop.failure() != null) {
            return "the lab's loop ended by a fault: " + loop.failure();
        }
        return loop.portFailure() == null ? null : "a port of the lab failed: " + loop.portFailure();
    }

    /** Ends forwarding and removes what was made. */
    @Override
    public void close() {
        loop.close();
        if (network != null) {
            network.close();
        }
    }
}
