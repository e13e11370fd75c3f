package io.weir.transport.runtime;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A network in this process: interfaces that know each other's addresses, each on a {@link MemoryLink}. For tests, and
 * for use without privileges; no kernel traffic crosses it.
 */
public final class MemoryNetwork {
    private static final int QUEUE_MTU_BYTES = 1500;
    private static final int QUEUE_SLOT_BYTES = 2048;

    private final Map<InetAddress, Long> neighbours = new ConcurrentHashMap<>();

    /** Creates a network without interfaces. */
    public MemoryNetwork() {}

    /** {@return an interface with this address at one end of a link} */
    public NetInterface attach(MemoryLink.MemoryPort port, InetAddress address) {
        neighbours.put(address, port.info().macAddress());
        return new MemoryInterface(port, address, null);
    }

    /**
     * {@return the two interfaces of a network of two hosts, 10.0.0.1 and 10.0.0.2, whose frames come from these pools}
     */
    public static List<NetInterface> pair(FramePool left, FramePool right, int mtuBytes, long linkRateBps) {
        MemoryLink link = new MemoryLink(
                MemoryLink.info("mem0", 0x02_00_00_00_00_01L, mtuBytes, linkRateBps),
                left,
                MemoryLink.info("mem1", 0x02_00_00_00_00_02L, mtuBytes, linkRateBps),
                right);
        MemoryNetwork network = new MemoryNetwork();
        return List.of(
                network.attach(link.left(), IpAddress.v4(0x0A00_0001).toInetAddress()),
                network.attach(link.right(), IpAddress.v4(0x0A00_0002).toInetAddress()));
    }

    /**
     * {@return the two interfaces of a network as of {@link #pair}, each with so many queues of 1500-byte packets, a
     * link for each} What the left end sends by a queue comes to the right end's queue of the same number, as on a veth
     * pair, or to one that is {@code queueShift} further on, as by a device that steers by its own hash.
     *
     * @param frameCount frames of each queue's pool
     */
    public static List<List<Backend.Opened>> pairWithQueues(
            int queueCount, int queueShift, int frameCount, long linkRateBps) {
        return pairWithQueues(newPools(queueCount, frameCount), queueShift, frameCount, linkRateBps);
    }

    /** {@return pools for so many queues of an interface of {@link #pairWithQueues}} */
    public static List<FramePool> newPools(int queueCount, int frameCount) {
        return Stream.generate(() -> new FramePool(frameCount, QUEUE_SLOT_BYTES))
                .limit(queueCount)
                .toList();
    }

    /**
     * As {@link #pairWithQueues(int, int, int, long)}, with pools for the left end that there are already.
     *
     * @param frameCount frames of each pool of the right end
     */
    public static List<List<Backend.Opened>> pairWithQueues(
            List<FramePool> leftPools, int queueShift, int frameCount, long linkRateBps) {
        MemoryNetwork network = new MemoryNetwork();
        List<Backend.Opened> left = new ArrayList<>();
        List<Backend.Opened> right = new ArrayList<>();
        Object leftHost = new Object();
        Object rightHost = new Object();
        for (FramePool leftPool : leftPools) {
            FramePool rightPool = new FramePool(frameCount, QUEUE_SLOT_BYTES);
            MemoryLink link = new MemoryLink(
                    MemoryLink.info("mem0", 0x02_00_00_00_00_01L, QUEUE_MTU_BYTES, linkRateBps),
                    leftPool,
                    MemoryLink.info("mem1", 0x02_00_00_00_00_02L, QUEUE_MTU_BYTES, linkRateBps),
                    rightPool);
            InetAddress leftAddress = IpAddress.v4(0x0A00_0001).toInetAddress();
            InetAddress rightAddress = IpAddress.v4(0x0A00_0002).toInetAddress();
            left.add(new Backend.Opened(network.attach(link.left(), leftAddress, leftHost), leftPool));
            right.add(new Backend.Opened(network.attach(link.right(), rightAddress, rightHost), rightPool));
        }
        Collections.rotate(right, queueShift);
        return List.of(left, right);
    }

    /** One queue of an interface of this host. */
    private NetInterface attach(MemoryLink.MemoryPort port, InetAddress address, Object host) {
        neighbours.put(address, port.info().macAddress());
        return new MemoryInterface(port, address, host);
    }

    private final class MemoryInterface implements NetInterface {
        private final MemoryLink.MemoryPort port;
        private final InetAddress address;
        /** What is the same for the queues of an interface, or null where it has one. */
        private final Object host;

        private final Set<Integer> claimedPorts = ConcurrentHashMap.newKeySet();

        MemoryInterface(MemoryLink.MemoryPort port, InetAddress address, Object host) {
            this.port = port;
            this.address = address;
            this.host = host;
        }

        @Override
        public Object host() {
            return host == null ? this : host;
        }

        @Override
        public NetPort port() {
            return port;
        }

        @Override
        public List<InetAddress> addresses() {
            return List.of(address);
        }

        @Override
        public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
            Path path = knownPath(localPort, remote);
            if (path == null) {
                throw new NoRouteToHostException(
                        remote + " is not on this in-memory network, which has " + neighbours.keySet());
            }
            return path;
        }

        @Override
        public Path knownPath(int localPort, InetSocketAddress remote) {
            Long mac = remote.isUnresolved() ? null : neighbours.get(remote.getAddress());
            if (mac == null) {
                return null;
            }
            return Path.from(port.info().macAddress(), IpAddress.of(address), localPort)
                    .to(mac, IpAddress.of(remote.getAddress()), remote.getPort());
        }

        @Override
        public void claimPort(int udpPort) throws IOException {
            if (!claimedPorts.add(udpPort)) {
                throw new BindException("port " + udpPort + " is in use on " + address.getHostAddress());
            }
        }

        @Override
        public void releasePort(int udpPort) {
            claimedPorts.remove(udpPort);
        }

        @Override
        public Waiter newWaiter() {
            Waiter waiter = new ParkWaiter();
            port.setWaiter(waiter);
            return waiter;
        }

        @Override
        public String toString() {
            return address.getHostAddress() + " at "
                    + Ethernet.format(port.info().macAddress());
        }
    }
}
