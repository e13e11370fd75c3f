package io.weir.cli.switching;

import io.weir.nic.NicException;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.switching.SwitchInterface;
import java.util.List;

/** Looks at the interfaces that a plan names, before anything is changed. */
final class PortQueues {
    private PortQueues() {}

    /**
     * {@return how many receive queues each port of the kernel's takes}
     *
     * @throws NicException if an interface is missing, or cannot carry what the port would send
     */
    static int[] queueCounts(List<PortPlan> ports) throws NicException {
        int[] counts = new int[ports.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = queueCount(ports.get(i));
        }
        return counts;
    }

    private static int queueCount(PortPlan port) throws NicException {
        SwitchInterface netPort = port.netPort();
        int mtuBytes = port.config().mtuBytes();
        if (netPort instanceof SwitchInterface.Dpdk) {
            int deviceMtuBytes = DpdkBackend.mtuBytes(netPort.name());
            if (deviceMtuBytes < mtuBytes) {
                throw new NicException("the device of port " + port.name() + " has an MTU of " + deviceMtuBytes
                        + ", below the port's " + mtuBytes + "; write mtu: " + deviceMtuBytes
                        + ", or raise the device's in its file: mtu=" + mtuBytes);
            }
            return 0;
        }
        InterfaceFacts facts = NetNamespace.of(netPort.namespace()).call(() -> Interfaces.find(netPort.name()));
        if (facts.mtuBytes() < mtuBytes) {
            throw new NicException("interface " + port.name() + " has an MTU of " + facts.mtuBytes()
                    + ", below the port's " + mtuBytes + "; write mtu: " + facts.mtuBytes()
                    + ", or raise the interface's: ip link set " + netPort.name() + " mtu " + mtuBytes);
        }
        return netPort instanceof SwitchInterface.Xdp xdp
                        && !xdp.config().queues().isEmpty()
                ? xdp.config().queues().size()
                : facts.receiveQueueCount();
    }
}
