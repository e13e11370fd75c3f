package io.weir.transport.jdk;

import static io.weir.transport.testing.CallLog.failure;
import static io.weir.transport.testing.CallLog.outcome;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;

/** Sequences that begin with a socket that connects: binding, asking, connecting. */
@SuppressWarnings("try") // cases close what they have opened, at times twice
final class ConnectCases {
    private ConnectCases() {}

    static List<ParityCase<SocketKind>> all() {
        return List.of(
                ParityCase.of("connect to a closed port", ConnectCases::toClosedPort),
                ParityCase.of("connect with bad arguments", ConnectCases::withBadArguments),
                ParityCase.of("connect to a name without an address, then ask", ConnectCases::unresolved),
                ParityCase.of("connect twice", ConnectCases::twice),
                ParityCase.of("close, then connect", ConnectCases::afterClose),
                ParityCase.of("states from creation to close", ConnectCases::states),
                ParityCase.of("bind to any port, ask, connect", ConnectCases::bindAnyPort),
                ParityCase.of("bind to an address and any port, ask, connect", ConnectCases::bindAddress),
                ParityCase.of("bind to a chosen port, connect", ConnectCases::bindPort),
                ParityCase.of("bind, close, bind another socket to the port", ConnectCases::bindAgain),
                ParityCase.of("bind to a port that another socket has", ConnectCases::bindTaken),
                ParityCase.of("bind to a port that a listener has", ConnectCases::bindListened),
                ParityCase.of("bind twice", ConnectCases::bindTwice),
                ParityCase.of("bind to a foreign address, then to an own one", ConnectCases::bindForeign),
                ParityCase.of("bind to a name without an address", ConnectCases::bindUnresolved),
                ParityCase.of("bind to loopback, connect to another host", ConnectCases::bindLoopback),
                ParityCase.of("bind, connect to a closed port, ask", ConnectCases::bindThenRefused),
                ParityCase.of("bind, close, ask", ConnectCases::bindThenClose),
                ParityCase.of("bind, listen on the port", ConnectCases::bindThenListen),
                ParityCase.of("connect from a factory with a local port", ConnectCases::factoryWithPort),
                ParityCase.of("listen on the port of an earlier client", ConnectCases::listenOnClientsPort),
                ParityCase.of("methods of the factories", ConnectCases::factoryMethods));
    }

    private static void toClosedPort(SocketKind kind, CallLog log) throws Exception {
        InetSocketAddress closed = kind.closedAddress();
        log.add(outcome(() -> kind.sockets().createSocket(closed.getAddress(), closed.getPort())));
        try (Socket socket = kind.sockets().createSocket()) {
            log.add(outcome(() -> socket.connect(closed, 0)));
            log.add(socket.isConnected());
            log.add(socket.isClosed());
            log.add(outcome(() -> socket.connect(closed, 0)));
        }
        log.add(outcome(() -> kind.sockets().createSocket(closed.getAddress(), 0)));
    }

    private static void withBadArguments(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            log.add(outcome(() -> socket.connect(null, 0)));
            log.add(outcome(() -> socket.connect(kind.closedAddress(), -1)));
            log.add(outcome(() -> kind.sockets().createSocket(kind.serverAddress(), 65_536)));
            log.add(outcome(() -> kind.sockets().createSocket(kind.serverAddress(), -1)));
            log.add(socket.isClosed());
        }
    }

    private static void unresolved(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            log.run("connect", () -> socket.connect(InetSocketAddress.createUnresolved("weir.invalid", 1), 0));
            log.tell("closed", socket::isClosed);
            log.run("connect again", () -> socket.connect(kind.closedAddress()));
        }
    }

    private static void twice(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.add(failure(() -> ends.near().connect(kind.address(ends.server())))
                    .toString()
                    .toLowerCase(Locale.ROOT));
            log.add(failure(() -> ends.far().connect(kind.address(ends.server())))
                    .toString()
                    .toLowerCase(Locale.ROOT));
            ends.near().getOutputStream().write(3);
            log.add(ends.far().getInputStream().read());
        }
    }

    private static void afterClose(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            Socket socket = kind.sockets().createSocket();
            socket.close();
            log.add(failure(() -> socket.connect(kind.address(server))));
            log.add(failure(() -> socket.bind(null)));
            log.add(socket.isConnected());
            log.add(socket.isBound());
        }
    }

    private static void states(SocketKind kind, CallLog log) throws Exception {
        Socket socket = kind.sockets().createSocket();
        tellState(socket, log);
        log.add(failure(socket::getInputStream));
        log.add(failure(socket::getOutputStream));
        log.add(failure(socket::shutdownInput));
        log.add(failure(socket::shutdownOutput));
        log.add(socket.getPort());
        log.add(socket.getLocalPort());
        log.add(socket.getInetAddress() == null);
        log.add(socket.getLocalAddress().isAnyLocalAddress());
        log.add(socket.getLocalSocketAddress() == null);
        log.add(socket.getRemoteSocketAddress() == null);
        try (ServerSocket server = kind.listen()) {
            socket.connect(kind.address(server), 5 * 60 * 1_000);
            tellState(socket, log);
            socket.close();
            tellState(socket, log);
            socket.close();
            log.add(socket.getLocalAddress().isAnyLocalAddress());
        }
    }

    private static void tellState(Socket socket, CallLog log) {
        log.add(List.of(
                socket.isBound(),
                socket.isConnected(),
                socket.isClosed(),
                socket.isInputShutdown(),
                socket.isOutputShutdown()));
    }

    private static void bindAnyPort(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen();
                Socket socket = kind.sockets().createSocket()) {
            log.run("bind", () -> socket.bind(null));
            int port = socket.getLocalPort();
            log.tell("has a port", () -> port > 0);
            log.tell("bound", socket::isBound);
            log.tell("address", () -> socket.getLocalAddress().isAnyLocalAddress());
            log.run("connect", () -> socket.connect(kind.address(server)));
            log.tell("has the port still", () -> socket.getLocalPort() == port);
            log.tell("has an address", () -> !socket.getLocalAddress().isAnyLocalAddress());
            try (Socket far = server.accept()) {
                log.tell("port of the peer", () -> far.getPort() == port);
            }
        }
    }

    private static void bindAddress(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen();
                Socket socket = kind.sockets().createSocket()) {
            log.run("bind", () -> socket.bind(new InetSocketAddress(kind.clientAddress(), 0)));
            int port = socket.getLocalPort();
            log.tell("has a port", () -> port > 0);
            log.tell("address", () -> socket.getLocalAddress().equals(kind.clientAddress()));
            log.tell("socket address", () -> socket.getLocalSocketAddress()
                    .equals(new InetSocketAddress(kind.clientAddress(), port)));
            log.run("connect", () -> socket.connect(kind.address(server)));
            try (Socket far = server.accept()) {
                log.tell("peer", () -> far.getRemoteSocketAddress()
                        .equals(new InetSocketAddress(kind.clientAddress(), port)));
            }
        }
    }

    private static void bindPort(SocketKind kind, CallLog log) throws Exception {
        int port = kind.freeClientPort();
        try (ServerSocket server = kind.listen();
                Socket socket = kind.sockets().createSocket()) {
            log.run("bind", () -> socket.bind(new InetSocketAddress(port)));
            log.tell("port", () -> socket.getLocalPort() == port);
            log.run("connect", () -> socket.connect(kind.address(server)));
            try (Socket far = server.accept()) {
                log.tell("port of the peer", () -> far.getPort() == port);
                socket.getOutputStream().write(1);
                log.tell("read", far.getInputStream()::read);
            }
        }
    }

    private static void bindAgain(SocketKind kind, CallLog log) throws Exception {
        int port = kind.freeClientPort();
        for (int i = 0; i < 5; i++) {
            Socket socket = kind.sockets().createSocket();
            log.run("bind " + i, () -> socket.bind(new InetSocketAddress(port)));
            log.run("close " + i, socket::close);
        }
    }

    private static void bindTaken(SocketKind kind, CallLog log) throws Exception {
        try (Socket first = kind.sockets().createSocket();
                Socket second = kind.sockets().createSocket()) {
            first.bind(null);
            int port = first.getLocalPort();
            log.run("bind", () -> second.bind(new InetSocketAddress(port)));
            log.tell("bound", second::isBound);
            log.tell("closed", second::isClosed);
            first.close();
            log.run("bind after close", () -> second.bind(new InetSocketAddress(port)));
            log.tell("port", () -> second.getLocalPort() == port);
        }
    }

    private static void bindListened(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.clients().createServerSocket(0);
                Socket socket = kind.sockets().createSocket()) {
            int port = server.getLocalPort();
            log.run("bind", () -> socket.bind(new InetSocketAddress(port)));
            log.tell("bound", socket::isBound);
            log.run("bind to another port", () -> socket.bind(null));
            log.tell("another port", () -> socket.getLocalPort() != port);
        }
    }

    private static void bindTwice(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            socket.bind(new InetSocketAddress(0));
            int port = socket.getLocalPort();
            log.add(failure(() -> socket.bind(new InetSocketAddress(0)))
                    .toString()
                    .toLowerCase(Locale.ROOT));
            log.add(socket.getLocalPort() == port);
            log.add(socket.isBound());
        }
    }

    private static void bindForeign(SocketKind kind, CallLog log) throws Exception {
        InetAddress foreign = InetAddress.getByName("192.0.2.77");
        try (Socket socket = kind.sockets().createSocket();
                ServerSocket server = kind.listen()) {
            log.run("bind", () -> socket.bind(new InetSocketAddress(foreign, 0)));
            log.tell("bound", socket::isBound);
            log.run("bind to an own address", () -> socket.bind(new InetSocketAddress(0)));
            log.run("connect", () -> socket.connect(kind.address(server)));
        }
    }

    private static void bindUnresolved(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            log.run("bind", () -> socket.bind(InetSocketAddress.createUnresolved("weir.invalid", 1)));
            log.tell("bound", socket::isBound);
            log.run("bind to any port", () -> socket.bind(null));
        }
    }

    private static void bindLoopback(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            log.run("bind", () -> socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            log.tell("has a port", () -> socket.getLocalPort() > 0);
            log.tell("address", () -> socket.getLocalAddress().isLoopbackAddress());
            log.run("connect", () -> socket.connect(new InetSocketAddress(kind.remoteAddress(), 9), 100));
            log.tell("closed", socket::isClosed);
        }
    }

    private static void bindThenRefused(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            socket.bind(null);
            int port = socket.getLocalPort();
            log.run("connect", () -> socket.connect(kind.closedAddress()));
            log.tell("closed", socket::isClosed);
            log.tell("bound", socket::isBound);
            try (Socket next = kind.sockets().createSocket()) {
                log.run("bind another to the port", () -> next.bind(new InetSocketAddress(port)));
            }
        }
    }

    private static void bindThenClose(SocketKind kind, CallLog log) throws Exception {
        Socket socket = kind.sockets().createSocket();
        socket.bind(null);
        int port = socket.getLocalPort();
        socket.close();
        log.tell("port", () -> socket.getLocalPort() == port);
        log.tell("bound", socket::isBound);
        log.tell("address", () -> socket.getLocalAddress().isAnyLocalAddress());
        log.tell("closed", socket::isClosed);
        log.run("close again", socket::close);
    }

    private static void bindThenListen(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            socket.bind(null);
            int port = socket.getLocalPort();
            log.run("listen", () -> kind.clients().createServerSocket(port));
            socket.close();
            log.run(
                    "listen after close",
                    () -> kind.clients().createServerSocket(port).close());
            log.run(
                    "listen again",
                    () -> kind.clients().createServerSocket(port).close());
        }
    }

    private static void factoryWithPort(SocketKind kind, CallLog log) throws Exception {
        int port = kind.freeClientPort();
        InetAddress any = new InetSocketAddress(0).getAddress();
        try (ServerSocket server = kind.listen();
                Socket socket = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort(), any, port);
                Socket far = server.accept()) {
            log.tell("port", () -> socket.getLocalPort() == port);
            log.tell("port of the peer", () -> far.getPort() == port);
            log.run("another from it", () -> kind.sockets()
                    .createSocket(kind.serverAddress(), server.getLocalPort(), any, port));
        }
    }

    private static void listenOnClientsPort(SocketKind kind, CallLog log) throws Exception {
        try (Socket socket = kind.sockets().createSocket()) {
            socket.bind(null);
            int port = socket.getLocalPort();
            log.tell("has a port", () -> port > 0);
            socket.close();
            try (ServerSocket server = kind.clients().createServerSocket(port)) {
                log.tell("listening", server::isBound);
                log.tell("port", () -> server.getLocalPort() == port);
            }
        }
    }

    private static void factoryMethods(SocketKind kind, CallLog log) throws Exception {
        InetAddress any = new InetSocketAddress(0).getAddress();
        try (ServerSocket server = kind.listen()) {
            String host = kind.serverAddress().getHostAddress();
            int port = server.getLocalPort();
            log.run("name", () -> kind.sockets().createSocket(host, port).close());
            log.run(
                    "name and local end",
                    () -> kind.sockets().createSocket(host, port, any, 0).close());
            log.run("address and local end", () -> kind.sockets()
                    .createSocket(kind.serverAddress(), port, any, 0)
                    .close());
            log.run("no such name", () -> kind.sockets().createSocket("weir.invalid", port));
        }
    }
}
