package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Platform;
import io.weir.nic.net.Capabilities;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * AF_XDP, for {@link io.weir.transport.socket.Transport#open(String)}: an interface of the process's own namespace.
 *
 * <p>A further transport of this process on the same interface gets its frames by AF_PACKET: the queues are the first
 * one's (docs/adr/0022-many-queues.md).
 */
public final class AfXdpBackend implements Backend {
    /** By what the backend is asked for. */
    public static final String NAME = "afxdp";

    private static final Logger LOG = LoggerFactory.getLogger(AfXdpBackend.class);

    /** For the service loader. */
    public AfXdpBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void requireOpenable(String interfaceName) throws IOException {
        Platform.require();
        frameCapacityBytes(interfaceName);
        if (!isTakenByThisProcess(NetNamespace.own(), interfaceName)) {
            // A further transport opens by AF_PACKET, which needs less.
            Capabilities.requireForXdp();
        }
    }

    @Override
    public NetInterface open(
            String interfaceName, FramePool pool, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        return AfXdpInterface.open(config(interfaceName, config, furtherAddresses), pool);
    }

    @Override
    public Opened open(String interfaceName, PortConfig config, List<InetAddress> furtherAddresses) throws IOException {
        return open(config(interfaceName, config, furtherAddresses), config.frameCount());
    }

    private static AfXdpConfig config(String interfaceName, PortConfig port, List<InetAddress> furtherAddresses) {
        return AfXdpConfig.host(interfaceName)
                .addresses(furtherAddresses)
                .build()
                .with(port);
    }

    /**
     * {@return an interface with a pool for it alone} By AF_XDP, or by AF_PACKET where another transport of this
     * process has the interface's queues.
     *
     * @param frameCount frames of the pool, or 0 for as many as queues and rings need
     */
    public static Opened open(AfXdpConfig config, int frameCount) throws IOException {
        NetNamespace namespace = NetNamespace.of(config.namespace());
        String name = config.interfaceName();
        try {
            FramePool pool = newPools(namespace, config, 1, frameCount).get(0);
            return new Opened(AfXdpInterface.open(config, pool), pool);
        } catch (NicException e) {
            if (!isTakenByThisProcess(namespace, name)) {
                throw e;
            }
            LOG.info("interface={} queues=\"of another transport of this process\" backend=af-packet", name);
            int packetFrames = PortConfig.DEFAULT.withFrameCount(frameCount).frameCountOrDefault();
            return PacketBackend.openWithPool(namespace, name, packetFrames, config.addresses());
        }
    }

    @Override
    public List<Opened> openQueues(
            String interfaceName, int loopCount, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        return openQueues(config(interfaceName, config, furtherAddresses), loopCount, config.frameCount());
    }

    @Override
    public List<NetInterface> openQueues(
            String interfaceName, List<FramePool> pools, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        return List.copyOf(AfXdpInterface.openQueues(config(interfaceName, config, furtherAddresses), pools));
    }

    /**
     * {@return an interface for so many loops, each with a part of its queues and a pool}
     *
     * @param frameCount frames of each pool, or 0 for as many as queues and rings need
     */
    public static List<Opened> openQueues(AfXdpConfig config, int loopCount, int frameCount) throws IOException {
        NetNamespace namespace = NetNamespace.of(config.namespace());
        String name = config.interfaceName();
        try {
            List<FramePool> pools = newPools(namespace, config, loopCount, frameCount);
            List<Opened> opened = new ArrayList<>();
            for (AfXdpInterface queue : AfXdpInterface.openQueues(config, pools)) {
                opened.add(new Opened(queue, pools.get(opened.size())));
            }
            return opened;
        } catch (NicException e) {
            if (!isTakenByThisProcess(namespace, name)) {
                throw e;
            }
            throw new NicException(
                    "queueCount=" + loopCount + ", and the queues of " + name + " belong to another transport of this"
                            + " process already; a further one has one loop (queueCount=1), over AF_PACKET",
                    e);
        }
    }

    private static List<FramePool> newPools(NetNamespace namespace, AfXdpConfig config, int count, int frameCount)
            throws NicException {
        return namespace.call(() -> newPools(config, count, frameCount));
    }

    private static List<FramePool> newPools(AfXdpConfig config, int count, int frameCount) throws NicException {
        InterfaceFacts device = Interfaces.findEthernet(config.interfaceName());
        int queueCount = config.queues().isEmpty()
                ? device.receiveQueueCount()
                : config.queues().size();
        int queuesEachMax = Math.max(1, (queueCount + count - 1) / count);
        FramePlan plan = FramePlan.of(queuesEachMax, frameCount, config.ringSizes());
        int slotBytes = AfXdpInterface.slotBytes(config, device, device.mtuBytes());
        List<FramePool> pools = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pools.add(plan.newPool(slotBytes));
        }
        return pools;
    }

    private static boolean isTakenByThisProcess(NetNamespace namespace, String interfaceName) {
        try {
            return HostPrograms.has(
                    namespace.call(() -> Interfaces.find(interfaceName)).xdpProgramId());
        } catch (NicException e) {
            // The interface is gone; what was refused before says more.
            return false;
        }
    }

    @Override
    public int frameCapacityBytes(String interfaceName) throws IOException {
        InterfaceFacts device = Interfaces.findEthernet(interfaceName);
        return AfXdpInterface.slotBytes(AfXdpConfig.host(interfaceName).build(), device, device.mtuBytes());
    }
}
