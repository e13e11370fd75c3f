package io.weir.transport.lab;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.scenario.Fault.Impairment;
import io.weir.transport.sim.FaultInjector;
import io.weir.transport.sim.FaultyHost;
import io.weir.transport.sim.FrameHoard;
import io.weir.transport.sim.LinkFault;
import io.weir.transport.sim.SimLink;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.SimPort;
import io.weir.transport.sim.Simulator;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The network of a schedule: hosts on a link, or around a switch, with the links' faults. */
final class ScheduleNetwork {
    private final Schedule schedule;
    private final FramePool pool;
    private final SeededRandom random;
    private final Simulator simulator = new Simulator();
    private final LabHost[] hosts;
    private final SimNode[] nodes;
    private final CreditPortConfig credits;
    private final FrameHoard smallPool;
    private final FrameHoard exhaustion;
    private final LinkFault fault;
    private SwitchPipeline pipeline;

    /**
     * Builds the network.
     *
     * @param pool all of whose frames are free
     * @param onBoot what each new stack is given before it runs
     * @param log or null
     * @param fault what takes the place of the schedule's bad links, or null
     */
    ScheduleNetwork(Schedule schedule, FramePool pool, Consumer<HostStack> onBoot, LabLog log, LinkFault fault) {
        this.fault = fault;
        this.schedule = schedule;
        this.pool = pool;
        random = new SeededRandom(schedule.seed);
        CreditShape shape = CreditShape.permitting(1538).withWireBytes(84, 92);
        credits = CreditPortConfig.exact(schedule.linkRateBps, shape, 10_000, 2).withDrop(schedule.creditDrop);
        smallPool = new FrameHoard(pool);
        smallPool.takeAllBut(schedule.frameCount);
        exhaustion = new FrameHoard(pool);
        hosts = new LabHost[schedule.hostCount];
        nodes = new SimNode[schedule.hostCount];
        for (int i = 0; i < hosts.length; i++) {
            addHost(i, onBoot, log);
        }
        connect();
        if (log != null) {
            simulator.setTrace((link, frame, nowNanos) -> log.frame(nowNanos, link.from() + " ->", frame));
        }
    }

    private void addHost(int index, Consumer<HostStack> onBoot, LabLog log) {
        HostConfig config = HostConfig.builder(TestNetwork.mac(index), List.of(address(index)), schedule.linkRateBps)
                .credits(credits)
                .streams(schedule.streams)
                .connections(64, schedule.backlogMax)
                .creditFramesMax(schedule.creditFramesMax[index])
                .build();
        SeededRandom own = random.split();
        FaultyHost host = new FaultyHost(() -> {
            ProtocolFactory protocol = schedule.protocol.newFactory(own.split());
            HostStack stack = new HostStack(config, pool, List.of(protocol), own::nextLong);
            onBoot.accept(stack);
            return stack;
        });
        hosts[index] = new LabHost("h" + index, host, schedule, log);
        nodes[index] = simulator.add("h" + index, hosts[index]);
    }

    private void connect() {
        if (hosts.length == 2) {
            connect(0, nodes[1].port(0));
            return;
        }
        List<SwitchPortConfig> ports = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            ports.add(SwitchPortConfig.builder(schedule.linkRateBps)
                    .credits(credits)
                    .dataQueueBytesMax(schedule.dataQueueBytesMax)
                    .ecn(schedule.ecn)
                    .policies(schedule.policies)
                    .build());
        }
        pipeline = new SwitchPipeline(ports, pool, random.nextLong());
        SimNode node = simulator.add("sw", pipeline);
        for (int i = 0; i < hosts.length; i++) {
            pipeline.addRoute(TestNetwork.mac(i), i);
            connect(i, node.port(i));
        }
    }

    private void connect(int host, SimPort to) {
        simulator.connect(nodes[host].port(0), to, schedule.linkRateBps, schedule.propagationNanos);
        inject(to.node().link(to.index()), schedule.links[host][0]);
        inject(nodes[host].link(0), schedule.links[host][1]);
    }

    private void inject(SimLink link, LinkPlan plan) {
        if (fault != null) {
            link.setFault(fault);
            return;
        }
        if (plan.impairment().equals(Impairment.NONE) && plan.replayPpm() == 0 && plan.cutNanos() == 0) {
            return;
        }
        FaultInjector injector = new FaultInjector(random.split(), Payload.CARRIED);
        long healNanos = schedule.healNanos;
        if (!plan.impairment().equals(Impairment.NONE)) {
            injector.impair(0, healNanos, plan.impairment());
        }
        if (plan.cutNanos() > 0) {
            injector.cut(plan.cutFromNanos(), healNanos, plan.cutNanos(), plan.cutEveryNanos());
        }
        if (plan.replayPpm() > 0) {
            injector.replay(0, healNanos, plan.replayPpm());
        }
        link.setFault(injector);
    }

    private IpAddress address(int host) {
        return schedule.isV6 ? IpAddress.v6(0xFD00_0000_0000_0000L, host + 1) : TestNetwork.address(host + 1);
    }

    /** {@return the way of a flow} */
    Path path(ScheduledFlow flow, int localPort, int remotePort) {
        return Path.from(TestNetwork.mac(flow.from()), address(flow.from()), localPort)
                .to(TestNetwork.mac(flow.to()), address(flow.to()), remotePort);
    }

    /** Does something at {@code atNanos} on behalf of a host. */
    void at(long atNanos, int host, Runnable action) {
        simulator.at(atNanos, nodes[host], () -> {
            hosts[host].stack().tick(simulator.nowNanos());
            action.run();
        });
    }

    /** Requires that each frame of the pool is free or with somebody who says so. */
    void requireSoundFrames() {
        int held = simulator.framesInFlight() + smallPool.framesHeld() + exhaustion.framesHeld();
        for (LabHost host : hosts) {
            held += host.host().framesHeld();
        }
        if (pipeline != null) {
            held += pipeline.framesHeld();
        }
        if (pool.count(FrameOwner.HELD) != held || pool.available() + held != pool.frameCount()) {
            throw new AssertionError("of " + pool.frameCount() + " frames " + pool.available() + " are free, "
                    + pool.count(FrameOwner.HELD) + " held, and their holders know of " + held);
        }
    }

    /** {@return whether a host that wants a frame gets one} */
    boolean hasFreeFrames() {
        return pool.available() > 0;
    }

    LabHost host(int index) {
        return hosts[index];
    }

    LabHost[] hosts() {
        return hosts;
    }

    Simulator simulator() {
        return simulator;
    }

    /** {@return who keeps the frames when the pool is exhausted} */
    FrameHoard exhaustion() {
        return exhaustion;
    }

    /** Returns every frame, and requires that none is missing. */
    void close() {
        for (LabHost host : hosts) {
            host.host().close();
            host.requireBalance();
        }
        if (pipeline != null) {
            pipeline.close();
        }
        simulator.close();
        smallPool.giveBack();
        exhaustion.giveBack();
        if (pool.available() != pool.frameCount()) {
            throw new AssertionError((pool.frameCount() - pool.available()) + " frames are missing");
        }
    }
}
