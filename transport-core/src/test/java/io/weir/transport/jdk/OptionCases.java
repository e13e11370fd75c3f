package io.weir.transport.jdk;

import static io.weir.transport.testing.CallLog.outcome;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/** Options and addresses: many calls each, and each one case. */
final class OptionCases {
    private static final List<SocketOption<Integer>> NUMBERS = List.of(
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.IP_TOS,
            ExtendedSocketOptions.TCP_KEEPIDLE,
            ExtendedSocketOptions.TCP_KEEPINTERVAL,
            ExtendedSocketOptions.TCP_KEEPCOUNT,
            ExtendedSocketOptions.SO_INCOMING_NAPI_ID);

    private OptionCases() {}

    static List<ParityCase<SocketKind>> all() {
        return List.of(
                ParityCase.of("addresses", OptionCases::addresses),
                ParityCase.of("options", OptionCases::options),
                ParityCase.of("options of listeners", OptionCases::optionsOfListeners));
    }

    private static void addresses(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.add(ends.near().getInetAddress().equals(kind.serverAddress()));
            log.add(ends.near().getPort() == ends.server().getLocalPort());
            log.add(ends.far().getPort() == ends.near().getLocalPort());
            log.add(ends.far().getInetAddress().equals(ends.near().getLocalAddress()));
            log.add(ends.near().getRemoteSocketAddress().equals(ends.far().getLocalSocketAddress()));
            log.add(ends.far().getRemoteSocketAddress().equals(ends.near().getLocalSocketAddress()));
            log.add(ends.server().getInetAddress().equals(kind.serverAddress()));
            log.add(ends.near().getLocalPort() > 0);
            log.add(ends.far().isBound());
        }
    }

    private static void options(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            tell(ends.near(), log);
            set(ends.near(), log);
            limits(ends.near(), log);
            log.tell("TCP_KEEPIDLE at first", () -> ends.far().getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
            log.tell("TCP_KEEPINTERVAL at first", () -> ends.far().getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL));
            log.tell("TCP_KEEPCOUNT at first", () -> ends.far().getOption(ExtendedSocketOptions.TCP_KEEPCOUNT));
            log.tell("TCP_QUICKACK at first", () -> ends.far().getOption(ExtendedSocketOptions.TCP_QUICKACK));
            log.tell("supported", () -> names(ends.near().supportedOptions()));
        }
        // Also before it is connected.
        try (Socket socket = kind.sockets().createSocket()) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setReceiveBufferSize(100_000);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 60);
            log.add(socket.getTcpNoDelay() && socket.getKeepAlive());
            log.add(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
        }
    }

    private static void tell(Socket socket, CallLog log) throws Exception {
        log.add(List.of(
                socket.getTcpNoDelay(),
                socket.getKeepAlive(),
                socket.getSoLinger(),
                socket.getSoTimeout(),
                socket.getOOBInline(),
                socket.getTrafficClass(),
                socket.getReuseAddress()));
    }

    private static void set(Socket socket, CallLog log) throws Exception {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setSoLinger(true, 7);
        socket.setSoTimeout(1_234);
        socket.setOOBInline(true);
        socket.setTrafficClass(0x10);
        socket.setReuseAddress(true);
        socket.setPerformancePreferences(1, 2, 3);
        tell(socket, log);
        socket.setSoLinger(true, 100_000);
        log.add(socket.getSoLinger());
        socket.setSoLinger(false, 0);
        log.add(socket.getSoLinger());
        log.add(socket.getOption(StandardSocketOptions.SO_LINGER));
        socket.setOption(StandardSocketOptions.TCP_NODELAY, false);
        log.add(socket.getTcpNoDelay());
        socket.setSendBufferSize(64 * 1024);
        socket.setReceiveBufferSize(64 * 1024);
        log.add(socket.getSendBufferSize() >= 64 * 1024);
        log.add(socket.getReceiveBufferSize() >= 64 * 1024);
        log.add(outcome(() -> socket.setSoTimeout(-1)));
        log.add(outcome(() -> socket.setSoLinger(true, -1)));
        log.add(outcome(() -> socket.setSendBufferSize(0)));
        log.add(outcome(() -> socket.setReceiveBufferSize(-1)));
        log.add(outcome(() -> socket.setTrafficClass(256)));
        log.add(outcome(() -> socket.getOption(StandardSocketOptions.IP_MULTICAST_TTL)));
        log.run("SO_REUSEPORT", () -> socket.setOption(StandardSocketOptions.SO_REUSEPORT, true));
        log.add(socket.getOption(StandardSocketOptions.SO_REUSEPORT));
    }

    private static void limits(Socket socket, CallLog log) {
        for (SocketOption<Integer> option : NUMBERS) {
            for (int value : new int[] {-1, 0, 1, 127, 255, 40_000}) {
                log.run(option + " := " + value, () -> socket.setOption(option, value));
                log.tell(option + " after " + value, () -> {
                    int read = socket.getOption(option);
                    // What was refused has left what there was, which may differ.
                    return read == value
                                    || outcome(() -> socket.setOption(option, value))
                                            .equals("ok")
                            ? read
                            : "other";
                });
            }
        }
    }

    private static List<String> names(Iterable<SocketOption<?>> options) {
        List<String> names = new ArrayList<>();
        options.forEach(option -> names.add(option.name()));
        names.sort(null);
        return names;
    }

    private static void optionsOfListeners(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.servers().createServerSocket()) {
            log.tell("SO_REUSEADDR at first", server::getReuseAddress);
            server.setReuseAddress(true);
            server.setReceiveBufferSize(100_000);
            server.setPerformancePreferences(1, 2, 3);
            log.add(server.getReuseAddress());
            log.add(server.getReceiveBufferSize() >= 100_000);
            log.add(outcome(() -> server.setSoTimeout(-1)));
            log.add(outcome(() -> server.setReceiveBufferSize(0)));
            log.add(outcome(() -> server.getOption(StandardSocketOptions.TCP_NODELAY)));
            log.run("TCP_KEEPIDLE", () -> server.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 77));
            log.tell("supported", () -> names(server.supportedOptions()));
            server.bind(new InetSocketAddress(kind.serverAddress(), 0), 0);
            log.add(server.isBound());
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort());
                    Socket far = server.accept()) {
                log.tell("of the accepted", () -> far.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
                log.tell("SO_REUSEADDR of the accepted", far::getReuseAddress);
                log.tell("connected", near::isConnected);
            }
        }
    }
}
