package io.weir.nic.switching;

import io.weir.nic.NicException;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.node.NetPort;

/** What a port of a switch is: an interface or a device, and how it is opened. */
public sealed interface SwitchInterface {
    /** {@return the name of the backend that opens it} */
    String backend();

    /** {@return the network namespace that it is in, or null for that of the program} */
    String namespace();

    /** {@return the interface's name, or the description of the device} */
    String name();

    /** {@return the bytes of a slot of the pool that frames of this MTU need there} */
    default int slotBytes(int mtuBytes) throws NicException {
        return AfXdpInterface.slotBytes(mtuBytes);
    }

    /** {@return its port, which takes every frame; frames are of the pool of {@code afXdp}} */
    NetPort open(AfXdp afXdp) throws NicException;

    /**
     * {@return whether the interface is there, so that opening it again may succeed} A device that DPDK has never goes.
     *
     * @throws NicException if the kernel cannot be asked, or the namespace is not there
     */
    default boolean isThere() throws NicException {
        return NetNamespace.of(namespace()).call(() -> Interfaces.numberOf(name())) != 0;
    }

    /**
     * An interface by AF_XDP; frames cross between such ports without being copied.
     *
     * @param config made with {@link AfXdpConfig#switchPort}
     */
    record Xdp(AfXdpConfig config) implements SwitchInterface {
        @Override
        public String backend() {
            return AfXdpBackend.NAME;
        }

        @Override
        public String namespace() {
            return config.namespace();
        }

        @Override
        public String name() {
            return config.interfaceName();
        }

        @Override
        public int slotBytes(int mtuBytes) throws NicException {
            return NetNamespace.of(config.namespace())
                    .call(() -> AfXdpInterface.slotBytes(
                            config, Interfaces.findEthernet(config.interfaceName()), mtuBytes));
        }

        @Override
        public NetPort open(AfXdp afXdp) throws NicException {
            return afXdp.open(config);
        }
    }

    /** An interface by AF_PACKET, which copies each frame. */
    record Packet(String namespace, String name) implements SwitchInterface {
        @Override
        public String backend() {
            return PacketBackend.NAME;
        }

        @Override
        public NetPort open(AfXdp afXdp) throws NicException {
            return PacketBackend.openForSwitch(NetNamespace.of(namespace), name, afXdp.pool());
        }
    }

    /**
     * A device by DPDK, whose frames are copied to and from DPDK's memory.
     *
     * @param namespace where a driver finds the kernel's interface that it takes over
     * @param name the path of the file that describes the device, or that description on one line
     */
    record Dpdk(String namespace, String name) implements SwitchInterface {
        @Override
        public String backend() {
            return DpdkBackend.NAME;
        }

        @Override
        public NetPort open(AfXdp afXdp) throws NicException {
            return DpdkBackend.openForSwitch(NetNamespace.of(namespace), name, afXdp.pool());
        }
    }
}
