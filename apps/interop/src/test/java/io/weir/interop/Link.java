package io.weir.interop;

import io.weir.nic.testing.TwoHosts;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.jdk.NamedTransports;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;

/** Two transports on one link, the client's registered under {@link #CLIENT} and the server's under {@link #SERVER}. */
record Link(Transport client, Transport server, Closeable hosts) implements Closeable {
    static final String CLIENT = "interop-client";
    static final String SERVER = "interop-server";

    /** How to make one. */
    enum Kind {
        /** A link in memory. */
        MEMORY,
        /** AF_XDP between two network namespaces. */
        AF_XDP;

        Link open() throws IOException {
            return this == MEMORY ? openMemory() : openAfXdp();
        }
    }

    private static FramePool pool() {
        return new FramePool(8_192, 2_048);
    }

    private static Link openMemory() throws IOException {
        FramePool left = pool();
        FramePool right = pool();
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1_500, 10_000_000_000L);
        return register(new Link(
                Transport.open(pair.get(0), left, TransportConfig.DEFAULT),
                Transport.open(pair.get(1), right, TransportConfig.DEFAULT),
                () -> {}));
    }

    private static Link openAfXdp() throws IOException {
        TwoHosts hosts = TwoHosts.create();
        return register(
                new Link(openAfXdp(hosts.a().name()), openAfXdp(hosts.b().name()), hosts::close));
    }

    private static Transport openAfXdp(String namespace) throws IOException {
        FramePool pool = pool();
        AfXdpConfig config =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace).build();
        return Transport.open(AfXdpInterface.open(config, pool), pool, TransportConfig.DEFAULT);
    }

    private static Link register(Link link) {
        NamedTransports.register(CLIENT, link.client);
        NamedTransports.register(SERVER, link.server);
        return link;
    }

    /** {@return the server's address, as software names it} */
    String serverHost() {
        return server.addresses().get(0).getHostAddress();
    }

    WeirSocketFactory sockets() {
        return new WeirSocketFactory(client);
    }

    ServerSocket listen() throws IOException {
        return new WeirServerSocketFactory(server).createServerSocket(0);
    }

    @Override
    public void close() throws IOException {
        NamedTransports.remove(CLIENT);
        NamedTransports.remove(SERVER);
        client.close();
        server.close();
        hosts.close();
    }
}
