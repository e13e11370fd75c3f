package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the kernel says of a connection over the loopback; no privileges are needed. */
class TcpInfoTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void of_openConnection_hasItsFiguresAndOfNoneNothing(String host) throws Exception {
        InetAddress address = InetAddress.getByName(host);
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(address, 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            client.write(ByteBuffer.wrap(new byte[1_000]));
            assertTrue(accepted.read(ByteBuffer.allocate(1_000)) > 0);
            InetSocketAddress local = (InetSocketAddress) client.getLocalAddress();
            InetSocketAddress remote = (InetSocketAddress) client.getRemoteAddress();
            TcpInfo info = TcpInfo.of(local, remote);
            assertTrue(info.rttNanos() > 0, info.toString());
            assertTrue(info.windowBytes() >= info.segmentBytes() && info.segmentBytes() > 500, info.toString());
            assertEquals(0, info.retransmittedSegments());
            assertNull(TcpInfo.of(local, new InetSocketAddress(address, 1)));
        }
    }
}
