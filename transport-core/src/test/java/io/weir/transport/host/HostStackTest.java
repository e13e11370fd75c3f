package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.FramePrinter;
import org.junit.jupiter.api.Test;

/** Tests {@link HostStack}: two hosts on one link. */
class HostStackTest {
    @Test
    void connect_bothSendAndEnd_deliversEveryByteAndCloses() {
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPassConfig.weir()).pair(25_000)) {
            StreamProbe client = new StreamProbe(1, 1_000_000, 2);
            StreamProbe server = new StreamProbe(2, 300_000, 1);
            int[] lines = new int[1];
            network.simulator().setTrace((link, frame, now) -> {
                if (lines[0]++ < 60) {
                    System.out.println(now + " " + link.from() + " " + FramePrinter.print(frame));
                }
            });
            network.connect(0, 1, 2, client, server);
            network.simulator().run(20_000_000);
            System.out.println(client.receivedBytes() + " " + server.receivedBytes() + " end " + server.endNanos()
                    + " events " + network.simulator().eventCount());
            System.out.println(network.stack(1).counters());
            System.out.println(network.stack(2).counters());
            network.simulator().run(200_000_000);
            assertEquals(1_000_000, server.receivedBytes());
            assertEquals(300_000, client.receivedBytes());
            assertEquals(-1, server.firstMismatch());
            assertEquals(-1, client.firstMismatch());
            assertEquals(CloseReason.FINISHED, client.closeReason());
            assertEquals(CloseReason.FINISHED, server.closeReason());
            assertEquals(0, network.stack(1).connectionCount());
            assertTrue(client.isEnded() && server.isEnded());
        }
    }
}
