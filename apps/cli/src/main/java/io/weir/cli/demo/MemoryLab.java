package io.weir.cli.demo;

import io.weir.cli.fabric.DumbbellSwitches;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.ParkWaiter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The same network without a kernel: for users without privileges. Each host can be opened once. */
final class MemoryLab implements DemoLab {
    private static final int SLOT_BYTES = 2048;

    private final Map<Side, HostPort> hosts = new EnumMap<>(Side.class);
    private final List<PortInfo> switchPorts = new ArrayList<>();
    private final DumbbellSwitches switches;

    MemoryLab(DemoPlan plan) {
        MemoryNetwork network = new MemoryNetwork();
        FramePool switchPool = new FramePool(SWITCH_FRAMES, SLOT_BYTES);
        ParkWaiter waiter = new ParkWaiter();
        List<MemoryLink.MemoryPort> ports = new ArrayList<>();
        for (Side side : Side.values()) {
            FramePool pool = new FramePool(HOST_FRAMES, SLOT_BYTES);
            MemoryLink link = new MemoryLink(
                    MemoryLink.info("host-" + side, side.macAddress(), DemoPlan.MTU_BYTES, plan.hostBps()),
                    pool,
                    MemoryLink.info("switch-" + side, 0, DemoPlan.MTU_BYTES, plan.hostBps()),
                    switchPool);
            link.right().setWaiter(waiter);
            ports.add(link.right());
            switchPorts.add(link.right().info());
            hosts.put(side, new HostPort(network.attach(link.left(), side.address()), pool));
        }
        switches = new DumbbellSwitches(
                ports.get(0),
                ports.get(1),
                switchPool,
                DemoLab.hostPort(plan),
                DemoLab.trunkPort(plan),
                IdleMode.BACK_OFF,
                waiter,
                plan.seed());
        switches.start();
    }

    @Override
    public DumbbellSwitches switches() {
        return switches;
    }

    @Override
    public HostPort openHost(Side side) {
        HostPort host = hosts.remove(side);
        if (host == null) {
            throw new IllegalStateException("the " + side + " host of a laboratory in memory was opened before");
        }
        return host;
    }

    @Override
    public Optional<NetNamespace> namespace(Side side) {
        return Optional.empty();
    }

    @Override
    public List<PortInfo> switchPorts() {
        return List.copyOf(switchPorts);
    }

    @Override
    public void close() {
        switches.close();
    }
}
