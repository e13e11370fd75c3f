package io.weir.cli.demo;

import io.weir.cli.fabric.DumbbellSwitches;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.host.PollWaiter;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.Capabilities;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.IdleMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Three network namespaces, two hosts' and the switches', joined by veth pairs. AF_XDP ports take over the switches'
 * ends, and ports of the backend that was asked for the hosts'.
 */
final class NamespaceLab implements DemoLab {
    private static final String HOST_INTERFACE = "weir0";
    private static final int PREFIX_BITS = 24;

    private final Lab lab;
    private final Map<Side, NetNamespace> hosts = new EnumMap<>(Side.class);
    private final List<PortInfo> switchPorts = new ArrayList<>();
    private final int slotBytes = AfXdpInterface.slotBytes(DemoPlan.MTU_BYTES);
    private DumbbellSwitches switches;

    private final String backend;

    private NamespaceLab(Lab lab, String backend) {
        this.lab = lab;
        this.backend = backend;
    }

    /**
     * Builds the laboratory and starts the switches.
     *
     * @throws io.weir.nic.NicException if this machine or user cannot; nothing stays behind
     */
    static NamespaceLab create(DemoPlan plan, String backend) throws IOException {
        Capabilities.requireForXdp();
        NamespaceLab created = new NamespaceLab(Lab.create(), backend);
        try {
            created.build(plan);
            return created;
        } catch (IOException | RuntimeException e) {
            created.close();
            throw e;
        }
    }

    private void build(DemoPlan plan) throws IOException {
        NetNamespace middle = lab.namespace("switches");
        FramePool pool = new FramePool(SWITCH_FRAMES, slotBytes);
        AfXdp afXdp = new AfXdp(pool);
        try {
            List<AfXdpPort> ports = new ArrayList<>();
            for (Side side : Side.values()) {
                NetNamespace host = lab.namespace(side.toString());
                hosts.put(side, host);
                lab.link(LabLink.between(
                        new LabEnd(host, HOST_INTERFACE, side.addressText() + "/" + PREFIX_BITS),
                        new LabEnd(middle, side.toString())));
                AfXdpPort port = afXdp.open(AfXdpConfig.switchPort(side.toString())
                        .namespace(middle.name())
                        .build());
                ports.add(port);
                switchPorts.add(port.info());
            }
            switches = new DumbbellSwitches(
                    ports.get(0),
                    ports.get(1),
                    pool,
                    DemoLab.hostPort(plan),
                    DemoLab.trunkPort(plan),
                    IdleMode.BACK_OFF,
                    new PollWaiter(
                            ports.get(0).pollFileDescriptor(), ports.get(1).pollFileDescriptor()),
                    plan.seed());
            switches.start();
        } catch (IOException | RuntimeException e) {
            afXdp.close();
            throw e;
        }
    }

    @Override
    public DumbbellSwitches switches() {
        return switches;
    }

    @Override
    public HostPort openHost(Side side) throws IOException {
        NetNamespace host = hosts.get(side);
        if (backend.equals(DpdkBackend.NAME)) {
            Backend.Opened opened = DpdkBackend.open(host, device(side), HOST_FRAMES);
            return new HostPort(opened.netInterface(), opened.pool());
        }
        FramePool pool = new FramePool(HOST_FRAMES, slotBytes);
        if (backend.equals(PacketBackend.NAME)) {
            return new HostPort(PacketBackend.open(host, HOST_INTERFACE, pool, List.of()), pool);
        }
        AfXdpConfig config =
                AfXdpConfig.host(HOST_INTERFACE).namespace(host.name()).build();
        return new HostPort(AfXdpInterface.open(config, pool), pool);
    }

    /** A device that needs no hardware: DPDK takes over a host's end of its veth pair. */
    private static String device(Side side) {
        return "device=net_af_packet" + side.ordinal() + ",iface=" + HOST_INTERFACE + ";address=" + side.addressText()
                + "/" + PREFIX_BITS + ";eal=--no-huge -m 512";
    }

    @Override
    public Optional<NetNamespace> namespace(Side side) {
        return Optional.of(hosts.get(side));
    }

    @Override
    public List<PortInfo> switchPorts() {
        return List.copyOf(switchPorts);
    }

    @Override
    public void close() {
        if (switches != null) {
            switches.close();
        }
        lab.close();
    }
}
