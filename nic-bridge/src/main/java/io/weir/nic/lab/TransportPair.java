package io.weir.nic.lab;

import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Two transports of this process with a link between them: memory, or AF_XDP on {@link TwoHosts}. */
public final class TransportPair implements AutoCloseable {
    private static final int MTU_BYTES = 1_500;

    private final Transport client;
    private final Transport server;
    /** Null in memory. */
    private final TwoHosts hosts;

    /** Opens one end. */
    private interface Opening {
        Transport open() throws IOException;
    }

    private TransportPair(Opening client, Opening server, TwoHosts hosts) throws IOException {
        this.hosts = hosts;
        Transport first = null;
        Transport second = null;
        try {
            first = client.open();
            second = server.open();
        } finally {
            if (second == null) {
                if (first != null) {
                    first.close();
                }
                removeHosts();
            }
        }
        this.client = first;
        this.server = second;
    }

    /** {@return two transports joined by memory, by which packets of 1500 bytes fit; this needs no privileges} */
    public static TransportPair inMemory(TransportConfig config) throws IOException {
        if (config.queueCount() > 1) {
            List<List<Backend.Opened>> queues = MemoryNetwork.pairWithQueues(
                    config.queueCount(), 0, config.port().frameCountOrDefault(), linkRateBps(config));
            return new TransportPair(
                    () -> Transport.open(queues.get(0), config), () -> Transport.open(queues.get(1), config), null);
        }
        return inMemory(config, MTU_BYTES);
    }

    /** {@return two transports of one loop each, joined by memory} */
    public static TransportPair inMemory(TransportConfig config, int mtuBytes) throws IOException {
        int slotBytes = AfXdpInterface.slotBytes(mtuBytes);
        FramePool left = new FramePool(config.port().frameCountOrDefault(), slotBytes);
        FramePool right = new FramePool(config.port().frameCountOrDefault(), slotBytes);
        List<NetInterface> ends = MemoryNetwork.pair(left, right, mtuBytes, linkRateBps(config));
        return new TransportPair(
                () -> Transport.open(ends.get(0), left, config),
                () -> Transport.open(ends.get(1), right, config),
                null);
    }

    private static long linkRateBps(TransportConfig config) {
        return config.linkRateBps() > 0 ? config.linkRateBps() : Transport.LINK_RATE_BPS_ASSUMED;
    }

    /** {@return two transports by AF_XDP, each in a namespace; this needs root} */
    public static TransportPair overAfXdp(TransportConfig config) throws IOException {
        TwoHosts hosts = TwoHosts.createQuiet(MTU_BYTES);
        return new TransportPair(
                () -> hosts.openTransport(hosts.a(), config), () -> hosts.openTransport(hosts.b(), config), hosts);
    }

    /** {@return the transport that connects} */
    public Transport client() {
        return client;
    }

    /** {@return the transport that listens} */
    public Transport server() {
        return server;
    }

    /** {@return the server's address with a port} */
    public InetSocketAddress serverAddress(int port) {
        InetAddress address = server.addresses().get(0);
        return new InetSocketAddress(address, port);
    }

    @Override
    public void close() {
        expectPortEnd();
        server.close();
        client.close();
        removeHosts();
    }

    /** Closes both; what has not been sent within this time is not sent any more. */
    public void close(Duration drainMax) {
        expectPortEnd();
        client.close(drainMax);
        server.close(drainMax);
        removeHosts();
    }

    /** One ends before the other, which is not to warn that its link has ended. */
    private void expectPortEnd() {
        client.loops().forEach(EventLoop::expectPortEnd);
        server.loops().forEach(EventLoop::expectPortEnd);
    }

    private void removeHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }
}
