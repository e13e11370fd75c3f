package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.lab.LiveTest;
import io.weir.transport.jdk.NamedTransports;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Tests the JDK's remote method invocation over Weir: registry, calls, and calls back. */
class RmiTest {
    private static final int REGISTRY_PORT = 1_099;

    /** What the server offers. */
    interface Gauge extends Remote {
        byte[] echo(byte[] bytes) throws RemoteException;

        void watch(Watcher watcher, int count) throws RemoteException;

        void fail() throws RemoteException;
    }

    /** What the client offers. */
    interface Watcher extends Remote {
        void onLevel(int level) throws RemoteException;
    }

    /**
     * The sockets of one direction, which travel with stubs: names only. Whatever host a stub names, it is reached at
     * {@code host}.
     */
    private static final class Sockets extends RMISocketFactory implements Serializable {
        private static final long serialVersionUID = 1L;
        /** What RMI listens on: it leaves a registry's listener open for good. */
        private static final Set<ServerSocket> LISTENERS = ConcurrentHashMap.newKeySet();

        private final String from;
        private final String to;
        /** RMI listens once for sockets that are equal: those of another link are not. */
        private final String link;

        Sockets(String from, String to, Link.Kind kind) {
            this.from = from;
            this.to = to;
            this.link = kind.name();
        }

        static void closeListeners() throws IOException {
            for (ServerSocket listener : LISTENERS) {
                listener.close();
            }
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            InetAddress address = NamedTransports.find(to).addresses().get(0);
            return new WeirSocketFactory(from).createSocket(address, port);
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            ServerSocket listener = new WeirServerSocketFactory(to).createServerSocket(port);
            LISTENERS.add(listener);
            return listener;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Sockets same
                    && same.from.equals(from)
                    && same.to.equals(to)
                    && same.link.equals(link);
        }

        @Override
        public int hashCode() {
            return Objects.hash(from, to, link);
        }
    }

    /** Sends back, and calls back. */
    private static final class EchoGauge implements Gauge {
        @Override
        public byte[] echo(byte[] bytes) {
            return bytes;
        }

        @Override
        public void watch(Watcher watcher, int count) throws RemoteException {
            for (int level = 0; level < count; level++) {
                watcher.onLevel(level);
            }
        }

        @Override
        public void fail() {
            throw new IllegalStateException("dry");
        }
    }

    @Test
    void calls_bothWays_answer() throws Exception {
        callBothWays(Link.Kind.MEMORY);
    }

    @LiveTest
    @Test
    void calls_bothWaysOverAfXdp_answer() throws Exception {
        callBothWays(Link.Kind.AF_XDP);
    }

    private static void callBothWays(Link.Kind kind) throws Exception {
        Sockets toServer = new Sockets(Link.CLIENT, Link.SERVER, kind);
        Sockets toClient = new Sockets(Link.SERVER, Link.CLIENT, kind);
        List<Integer> levels = new ArrayList<>();
        Watcher watcher = levels::add;
        Gauge gauge = new EchoGauge();
        try (Link link = kind.open()) {
            Registry registry = LocateRegistry.createRegistry(REGISTRY_PORT, toServer, toServer);
            try {
                registry.bind("gauge", UnicastRemoteObject.exportObject(gauge, 0, toServer, toServer));
                Registry found = LocateRegistry.getRegistry(link.serverHost(), REGISTRY_PORT, toServer);
                Gauge remote = (Gauge) found.lookup("gauge");
                byte[] bytes = new byte[1 << 20];
                new Random(1).nextBytes(bytes);
                assertArrayEquals(bytes, remote.echo(bytes));
                remote.watch((Watcher) UnicastRemoteObject.exportObject(watcher, 0, toClient, toClient), 100);
                assertEquals(100, levels.size());
                assertEquals(99, levels.get(99));
                IllegalStateException e = assertThrows(IllegalStateException.class, remote::fail);
                assertEquals("dry", e.getMessage());
            } finally {
                UnicastRemoteObject.unexportObject(watcher, true);
                UnicastRemoteObject.unexportObject(gauge, true);
                UnicastRemoteObject.unexportObject(registry, true);
                Sockets.closeListeners();
            }
        }
    }
}
