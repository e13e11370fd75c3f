package io.weir.nic.packet;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Platform;
import io.weir.nic.host.HostInterface;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * AF_PACKET, for {@link io.weir.transport.socket.Transport#open(String)}: for kernels and drivers without AF_XDP. The
 * kernel handles each frame too, which costs its time, and nothing is attached to the interface.
 */
public final class PacketBackend implements Backend {
    /** By what the backend is asked for. */
    public static final String NAME = "af-packet";

    /** For the service loader. */
    public PacketBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void requireOpenable(String interfaceName) throws IOException {
        Platform.require();
        frameCapacityBytes(interfaceName);
    }

    @Override
    public NetInterface open(
            String interfaceName, FramePool pool, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        config.requireNoXdp(NAME);
        return open(NetNamespace.own(), interfaceName, pool, furtherAddresses);
    }

    /** {@return an interface of a network namespace, opened with {@code pool} as its memory} */
    public static HostInterface open(
            NetNamespace namespace, String interfaceName, FramePool pool, List<InetAddress> furtherAddresses)
            throws NicException {
        // A packet socket takes what every queue receives, also those that are added later.
        return HostInterface.open(
                namespace, interfaceName, furtherAddresses, false, plan -> List.of(PacketPort.open(plan, pool)));
    }

    /**
     * {@return an interface opened as the port of a switch, with {@code pool} as its memory} It takes every frame,
     * except those with a VLAN tag, which the kernel has taken apart. The kernel sees them too.
     *
     * @throws NicException if the kernel has an address there, and so would answer next to the switch
     */
    public static NetPort openForSwitch(NetNamespace namespace, String interfaceName, FramePool pool)
            throws NicException {
        return PacketPort.openForSwitch(namespace, interfaceName, pool);
    }

    /** {@return an interface of a network namespace, with a pool for it alone} */
    public static Opened openWithPool(
            NetNamespace namespace, String interfaceName, int frameCount, List<InetAddress> furtherAddresses)
            throws NicException {
        int mtuBytes =
                namespace.call(() -> Interfaces.findEthernet(interfaceName)).mtuBytes();
        FramePool pool = new FramePool(frameCount, slotBytes(mtuBytes));
        return new Opened(open(namespace, interfaceName, pool, furtherAddresses), pool);
    }

    @Override
    public int frameCapacityBytes(String interfaceName) throws IOException {
        return slotBytes(Interfaces.findEthernet(interfaceName).mtuBytes());
    }

    /** {@return the bytes of a slot of the pool that an interface of this MTU needs} */
    public static int slotBytes(int mtuBytes) {
        return PacketSocket.slotBytes(mtuBytes);
    }
}
