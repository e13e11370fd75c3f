package io.weir.nic.dpdk;

import io.weir.nic.NicException;
import io.weir.nic.host.PollWaiter;
import io.weir.nic.host.SliceWaiter;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A DPDK device opened for a loop of a transport: its own port, and the host that all ports of the device share. */
final class DpdkInterface implements NetInterface {
    /** What a frame may wait for while the loop sleeps. */
    private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final DpdkHost host;
    private final DpdkPort port;

    private DpdkInterface(DpdkHost host, DpdkPort port) {
        this.host = host;
        this.port = port;
    }

    /** Opens the device with its own pool. */
    static Backend.Opened open(NetNamespace namespace, DpdkConfig config, int frameCount) throws NicException {
        return openQueues(namespace, config, 1, frameCount).get(0);
    }

    /** {@return the device for so many loops, each with some of its queues and a pool} */
    static List<Backend.Opened> openQueues(NetNamespace namespace, DpdkConfig config, int loopCount, int frameCount)
            throws NicException {
        if (config.addresses().isEmpty()) {
            throw new NicException("device " + config.deviceName() + " has no address, and the kernel cannot tell one;"
                    + " add address=, such as 10.0.0.1/24");
        }
        NeighbourTable table = new NeighbourTable(config.neighbours());
        List<DpdkPort> ports = namespace.call(() -> DpdkLink.open(config, loopCount, frameCount, table));
        DpdkHost host = new DpdkHost(config, ports, table);
        return ports.stream()
                .map(port -> new Backend.Opened(new DpdkInterface(host, port), port.pool()))
                .toList();
    }

    @Override
    public NetPort port() {
        return port;
    }

    @Override
    public List<InetAddress> addresses() {
        return host.addresses();
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        return host.resolve(localPort, remote);
    }

    @Override
    public Path knownPath(int localPort, InetSocketAddress remote) {
        return host.knownPath(localPort, remote);
    }

    @Override
    public void claimPort(int udpPort) throws IOException {
        host.claimPort(udpPort);
    }

    @Override
    public void releasePort(int udpPort) {
        host.releasePort(udpPort);
    }

    @Override
    public void follow(InterfaceListener changes) {
        host.follow(changes);
    }

    @Override
    public void findMacs(Collection<InetAddress> remotes) {
        host.findMacs(remotes);
    }

    @Override
    public void verify(InetAddress remote) {
        host.verify(remote);
    }

    @Override
    public Object host() {
        return host;
    }

    @Override
    public Waiter newWaiter() throws NicException {
        Waiter waiter = new SliceWaiter(new PollWaiter(), SLICE_NANOS);
        host.addWaiter(waiter);
        return waiter;
    }
}
