package io.weir.cli.demo;

import io.weir.cli.fabric.DumbbellSwitches;
import io.weir.nic.net.NetNamespace;
import io.weir.pacer.PauseBudget;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.switching.SwitchPortConfig;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Two hosts and the switches between them, on real ports or in memory. */
interface DemoLab extends AutoCloseable {
    /** Frames of the switches' pool: four rings, two data queues and what the links hold. */
    int SWITCH_FRAMES = 1 << 14;
    /** Frames of a host's pool. */
    int HOST_FRAMES = 1 << 13;
    /**
     * How far links may catch up when their loop comes late: without it every poll between two frames costs bandwidth.
     */
    long CATCH_UP_NANOS = 50_000;
    /** What may wait for a host's own link: as much as a kernel's default transmit queue of 1000 frames. */
    long HOST_QUEUE_BYTES = 1_000L * DemoPlan.DATA_WIRE_BYTES;

    /** What the sending host and the trunk's own switch make up for meets in the trunk's queue. */
    PauseBudget PAUSES = PauseBudget.within(PauseBudget.PORT_BUFFER_BYTES, 2);

    /** A host's interface and the pool that its frames come from. */
    record HostPort(NetInterface netInterface, FramePool pool) {}

    /** {@return the switches} */
    DumbbellSwitches switches();

    /** Opens the interface of a host for Weir. */
    HostPort openHost(Side side) throws IOException;

    /** {@return the namespace of a host, or nothing where no kernel is involved} */
    Optional<NetNamespace> namespace(Side side);

    /** {@return what the switches' ports to the hosts are} */
    List<PortInfo> switchPorts();

    @Override
    void close();

    /** {@return the port to a host: it plays the host's link, both ways} */
    static SwitchPortConfig hostPort(DemoPlan plan) {
        return SwitchPortConfig.builder(plan.hostBps())
                .dataQueueBytesMax(plan.dataQueueBytes())
                .pauses(PAUSES)
                .link(new SwitchPortConfig.LinkEmulation(
                        true, plan.propagationNanos(), HOST_QUEUE_BYTES, CATCH_UP_NANOS))
                .build();
    }

    /** {@return the ports of the trunk} */
    static SwitchPortConfig trunkPort(DemoPlan plan) {
        return SwitchPortConfig.builder(plan.bottleneckBps())
                .dataQueueBytesMax(plan.dataQueueBytes())
                .pauses(PAUSES)
                .link(new SwitchPortConfig.LinkEmulation(false, 0, 0, CATCH_UP_NANOS))
                .build();
    }
}
