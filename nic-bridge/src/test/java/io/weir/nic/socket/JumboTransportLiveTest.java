package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.XdpMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests sockets over AF_XDP whose links take IP packets of 9,000 bytes at one end or both. */
@LiveTest
class JumboTransportLiveTest {
    private static final int PORT = 4720;
    private static final int STREAM_BYTES = 5_000_000;

    private static Transport open(NetNamespace namespace, XdpMode mode, int mtuBytes) throws IOException {
        FramePool pool = new FramePool(8_192, AfXdpInterface.slotBytes(mtuBytes));
        AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                .namespace(namespace.name())
                .mode(mode)
                .build();
        return Transport.open(AfXdpInterface.open(config, pool), pool, TransportConfig.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "NATIVE, 9000, 9000, 10.77.0.2",
        "NATIVE, 9000, 9000, fd77::2",
        "GENERIC, 9000, 9000, 10.77.0.2",
        "NATIVE, 9000, 1500, 10.77.0.2",
        "NATIVE, 1500, 9000, 10.77.0.2",
        "GENERIC, 9000, 1500, fd77::2"
    })
    void write_ofEachModeAndMtu_arrivesUnchanged(XdpMode mode, int mtuA, int mtuB, String address) throws Exception {
        byte[] sent = new byte[STREAM_BYTES];
        new Random(1).nextBytes(sent);
        try (TwoHosts hosts = TwoHosts.create()) {
            hosts.lab().run(hosts.a(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", Integer.toString(mtuA));
            hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", Integer.toString(mtuB));
            try (Transport client = open(hosts.a(), mode, mtuA);
                    Transport server = open(hosts.b(), mode, mtuB);
                    WeirServerSocket listener = server.listen(PORT)) {
                assertEquals(mtuA, client.portInfo().mtuBytes());
                CompletableFuture<byte[]> received = Background.run(() -> readAll(listener));
                try (WeirSocket socket = client.connect(new InetSocketAddress(address, PORT), Deadline.HANG_GUARD)) {
                    socket.write(ByteBuffer.wrap(sent));
                    socket.shutdownOutput();
                    assertArrayEquals(sent, received.get());
                }
            }
        }
    }

    private static byte[] readAll(WeirServerSocket listener) {
        try (WeirSocket socket = listener.accept()) {
            return socket.inputStream().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
