package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a server that opens its interface again when that was deleted and is made again. */
@LiveTest
class ReopenLiveTest {
    private static final int PORT = 4725;
    private static final int CONNECTIONS = 16;
    private static final String SERVING = "SERVING";

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void interface_deletedAndMadeAgainTwice_isServedAgain(int loops) throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(loops));
                ChildJvm server = ChildJvm.start(
                        List.of("ip", "netns", "exec", hosts.b().name()),
                        KillLiveTest.EchoServer.class,
                        Integer.toString(loops))) {
            assertEquals(SERVING, server.awaitLine(SERVING));
            ask(hosts, "first");
            for (int i = 0; i < 2; i++) {
                hosts.lab().unlink(hosts.link());
                String gone = server.awaitLine("it is opened again when it returns");
                assertTrue(gone.contains("the interface was deleted"), gone);
                hosts.lab().link(hosts.link());
                String back = server.awaitLine("is open again after");
                assertTrue(back.contains("with UDP ports [" + PORT + "]"), back);
                ask(hosts, "again " + i);
            }
        }
    }

    private static void ask(TwoHosts hosts, String question) throws IOException {
        byte[] sent = question.getBytes(StandardCharsets.UTF_8);
        try (Transport client = hosts.openTransport(hosts.a())) {
            // Enough for every loop of the server to have some, whatever ports they come from.
            for (int i = 0; i < CONNECTIONS; i++) {
                try (WeirSocket socket =
                        client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), Deadline.HANG_GUARD)) {
                    socket.write(ByteBuffer.wrap(sent));
                    assertArrayEquals(sent, socket.inputStream().readNBytes(sent.length));
                }
            }
        }
    }
}
