package io.weir.nic.host;

import io.weir.nic.NicException;
import io.weir.transport.node.PortInfo;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ports of one interface, one for each loop of a transport, as what the interface is told about: they take the same
 * datagrams, and changes of the interface concern all of them. Any thread.
 */
final class HostPorts {
    private final List<KernelPort> ports;

    /** Of at least one port; what one of them takes, all take. */
    HostPorts(List<? extends KernelPort> ports) {
        this.ports = List.copyOf(ports);
    }

    KernelPort first() {
        return ports.get(0);
    }

    PortInfo info() {
        return first().info();
    }

    void addAddress(InetAddress address) throws NicException {
        first().addAddress(address);
    }

    void removeAddress(InetAddress address) throws NicException {
        first().removeAddress(address);
    }

    void addPort(InetAddress address, int udpPort) throws NicException {
        first().addPort(address, udpPort);
    }

    void removePort(InetAddress address, int udpPort) throws NicException {
        first().removePort(address, udpPort);
    }

    void setGone() {
        ports.forEach(KernelPort::setGone);
    }

    void setSuccessor(int index) {
        ports.forEach(port -> port.setSuccessor(index));
    }

    void setImpairment(String reason) {
        ports.forEach(port -> port.setImpairment(reason));
    }

    /** Sets what ends with the last of the ports; before any moves frames. */
    void setCloseListener(Runnable listener) {
        AtomicInteger open = new AtomicInteger(ports.size());
        ports.forEach(port -> port.setCloseListener(() -> {
            if (open.decrementAndGet() == 0) {
                listener.run();
            }
        }));
    }

    void close() {
        ports.forEach(KernelPort::close);
    }
}
