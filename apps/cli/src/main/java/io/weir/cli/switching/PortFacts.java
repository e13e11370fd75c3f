package io.weir.cli.switching;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import java.util.List;

/** Looks at the interfaces that a plan names, before anything is changed. */
final class PortFacts {
    private PortFacts() {}

    /**
     * {@return how many receive queues each port takes}
     *
     * @throws NicException if an interface is missing, or cannot carry what the port would send
     */
    static int[] queueCounts(List<PortPlan> ports) throws NicException {
        int[] counts = new int[ports.size()];
        for (int i = 0; i < counts.length; i++) {
            PortPlan port = ports.get(i);
            String interfaceName = port.netPort().interfaceName();
            InterfaceFacts facts =
                    NetNamespace.of(port.netPort().namespace()).call(() -> Interfaces.find(interfaceName));
            int mtuBytes = port.config().mtuBytes();
            if (facts.mtuBytes() < mtuBytes) {
                throw new NicException("interface " + port.name() + " has an MTU of " + facts.mtuBytes()
                        + ", below the port's " + mtuBytes + "; write mtu: " + facts.mtuBytes()
                        + ", or raise the interface's: ip link set " + interfaceName + " mtu " + mtuBytes);
            }
            counts[i] = port.netPort().queues().isEmpty()
                    ? facts.receiveQueueCount()
                    : port.netPort().queues().size();
        }
        return counts;
    }
}
