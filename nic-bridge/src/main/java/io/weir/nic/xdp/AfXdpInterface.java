package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.LocalAddress;
import io.weir.nic.net.Neighbours;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.NextHop;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An interface of this host, opened for a transport over AF_XDP. Each UDP port that the transport takes is also bound by a
 * kernel socket, so that no other program of the host gets it, and a port that one has is refused.
 */
public final class AfXdpInterface implements NetInterface {
    private static final long RESOLVE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int SLOT_BYTES_SMALL = 2048;
    private static final int SLOT_BYTES_LARGE = 4096;

    private final AfXdpPort port;
    private final NetNamespace namespace;
    private final List<InetAddress> addresses;
    private final Neighbours neighbours;
    private final Map<Integer, DatagramChannel> reservations = new ConcurrentHashMap<>();

    private AfXdpInterface(AfXdpPort port, NetNamespace namespace, List<InetAddress> addresses) {
        this.port = port;
        this.namespace = namespace;
        this.addresses = addresses;
        this.neighbours = new Neighbours(namespace, port.info().name());
    }

    /** Opens a host's interface with {@code pool} as its memory. */
    public static AfXdpInterface open(AfXdpConfig config, FramePool pool) throws NicException {
        NetNamespace namespace = NetNamespace.of(config.namespace());
        InterfaceFacts facts = namespace.call(() -> Interfaces.find(config.interfaceName()));
        List<InetAddress> addresses =
                facts.addresses().stream().map(LocalAddress::address).collect(Collectors.toList());
        if (addresses.isEmpty()) {
            throw new NicException("interface " + facts.name()
                    + " has no IP address; give it one: ip address add ... dev " + facts.name());
        }
        return new AfXdpInterface(new AfXdp(pool).open(config), namespace, addresses);
    }

    /** {@return the bytes of a slot that an interface of this MTU needs} */
    public static int slotBytes(int mtuBytes) {
        return mtuBytes <= PortOpener.mtuBytesMax(SLOT_BYTES_SMALL) ? SLOT_BYTES_SMALL : SLOT_BYTES_LARGE;
    }

    @Override
    public AfXdpPort port() {
        return port;
    }

    @Override
    public List<InetAddress> addresses() {
        return addresses;
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        if (remote.isUnresolved()) {
            throw new UnknownHostException(remote.getHostString());
        }
        NextHop hop = neighbours.resolve(remote.getAddress(), RESOLVE_NANOS);
        return new Path(
                port.info().macAddress(),
                hop.macAddress(),
                IpAddress.of(hop.source()),
                IpAddress.of(remote.getAddress()),
                localPort,
                remote.getPort());
    }

    @Override
    public void claimPort(int udpPort) throws IOException {
        DatagramChannel reservation = namespace.call(() -> bind(udpPort));
        if (reservations.putIfAbsent(udpPort, reservation) != null) {
            reservation.close();
            throw new BindException("UDP port " + udpPort + " is in use by this transport");
        }
        boolean isTaken = false;
        try {
            port.addPort(udpPort);
            isTaken = true;
        } finally {
            if (!isTaken) {
                // The kernel's programs may have it: nobody takes its frames from them.
                reservations.remove(udpPort);
                reservation.close();
            }
        }
    }

    private static DatagramChannel bind(int udpPort) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            return channel.bind(new InetSocketAddress(udpPort));
        } catch (BindException e) {
            channel.close();
            BindException refusal =
                    new BindException("UDP port " + udpPort + " is in use by another program of this host ("
                            + e.getMessage() + "); see: ss -lunp 'sport = " + udpPort + "'");
            refusal.initCause(e);
            throw refusal;
        }
    }

    @Override
    public void releasePort(int udpPort) {
        DatagramChannel reservation = reservations.remove(udpPort);
        if (reservation == null) {
            return;
        }
        // Both, whatever becomes of the first: a reservation that stays would keep the port from everybody.
        try (reservation) {
            port.removePort(udpPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Waiter newWaiter() throws NicException {
        return new PollWaiter(port.pollFileDescriptor());
    }
}
