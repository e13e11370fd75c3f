package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.HeaderTemplate;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what streams do on paths that drop long frames silently. */
class BlackHoleTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long LINK_BPS = 100_000_000L;
    private static final int HEADER_BYTES = 1_500 - 1_424;

    private static TestNetwork pair(ProtocolConfig protocol) {
        return new TestNetwork(3, LINK_BPS, protocol).pair(25_000);
    }

    /** Lets the path from the first host to the second swallow packets of more than {@code mtuBytes}. */
    private static void limit(TestNetwork network, int mtuBytes) {
        network.host(1)
                .link(0)
                .setFilter((frame, now) -> frame.length() + frame.elidedBytes() <= mtuBytes + Ethernet.HEADER_BYTES);
    }

    private static int packetBytes(Connection connection) {
        return connection.sender().segmentBytes() + HEADER_BYTES;
    }

    @Test
    void mtuOfThePath_lessFromTheBeginning_everyProtocolFindsIt() {
        for (ProtocolConfig protocol : Catalogue.forRealPorts()) {
            try (TestNetwork network = pair(protocol)) {
                StreamProbe client = new StreamProbe(1, 1_000_000, 2);
                StreamProbe server = new StreamProbe(2, 0, 1);
                limit(network, 1_400);
                network.connect(0, 1, 2, client, server);
                network.simulator().run(3 * SECOND);
                assertEquals(1_000_000, server.receivedBytes(), protocol.toString());
                assertEquals(-1, server.firstMismatch());
                assertEquals(CloseReason.FINISHED, client.closeReason());
                assertEquals(1, network.stack(1).counters().get(CounterId.BLACK_HOLES_FOUND));
            }
        }
    }

    /** Lets neither host's path carry packets of more than {@code mtuBytes}. */
    private static void limitBoth(TestNetwork network, int mtuBytes) {
        limit(network, mtuBytes);
        network.host(2)
                .link(0)
                .setFilter((frame, now) -> frame.length() + frame.elidedBytes() <= mtuBytes + Ethernet.HEADER_BYTES);
    }

    /**
     * Messages whose first frame does not fit, with nothing else that the peer could acknowledge: one frame, one with a
     * short one behind it, and some.
     */
    @ParameterizedTest
    @ValueSource(ints = {1_424, 1_500, 1_424 + 1_300, 20_000})
    void loneMessage_longerThanThePathsMtu_arrivesBothWaysWithItsEnd(int bytes) {
        for (ProtocolConfig protocol : Catalogue.forRealPorts()) {
            try (TestNetwork network = pair(protocol)) {
                StreamProbe client = new StreamProbe(1, bytes, 2);
                StreamProbe server = new StreamProbe(2, bytes, 1);
                limitBoth(network, 1_400);
                network.connect(0, 1, 2, client, server);
                network.simulator().run(3 * SECOND);
                assertEquals(bytes, server.receivedBytes(), protocol.toString());
                assertEquals(bytes, client.receivedBytes(), protocol.toString());
                assertEquals(-1, server.firstMismatch());
                assertEquals(-1, client.firstMismatch());
                assertEquals(CloseReason.FINISHED, client.closeReason(), protocol.toString());
                assertEquals(CloseReason.FINISHED, server.closeReason(), protocol.toString());
            }
        }
    }

    @Test
    void loneMessage_onAConnectionThatWasIdle_arrivesAndTheNextNeedsNoTimeout() {
        for (ProtocolConfig protocol : Catalogue.forRealPorts()) {
            try (TestNetwork network = pair(protocol)) {
                StreamProbe client = new StreamProbe(1, 100, 2).keepOpen();
                StreamProbe server = new StreamProbe(2, 0, 1).keepOpen();
                network.connect(0, 1, 2, client, server);
                network.simulator().run(SECOND);
                limitBoth(network, 1_400);
                for (int i = 1; i <= 4; i++) {
                    write(client, 1_424);
                    network.simulator().run((1 + i) * SECOND);
                    assertEquals(100 + i * 1_424, server.receivedBytes(), protocol + ", message " + i);
                }
                Counters counters = network.stack(1).counters();
                assertEquals(1, counters.get(CounterId.BLACK_HOLES_FOUND), protocol.toString());
                long timeouts = counters.get(CounterId.RETRANSMISSION_TIMEOUTS);
                write(client, 1_424);
                network.simulator().run(6 * SECOND);
                assertEquals(100 + 5 * 1_424, server.receivedBytes(), protocol.toString());
                assertEquals(timeouts, counters.get(CounterId.RETRANSMISSION_TIMEOUTS), protocol.toString());
            }
        }
    }

    private static void write(StreamProbe probe, int bytes) {
        probe.connection().write(new UnsafeBuffer(new byte[bytes]), 0, bytes);
    }

    @Test
    void mtuOfThePath_getsLess_segmentsShrinkAndFillWhatIsLeft() {
        try (TestNetwork network = pair(ExpressPass.weir())) {
            BulkFlow sender = BulkFlow.sender();
            BulkFlow receiver = BulkFlow.receiver();
            network.connect(0, 1, 2, sender, receiver);
            network.simulator().run(50 * MILLISECOND);
            assertEquals(1_500, packetBytes(sender.connection()));
            limit(network, 1_400);
            network.simulator().run(550 * MILLISECOND);
            assertTrue(
                    packetBytes(sender.connection()) > 1_400 - 2 * SegmentSize.STEP_BYTES,
                    () -> "" + packetBytes(sender.connection()));
            assertTrue(packetBytes(sender.connection()) <= 1_400);
            long before = receiver.receivedBytes();
            network.simulator().run(650 * MILLISECOND);
            double goodput = (receiver.receivedBytes() - before) * 8 / 0.1;
            assertTrue(goodput > 0.75 * LINK_BPS, () -> "goodput " + goodput);
            assertEquals(1, network.stack(1).counters().get(CounterId.BLACK_HOLES_FOUND));
            assertNull(sender.closeReason());
        }
    }

    @Test
    void mtuOfThePath_isWholeAgain_isProbedUp() {
        try (TestNetwork network = pair(ExpressPass.weir())) {
            BulkFlow sender = BulkFlow.sender();
            network.connect(0, 1, 2, sender, BulkFlow.receiver());
            limit(network, 1_300);
            // A flow of which nothing is heard gets ever fewer credits, so its time-outs come more slowly.
            network.simulator().run(2 * SECOND);
            assertTrue(packetBytes(sender.connection()) <= 1_300);
            limit(network, 1_500);
            network.simulator().run(2 * SECOND + SegmentSize.RAISE_NANOS + 100 * MILLISECOND);
            assertEquals(1_500, packetBytes(sender.connection()));
        }
    }

    @Test
    void probe_ofAPathThatStaysSmall_costsAFewFramesPerRaiseAndNoBlackHole() {
        try (TestNetwork network = pair(ExpressPass.weir())) {
            BulkFlow sender = BulkFlow.sender();
            network.connect(0, 1, 2, sender, BulkFlow.receiver());
            limit(network, 1_400);
            network.simulator().run(2 * SECOND);
            Connection connection = sender.connection();
            long before = connection.retransmittedBytes();
            long timeoutsBefore = network.stack(1).counters().get(CounterId.RETRANSMISSION_TIMEOUTS);
            network.simulator().run(2 * SECOND + 2 * SegmentSize.RAISE_NANOS);
            long lostProbes = (connection.retransmittedBytes() - before) / 1_300;
            assertTrue(lostProbes <= 2 * 5 * SegmentSize.PROBES_MAX, () -> lostProbes + " probes lost");
            assertEquals(timeoutsBefore, network.stack(1).counters().get(CounterId.RETRANSMISSION_TIMEOUTS));
            assertEquals(1, network.stack(1).counters().get(CounterId.BLACK_HOLES_FOUND));
        }
    }

    @Test
    void path_thatIsCutAltogether_isNoBlackHole() {
        try (TestNetwork network = pair(ExpressPass.weir())) {
            BulkFlow sender = BulkFlow.sender();
            network.connect(0, 1, 2, sender, BulkFlow.receiver());
            network.simulator().run(50 * MILLISECOND);
            limit(network, 0);
            network.simulator().run(5 * SECOND);
            limit(network, 1_500);
            network.simulator().run(7 * SECOND);
            assertEquals(0, network.stack(1).counters().get(CounterId.BLACK_HOLES_FOUND));
            assertEquals(1_500, packetBytes(sender.connection()));
            assertNull(sender.closeReason());
        }
    }

    @Test
    void path_belowTheLeastMtu_endsByTheUserTimeout() {
        try (TestNetwork network = pair(ExpressPass.weir())) {
            BulkFlow sender = BulkFlow.sender();
            network.connect(0, 1, 2, sender, BulkFlow.receiver());
            limit(network, HostConfig.MTU_BYTES_MIN - 1);
            network.simulator().run(12 * SECOND);
            assertEquals(CloseReason.TIMED_OUT, sender.closeReason());
        }
    }

    @Test
    void mtuOfTheLink_raisedAgain_isUsedAgain() {
        try (TestNetwork network = pair(ExpressPass.weir())) {
            BulkFlow sender = BulkFlow.sender();
            network.connect(0, 1, 2, sender, BulkFlow.receiver());
            network.simulator().run(10 * MILLISECOND);
            network.stack(1).network().setMtu(1_300);
            network.simulator().run(20 * MILLISECOND);
            assertEquals(1_300, packetBytes(sender.connection()));
            network.stack(1).network().setMtu(1_500);
            network.simulator().run(30 * MILLISECOND);
            assertEquals(1_500, packetBytes(sender.connection()));
            assertEquals(HEADER_BYTES, HeaderTemplate.BYTES_V4 - Ethernet.HEADER_BYTES + 48);
        }
    }
}
