package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what one peer that reads loses to 200 that take what their windows hold and then nothing. */
class PeersThatNeverReadTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long LINK_BPS = 1_000_000_000L;
    private static final int IDLERS = 200;
    private static final int SERVER = 1;
    private static final int READER = 2;
    private static final int IDLER = 3;

    static List<ProtocolConfig> protocols() {
        return Catalogue.forRealPorts();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void peers_thatNeverRead_takeAtMostAFifthFromOneThatDoes(ProtocolConfig protocol) {
        long alone = bytesOfReader(protocol, 0);
        long withIdlers = bytesOfReader(protocol, IDLERS);
        assertTrue(
                withIdlers >= 0.8 * alone,
                () -> "the reader has " + (double) withIdlers / alone + " of what it had alone");
    }

    /** {@return what the reader gets in half a second, once the others' windows are full} */
    private static long bytesOfReader(ProtocolConfig protocol, int idlerCount) {
        try (TestNetwork network = new TestNetwork(3, LINK_BPS, protocol).star(3, 5_000, options -> options)) {
            for (int i = 0; i < idlerCount; i++) {
                StreamProbe idler = new StreamProbe(1, 0, 2).keepOpen();
                idler.setTakeLimit(0);
                network.connect(i * 10_000L, SERVER, IDLER, BulkFlow.sender(), idler);
            }
            BulkFlow reader = BulkFlow.receiver();
            network.connect(0, SERVER, READER, BulkFlow.sender(), reader);
            network.simulator().run(2 * SECOND);
            long before = reader.receivedBytes();
            network.simulator().run(2 * SECOND + SECOND / 2);
            assertEquals(idlerCount + 1, network.stack(SERVER).connectionCount());
            return reader.receivedBytes() - before;
        }
    }
}
