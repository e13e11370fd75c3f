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

/** Sequences that begin with a listener: binding, closing, listening again. */
@SuppressWarnings("try") // cases close what they have opened, at times twice
final class ListenCases {
    private ListenCases() {}

    static List<ParityCase<SocketKind>> all() {
        return List.of(
                ParityCase.of("close, then listen on the port again", ListenCases::listenAgain),
                ParityCase.of(
                        "close with an accepted connection, then listen again", ListenCases::listenBesideAccepted),
                ParityCase.of("close with a waiting connection, then listen again", ListenCases::listenBesideWaiting),
                ParityCase.of("close, then connect to the port", ListenCases::connectToClosed),
                ParityCase.of("listen at one address, connect to another", ListenCases::listenElsewhere),
                ParityCase.of("listen at two addresses on one port", ListenCases::listenAtTwoAddresses),
                ParityCase.of("listen everywhere, then at one address", ListenCases::listenEverywhereFirst),
                ParityCase.of("listen at one address, then everywhere", ListenCases::listenEverywhereSecond),
                ParityCase.of("listen twice, close, listen", ListenCases::listenTwice),
                ParityCase.of("listen on any port, ask, close, ask", ListenCases::askListener),
                ParityCase.of("bind a listener that is bound", ListenCases::bindTwice),
                ParityCase.of("bind a listener to a foreign address, then to an own one", ListenCases::bindForeign),
                ParityCase.of("bind a listener with bad arguments", ListenCases::bindBadly),
                ParityCase.of("use of a listener that is not bound", ListenCases::useUnbound),
                ParityCase.of("use of a closed listener", ListenCases::useClosed),
                ParityCase.of("accept in order", ListenCases::acceptInOrder),
                ParityCase.of("accept from a client that is gone", ListenCases::acceptGone),
                ParityCase.of("listen with a backlog of one", ListenCases::smallBacklog));
    }

    private static void listenAgain(SocketKind kind, CallLog log) throws Exception {
        int port = kind.freePort();
        for (int i = 0; i < 20; i++) {
            log.tell("listen " + i, () -> kind.listen(port).isBound());
            // A listener that could not be closed would be found by the next call.
            log.run("close " + i, () -> kind.closeListener(port));
        }
    }

    private static void listenBesideAccepted(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            int port = ends.server().getLocalPort();
            log.run("close", ends.server()::close);
            try (ServerSocket next = kind.listen(port);
                    Socket near = kind.sockets().createSocket(kind.serverAddress(), port);
                    Socket far = next.accept()) {
                near.getOutputStream().write(1);
                ends.near().getOutputStream().write(2);
                log.tell("read of the new connection", far.getInputStream()::read);
                log.tell("read of the earlier connection", ends.far().getInputStream()::read);
                log.tell("ports", () -> far.getLocalPort() == ends.far().getLocalPort());
            }
        }
    }

    private static void listenBesideWaiting(SocketKind kind, CallLog log) throws Exception {
        ServerSocket server = kind.listen();
        int port = server.getLocalPort();
        try (Socket waiting = kind.sockets().createSocket(kind.serverAddress(), port)) {
            kind.awaitArrival(waiting);
            log.run("close", server::close);
            try (ServerSocket next = kind.listen(port)) {
                log.tell("read of the connection that waited", waiting.getInputStream()::read);
                log.tell("bound", next::isBound);
            }
        }
    }

    private static void connectToClosed(SocketKind kind, CallLog log) throws Exception {
        int port = kind.freePort();
        ServerSocket server = kind.listen(port);
        log.run(
                "connect",
                () -> kind.sockets().createSocket(kind.serverAddress(), port).close());
        log.run("close", server::close);
        log.run("connect after close", () -> kind.sockets().createSocket(kind.serverAddress(), port));
        log.tell("listen", () -> kind.listen(port).isBound());
        log.run(
                "connect again",
                () -> kind.sockets().createSocket(kind.serverAddress(), port).close());
        kind.closeListener(port);
    }

    private static void listenElsewhere(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.servers().createServerSocket(0, 5, kind.elsewhere())) {
            int port = server.getLocalPort();
            log.tell("address", () -> server.getInetAddress().equals(kind.elsewhere()));
            log.run("connect to another", () -> kind.sockets().createSocket(kind.serverAddress(), port));
            server.setSoTimeout(20);
            log.tell("accept", server::accept);
        }
    }

    private static void listenAtTwoAddresses(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            int port = server.getLocalPort();
            ServerSocket other = kind.servers().createServerSocket();
            log.run("listen elsewhere", () -> other.bind(new InetSocketAddress(kind.elsewhere(), port)));
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), port);
                    Socket far = server.accept()) {
                log.tell("accepted", () -> far.getPort() == near.getLocalPort());
            }
            log.run("close", other::close);
            try (ServerSocket again = kind.servers().createServerSocket(port, 5, kind.elsewhere())) {
                log.tell("listen elsewhere again", again::isBound);
            }
            log.run("connect", () -> kind.sockets()
                    .createSocket(kind.serverAddress(), port)
                    .close());
        }
    }

    private static void listenEverywhereFirst(SocketKind kind, CallLog log) throws Exception {
        ServerSocket any = kind.servers().createServerSocket(0);
        int port = any.getLocalPort();
        log.tell("address", () -> any.getInetAddress().isAnyLocalAddress());
        log.run("listen at one", () -> kind.listen(port));
        log.run(
                "connect",
                () -> kind.sockets().createSocket(kind.serverAddress(), port).close());
        log.run("close", any::close);
        log.tell("listen at one after close", () -> kind.listen(port).isBound());
        kind.closeListener(port);
    }

    private static void listenEverywhereSecond(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket one = kind.listen()) {
            int port = one.getLocalPort();
            log.run("listen everywhere", () -> kind.servers().createServerSocket(port));
            one.close();
            log.tell("closed", one::isClosed);
            try (ServerSocket any = kind.servers().createServerSocket(port)) {
                log.tell("listen everywhere after close", any::isBound);
            }
        }
    }

    private static void listenTwice(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            int port = server.getLocalPort();
            ServerSocket second = kind.servers().createServerSocket();
            log.run("listen", () -> second.bind(new InetSocketAddress(kind.serverAddress(), port)));
            log.tell("bound", second::isBound);
            log.tell("closed", second::isClosed);
            server.close();
            log.run("listen after close", () -> second.bind(new InetSocketAddress(kind.serverAddress(), port)));
            log.tell("bound after close", second::isBound);
            second.close();
        }
    }

    private static void askListener(SocketKind kind, CallLog log) throws Exception {
        ServerSocket server = kind.listen();
        int port = server.getLocalPort();
        log.tell("port", () -> port > 0);
        log.tell("socket address", () -> server.getLocalSocketAddress()
                .equals(new InetSocketAddress(kind.serverAddress(), port)));
        log.tell("bound", server::isBound);
        server.close();
        log.tell("closed", server::isClosed);
        log.tell("bound after close", server::isBound);
        log.tell("port after close", () -> server.getLocalPort() == port);
        log.tell("address after close", () -> server.getInetAddress().equals(kind.serverAddress()));
        log.run("close again", server::close);
    }

    private static void bindTwice(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            log.add(failure(() -> server.bind(null)).toString().toLowerCase(Locale.ROOT));
            log.add(server.isBound());
            log.add(outcome(() -> kind.servers().createServerSocket(server.getLocalPort(), 5, kind.serverAddress())));
        }
    }

    private static void bindForeign(SocketKind kind, CallLog log) throws Exception {
        InetAddress foreign = InetAddress.getByName("192.0.2.77");
        try (ServerSocket server = kind.servers().createServerSocket()) {
            log.run("bind to a foreign address", () -> server.bind(new InetSocketAddress(foreign, 0)));
            log.tell("bound", server::isBound);
            log.tell("closed", server::isClosed);
            log.run("bind to an own address", () -> server.bind(new InetSocketAddress(kind.serverAddress(), 0)));
            log.tell("bound at last", server::isBound);
        }
    }

    private static void bindBadly(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.servers().createServerSocket()) {
            log.run("unresolved", () -> server.bind(InetSocketAddress.createUnresolved("weir.invalid", 1)));
            log.run("port", () -> kind.servers().createServerSocket(65_536));
            log.run("negative port", () -> kind.servers().createServerSocket(-1));
            log.run("null", () -> server.bind(null));
            log.tell("a port was chosen", () -> server.getLocalPort() > 0);
        }
    }

    private static void useUnbound(SocketKind kind, CallLog log) throws Exception {
        ServerSocket unbound = kind.servers().createServerSocket();
        log.add(unbound.isBound());
        log.add(unbound.getLocalPort());
        log.add(unbound.getLocalSocketAddress());
        log.add(failure(unbound::accept));
        log.run("set a time-out", () -> unbound.setSoTimeout(5));
        log.tell("ask for it", unbound::getSoTimeout);
        unbound.close();
        log.add(failure(unbound::accept));
        log.add(failure(() -> unbound.bind(null)));
    }

    private static void useClosed(SocketKind kind, CallLog log) throws Exception {
        ServerSocket server = kind.listen();
        server.close();
        log.add(failure(server::accept));
        log.add(failure(() -> server.bind(null)));
        log.add(failure(() -> server.setSoTimeout(1)));
        log.add(failure(server::getSoTimeout));
        log.add(failure(server::getReuseAddress));
        log.add(failure(() -> server.setReceiveBufferSize(1_000)));
        log.add(failure(server::getReceiveBufferSize));
    }

    private static void acceptInOrder(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            for (int i = 0; i < 3; i++) {
                try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort())) {
                    near.getOutputStream().write(i);
                    try (Socket far = server.accept()) {
                        log.tell("accept " + i, () -> far.getPort() == near.getLocalPort());
                        log.tell("read " + i, far.getInputStream()::read);
                    }
                }
            }
        }
    }

    private static void acceptGone(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort());
            near.getOutputStream().write(5);
            near.close();
            try (Socket far = server.accept()) {
                log.tell("read", far.getInputStream()::read);
                log.tell("end", far.getInputStream()::read);
                log.tell("connected", far::isConnected);
            }
        }
    }

    private static void smallBacklog(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.servers().createServerSocket(0, 1, kind.serverAddress());
                Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort())) {
            log.tell("connected", near::isConnected);
            try (Socket far = server.accept();
                    Socket next = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort());
                    Socket nextFar = server.accept()) {
                log.tell("first", () -> far.getPort() == near.getLocalPort());
                log.tell("second", () -> nextFar.getPort() == next.getLocalPort());
            }
        }
    }
}
