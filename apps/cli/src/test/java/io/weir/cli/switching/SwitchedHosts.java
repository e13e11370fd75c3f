package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Two hosts on either side of where a switch may be, each in its own namespace. */
final class SwitchedHosts implements AutoCloseable {
    static final String ADDRESS_B = "10.78.0.2";
    static final String HOST_INTERFACE = "eth0";
    static final Duration PATIENCE = Deadline.HANG_GUARD;

    private static final int PORT = 4720;

    private final Lab lab = Lab.create();
    private final NetNamespace a = lab.namespace("a");
    private final NetNamespace b = lab.namespace("b");
    private final NetNamespace fabric = lab.namespace("fabric");
    private final LabLink linkToA;
    private final LabLink linkToB;

    SwitchedHosts() throws IOException {
        linkToA = LabLink.between(new LabEnd(a, HOST_INTERFACE, "10.78.0.1/24"), new LabEnd(fabric, "sw0"));
        lab.link(linkToA);
        linkToB = LabLink.between(new LabEnd(b, HOST_INTERFACE, ADDRESS_B + "/24"), new LabEnd(fabric, "sw1"));
        lab.link(linkToB);
    }

    Lab lab() {
        return lab;
    }

    NetNamespace a() {
        return a;
    }

    NetNamespace b() {
        return b;
    }

    /** {@return the namespace of the switch, whose interfaces are sw0 towards a and sw1 towards b} */
    NetNamespace fabric() {
        return fabric;
    }

    LabLink linkToA() {
        return linkToA;
    }

    LabLink linkToB() {
        return linkToB;
    }

    /** {@return a listener of b's kernel} */
    ServerSocket listen() throws IOException {
        return b.call(() -> new ServerSocket(PORT));
    }

    /** {@return a connection of a's kernel to it} */
    Socket connect() throws IOException {
        return a.call(() -> {
            Socket socket = new Socket();
            socket.connect(new InetSocketAddress(ADDRESS_B, PORT), (int) PATIENCE.toMillis());
            return socket;
        });
    }

    /** {@return an open connection from a to b} */
    Stream open(ProtocolId protocol, TransportConfig config) throws IOException {
        return new Stream(protocol, config);
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    @Override
    public void close() {
        lab.close();
    }

    /** A connection of Weir from a to b, with a transport at each end. */
    final class Stream implements AutoCloseable {
        private final Transport client;
        private final Transport server;
        private final WeirSocket socket;
        private final CompletableFuture<byte[]> received;

        private Stream(ProtocolId protocol, TransportConfig config) throws IOException {
            client = transport(a, config);
            server = transport(b, config);
            WeirServerSocket listener = server.listen(PORT);
            received = Background.run(() -> acceptAll(listener));
            socket = client.connect(new InetSocketAddress(ADDRESS_B, PORT), PATIENCE, protocol);
            assertEquals(protocol, socket.protocol());
        }

        private static Transport transport(NetNamespace namespace, TransportConfig config) throws IOException {
            FramePool pool = new FramePool(8_192, 2_048);
            AfXdpConfig port =
                    AfXdpConfig.host(HOST_INTERFACE).namespace(namespace.name()).build();
            return Transport.open(AfXdpInterface.open(port, pool), pool, config);
        }

        private static byte[] acceptAll(WeirServerSocket listener) {
            try (listener;
                    WeirSocket socket = listener.accept()) {
                return socket.inputStream().readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends these bytes and the end of the stream; fails unless they arrive as they were. */
        void send(byte[] sent) throws Exception {
            socket.write(ByteBuffer.wrap(sent));
            socket.shutdownOutput();
            assertArrayEquals(sent, received.get());
        }

        @Override
        public void close() throws IOException {
            socket.close();
            server.close();
            client.close();
        }
    }
}
