package io.weir.interop;

import io.weir.nic.lab.TransportPair;
import io.weir.transport.jdk.NamedTransports;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.socket.TransportConfig;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;

/**
 * Two transports on one link, the client's registered under {@link #CLIENT} and the server's under {@link #SERVER}. The
 * client's is also that of factories without arguments.
 */
record Link(TransportPair pair) implements Closeable {
    static final String CLIENT = "interop-client";
    static final String SERVER = "interop-server";

    /** How to make one. */
    enum Kind {
        /** A link in memory. */
        MEMORY,
        /** AF_XDP between two network namespaces. */
        AF_XDP;

        Link open() throws IOException {
            TransportPair pair = this == MEMORY
                    ? TransportPair.inMemory(TransportConfig.DEFAULT)
                    : TransportPair.overAfXdp(TransportConfig.DEFAULT);
            NamedTransports.register(CLIENT, pair.client());
            NamedTransports.register(SERVER, pair.server());
            System.setProperty(NamedTransports.INTERFACE_PROPERTY, CLIENT);
            return new Link(pair);
        }
    }

    /** {@return the server's address, as software names it} */
    String serverHost() {
        return pair.server().addresses().get(0).getHostAddress();
    }

    WeirSocketFactory sockets() {
        return new WeirSocketFactory(pair.client());
    }

    ServerSocket listen() throws IOException {
        return new WeirServerSocketFactory(pair.server()).createServerSocket(0);
    }

    @Override
    public void close() throws IOException {
        System.clearProperty(NamedTransports.INTERFACE_PROPERTY);
        NamedTransports.remove(CLIENT);
        NamedTransports.remove(SERVER);
        pair.close();
    }
}
