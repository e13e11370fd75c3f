package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Platform;
import io.weir.nic.net.Capabilities;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
    public NetInterface open(String interfaceName, FramePool pool, List<InetAddress> furtherAddresses)
            throws IOException {
        return AfXdpInterface.open(
                AfXdpConfig.host(interfaceName).addresses(furtherAddresses).build(), pool);
    }

    @Override
    public Opened open(String interfaceName, int frameCount, List<InetAddress> furtherAddresses) throws IOException {
        return open(AfXdpConfig.host(interfaceName).addresses(furtherAddresses).build(), frameCount);
    }

    /**
     * {@return an interface with a pool for it alone} By AF_XDP, or by AF_PACKET where another transport of this
     * process has the interface's queues.
     */
    public static Opened open(AfXdpConfig config, int frameCount) throws IOException {
        NetNamespace namespace = NetNamespace.of(config.namespace());
        String name = config.interfaceName();
        try {
            int slotBytes = AfXdpInterface.slotBytes(
                    namespace.call(() -> Interfaces.findEthernet(name)).mtuBytes());
            FramePool pool = new FramePool(frameCount, slotBytes);
            return new Opened(AfXdpInterface.open(config, pool), pool);
        } catch (NicException e) {
            if (!isTakenByThisProcess(namespace, name)) {
                throw e;
            }
            LOG.info("interface={} queues=\"of another transport of this process\" backend=af-packet", name);
            return PacketBackend.openWithPool(namespace, name, frameCount, config.addresses());
        }
    }

    @Override
    public List<Opened> openQueues(
            String interfaceName, int queueCount, int frameCount, List<InetAddress> furtherAddresses)
            throws IOException {
        AfXdpConfig config =
                AfXdpConfig.host(interfaceName).addresses(furtherAddresses).build();
        return openQueues(config, queueCount, frameCount);
    }

    /** {@return an interface for so many loops, each with a part of its queues and a pool} */
    public static List<Opened> openQueues(AfXdpConfig config, int queueCount, int frameCount) throws IOException {
        NetNamespace namespace = NetNamespace.of(config.namespace());
        String name = config.interfaceName();
        try {
            int slotBytes = AfXdpInterface.slotBytes(
                    namespace.call(() -> Interfaces.findEthernet(name)).mtuBytes());
            List<FramePool> pools = IntStream.range(0, queueCount)
                    .mapToObj(i -> new FramePool(frameCount, slotBytes))
                    .toList();
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
                    "queueCount=" + queueCount + ", and the queues of " + name + " belong to another transport of this"
                            + " process already; a further one has one loop (queueCount=1), over AF_PACKET",
                    e);
        }
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
        return AfXdpInterface.slotBytes(Interfaces.findEthernet(interfaceName).mtuBytes());
    }
}
