package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.RequestHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link StreamReceiver}: a peer that sends, and a host that gives credits and acknowledges. */
class StreamReceiverTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final int FIN = DataHeader.FLAG_FIN;
    private static final long MILLISECOND = 1_000_000;
    private static final long ACK_DELAY = ConnectionTimers.DEFAULT.ackDelayNanos();

    /** A host that has sent a dozen credits or more and waits for their data. */
    private static Script credited() {
        return new Script().establishFromPeer(20 * SEGMENT).at(20_000).forgetSent();
    }

    private static Script credited(StreamLimits streams) {
        return new Script(builder -> builder.streams(streams))
                .establishFromPeer(20 * SEGMENT)
                .at(20_000)
                .forgetSent();
    }

    private static StreamLimits smallWindow(int bytes) {
        return StreamLimits.fixed(1 << 16, bytes);
    }

    private static List<String> acksOf(Script script) {
        return script.takeSent().stream()
                .map(SentFrame::text)
                .filter(text -> text.startsWith("ACK"))
                .toList();
    }

    @Test
    void window_closesToExactlyZeroAndOpens_isToldAtOnceWithCredits() {
        StreamLimits small = StreamLimits.fixed(1 << 16, 8192);
        try (Script script = new Script(builder -> builder.streams(small)).establishFromPeer(0)) {
            script.app().take(0);
            script.receives(peer -> peer.request(20 * SEGMENT, 0)).at(10_000);
            for (int i = 1; i <= 5; i++) {
                int number = i;
                int bytes = Math.min(SEGMENT, 8192 - i * SEGMENT);
                script.receives(peer -> peer.data(number, (long) number * SEGMENT, bytes, 0, 20 * SEGMENT));
            }
            script.after(10_000).receives(peer -> peer.data(6, 0, SEGMENT, 0, 20 * SEGMENT));
            script.after(10_000).forgetSent();
            assertEquals(0, script.connection().receiveBuffer().windowBytes());
            assertEquals(8192, script.connection().receiveBuffer().readableBytes());
            script.receives(peer -> peer.request(20 * SEGMENT, 6)).after(1_000).sends("ACK 8192 window=0");
            script.after(1_000_000).forgetSent().mark().read(8192);
            script.at(1_000).sendsAt(0, "ACK 8192 window=8192").sendsAt(126, "CREDIT 7 ack=8192");
        }
    }

    @Test
    void window_readerThatWakesUp_getsDataWithinTwoRoundTrips() {
        long propagationNanos = 50_000;
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(propagationNanos)) {
            StreamProbe reader = new StreamProbe(2, 0, 1).keepOpen();
            reader.setTakeLimit(0);
            network.connect(0, 1, 2, new StreamProbe(1, 2_000_000, 2), reader);
            long readNanos = 500_000_000;
            network.simulator().run(readNanos - 1);
            assertEquals(0, reader.receivedBytes());
            long waiting = reader.connection().receiveBuffer().readableBytes();
            assertTrue(reader.connection().receiveBuffer().windowBytes() < 1_424);
            network.at(readNanos, 2, () -> {
                reader.setTakeLimit(Integer.MAX_VALUE);
                reader.connection().resumeReading();
            });
            network.simulator().run(readNanos + 4 * propagationNanos);
            assertTrue(reader.receivedBytes() > waiting, reader.receivedBytes() + " B after two round trips");
        }
    }

    @Test
    void onRequest_thatCreditsAnswer_isNotAcknowledgedWhereOneLeaves() {
        try (Script script = new Script().establishFromPeer(0)) {
            script.receives(peer -> peer.request(RequestHeader.FLAG_CREDITS_ANSWER, SEGMENT, 0))
                    .at(1_000)
                    .sendsAt(0, "CREDIT 1 ack=0")
                    .sendsNothing();
        }
    }

    @Test
    void onRequest_thatCreditsAnswerAndNoRoomForData_isAcknowledged() {
        try (Script script = credited(smallWindow(8192))) {
            script.app().take(0);
            script.receives(peer -> peer.data(1, 0, SEGMENT, 0, 20 * SEGMENT));
            for (int i = 2; i <= 5; i++) {
                int number = i;
                script.receives(peer -> peer.data(number, (number - 1L) * SEGMENT, SEGMENT, 0, 20 * SEGMENT));
            }
            script.after(ACK_DELAY).forgetSent();
            assertTrue(script.connection().receiveBuffer().freeBytes() < SEGMENT);
            script.receives(peer -> peer.request(RequestHeader.FLAG_CREDITS_ANSWER, 20 * SEGMENT, 5))
                    .after(1_000)
                    .sends("ACK 7120 window=1072");
        }
    }

    @Test
    void onData_inOrder_isDeliveredAndAcknowledgedAfterTheDelay() {
        try (Script script = credited()) {
            script.mark().receives(peer -> peer.data(1, 0, 100)).hears();
            assertEquals(100, script.app().receivedBytes());
            script.at(ACK_DELAY - 1).sendsNothing().at(ACK_DELAY).sendsAt(ACK_DELAY, "ACK 100 window=262144");
        }
    }

    @Test
    void onData_whileTheSenderHasMore_isAcknowledgedOnceNoneHasComeForFourDelays() {
        try (Script script = credited()) {
            script.mark().receives(peer -> peer.data(1, 0, SEGMENT, 0, 3 * SEGMENT));
            script.at(3 * ACK_DELAY).receives(peer -> peer.data(2, SEGMENT, SEGMENT, 0, 2 * SEGMENT));
            script.at(7 * ACK_DELAY - 1);
            assertEquals(List.of(), acksOf(script));
            script.at(7 * ACK_DELAY);
            assertEquals(List.of("ACK 2848 window=262144"), acksOf(script));
        }
    }

    @Test
    void onData_lastOfSeveral_isAcknowledgedAfterTheDelay() {
        try (Script script = credited()) {
            script.mark().receives(peer -> peer.data(1, 0, SEGMENT, 0, SEGMENT));
            script.at(2 * ACK_DELAY).receives(peer -> peer.data(2, SEGMENT, SEGMENT, 0, 0));
            script.at(3 * ACK_DELAY - 1);
            assertEquals(List.of(), acksOf(script));
            script.at(3 * ACK_DELAY);
            assertEquals(List.of("ACK 2848 window=262144"), acksOf(script));
        }
    }

    @Test
    void onData_gapWhileTheSenderHasMore_isAcknowledgedAtOnce() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, SEGMENT, SEGMENT, 0, 3 * SEGMENT));
            assertEquals(List.of("ACK 0 window=262144 [1424,2848)"), acksOf(script));
        }
    }

    @Test
    void onData_sixteenFrames_areAcknowledgedAtOnce() {
        try (Script script = credited()) {
            for (int i = 0; i < 16; i++) {
                int number = i;
                script.sendsNothing().receives(peer -> peer.data(1 + number, number * 10L, 10, 0, 0));
            }
            script.sends("ACK 160 window=262144");
        }
    }

    @Test
    void onData_creditNeverSent_isDroppedUnheard() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1_000, 0, 100))
                    .counts(CounterId.DROP_CREDIT_UNKNOWN, 1)
                    .after(MILLISECOND / 2);
            assertEquals(0, script.app().receivedBytes());
            assertEquals(List.of(), acksOf(script));
        }
    }

    @Test
    void onData_creditUsedTwice_isDropped() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, 0, 100))
                    .receives(peer -> peer.data(1, 100, 100))
                    .counts(CounterId.DROP_CREDIT_REUSED, 1);
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void onData_withoutCredit_isDropped() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(DataHeader.NO_CREDIT, 0, 100)).counts(CounterId.DROP_CREDIT_MISSING, 1);
            assertEquals(0, script.app().receivedBytes());
        }
    }

    @Test
    void onData_beyondTheWindow_isDroppedAndAcknowledgedAtOnce() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, (1 << 18) - 10, 11))
                    .counts(CounterId.DROP_OUTSIDE_WINDOW, 1)
                    .sends("ACK 0 window=262144");
        }
    }

    @Test
    void onData_offsetThatOverflows_isDropped() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, Long.MAX_VALUE - 10, 100)).counts(CounterId.DROP_OUTSIDE_WINDOW, 1);
            script.receives(peer -> peer.data(2, Long.MAX_VALUE - 1, 1)).counts(CounterId.DROP_OUTSIDE_WINDOW, 1);
        }
    }

    @Test
    void onData_moreGapsThanAnAckHasRanges_tellsOfThoseUpToTheLatest() {
        try (Script script = credited()) {
            for (int i = 1; i <= 10; i++) {
                int gap = i;
                script.receives(peer -> peer.data(2 + gap, 200L * gap, 100)).after(5_000);
            }
            List<String> acks = acksOf(script);
            StringBuilder expected = new StringBuilder("ACK 0 window=262144");
            for (int gap = 3; gap <= 10; gap++) {
                expected.append(" [")
                        .append(200 * gap)
                        .append(',')
                        .append(200 * gap + 100)
                        .append(')');
            }
            assertEquals(expected.toString(), acks.get(acks.size() - 1));
        }
    }

    @Test
    void onData_outOfOrder_isKeptAndAcknowledgedInRanges() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(2, 100, 100))
                    .sends("ACK 0 window=262144 [100,200)")
                    .after(200)
                    .receives(peer -> peer.data(3, 300, 100))
                    .sends("ACK 0 window=262144 [100,200) [300,400)")
                    .after(200)
                    .receives(peer -> peer.data(1, 0, 100))
                    .sends("ACK 200 window=262144 [300,400)")
                    .after(200)
                    .receives(peer -> peer.data(4, 200, 100))
                    .sends("ACK 400 window=262144");
            assertEquals(400, script.app().receivedBytes());
        }
    }

    @Test
    void onData_overlappingAndRepeated_isDeliveredOnce() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, 0, 100))
                    .receives(peer -> peer.data(2, 50, 100))
                    .receives(peer -> peer.data(3, 200, 50))
                    .receives(peer -> peer.data(4, 180, 100))
                    .receives(peer -> peer.data(5, 0, 100))
                    .counts(CounterId.DATA_FRAMES_DUPLICATE, 1)
                    .receives(peer -> peer.data(6, 100, 100));
            assertEquals(280, script.app().receivedBytes());
        }
    }

    @Test
    void onData_moreGapsThanAllowed_isRefusedUntilOneCloses() {
        StreamLimits oneGap = StreamLimits.fixed(1 << 16, 1 << 16).withGapsMax(1);
        try (Script script = credited(oneGap)) {
            script.receives(peer -> peer.data(1, 100, 100))
                    .receives(peer -> peer.data(2, 300, 100))
                    .counts(CounterId.DROP_REASSEMBLY, 1)
                    .receives(peer -> peer.data(3, 200, 50))
                    .receives(peer -> peer.data(4, 0, 100));
            assertEquals(250, script.app().receivedBytes());
        }
    }

    @Test
    void onData_oneByteOfPayloadWrong_isDroppedForItsCrc() {
        try (Script script = credited()) {
            script.receivesDamaged(peer -> peer.data(1, 0, 100), HeaderTemplate.BYTES_V4 + DataHeader.BYTES + 50)
                    .counts(CounterId.DROP_CRC, 1)
                    .receives(peer -> peer.data(1, 0, 100));
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_tagOfNobody_isDropped() {
        try (Script script = credited()) {
            script.receives(peer -> peer.withTag(12345).data(1, 0, 100)).counts(CounterId.DROP_TAG, 1);
        }
    }

    @Test
    void onFrame_rightTagFromElsewhere_isDropped() {
        try (Script script = credited()) {
            Path path = script.peer().path();
            IpAddress other = IpAddress.v4(0x0A00_0099);
            Path port = path.withLocalPort(9);
            Path address = Path.from(path.localMac(), other, path.localPort())
                    .to(path.remoteMac(), path.remote(), path.remotePort());
            Path target =
                    Path.from(path.localMac(), path.local(), path.localPort()).to(path.remoteMac(), path.remote(), 9);
            script.receives(peer -> peer.withPath(port).data(1, 0, 100))
                    .receives(peer -> peer.withPath(address).data(1, 0, 100))
                    .receives(peer -> peer.withPath(target).data(1, 0, 100))
                    .counts(CounterId.DROP_TAG, 3);
            assertEquals(0, script.app().receivedBytes());
        }
    }

    @Test
    void onData_end_isAcknowledgedAtOnceAsOneMoreByte() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, 0, 100, FIN, 0))
                    .hears("end")
                    .sends("ACK 101 window=262144")
                    .after(10 * MILLISECOND)
                    .sendsNothing();
        }
    }

    @Test
    void onData_endWithoutPayload_needsNoCredit() {
        try (Script script = credited()) {
            script.receives(peer -> peer.end(0)).hears("end").sends("ACK 1 window=262144");
        }
    }

    @Test
    void onData_repetitionFirstTellsOfTheEnd_isHeard() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, 0, 100))
                    .hears()
                    .receives(peer -> peer.data(2, 0, 100, FIN, 0))
                    .hears("end");
        }
    }

    @Test
    void onData_endBeforeTheRest_waitsForIt() {
        try (Script script = credited()) {
            script.receives(peer -> peer.end(100))
                    .hears()
                    .sends("ACK 0 window=262144")
                    .receives(peer -> peer.data(1, 0, 100))
                    .hears("end");
        }
    }

    @Test
    void onData_contradictingEnds_areDropped() {
        try (Script script = credited()) {
            script.receives(peer -> peer.data(1, 100, 100))
                    .receives(peer -> peer.end(150))
                    .counts(CounterId.DROP_MALFORMED, 1)
                    .receives(peer -> peer.end(300))
                    .receives(peer -> peer.end(301))
                    .counts(CounterId.DROP_MALFORMED, 2)
                    .receives(peer -> peer.data(2, 250, 51))
                    .counts(CounterId.DROP_MALFORMED, 3)
                    .hears();
        }
    }

    @Test
    void window_applicationReadsNothing_closesAndReopens() {
        try (Script script = credited(smallWindow(8192))) {
            script.app().take(0);
            for (int i = 0; i < 5; i++) {
                int number = i;
                script.receives(peer -> peer.data(1 + number, number * (long) SEGMENT, SEGMENT, 0, 100 * SEGMENT));
            }
            script.after(MILLISECOND);
            assertEquals(List.of("ACK 7120 window=1072"), acksOf(script));
            script.after(500 * MILLISECOND).forgetSent().read(7_120);
            List<SentFrame> sent = script.after(5_000).takeSent();
            assertEquals("ACK 7120 window=8192", sent.get(0).text());
            assertTrue(sent.get(1).text().startsWith("CREDIT"), sent.toString());
        }
    }

    @Test
    void window_readPartly_deliversTheRestInOrder() {
        try (Script script = credited()) {
            script.app().take(30);
            script.receives(peer -> peer.data(1, 0, 100)).receives(peer -> peer.data(2, 100, 100));
            assertEquals(30, script.app().receivedBytes());
            script.read(100);
            assertEquals(130, script.app().receivedBytes());
            script.receives(peer -> peer.data(3, 200, 100, FIN, 0)).hears();
            script.read(1_000).hears("end");
            assertEquals(300, script.app().receivedBytes());
        }
    }

    @Test
    void onData_applicationAbortsMeanwhile_hearsNothingMore() {
        try (Script script = credited()) {
            script.app().whenData(() -> script.connection().abort());
            script.receives(peer -> peer.data(1, 0, 100, FIN, 0)).hears("closed ABORTED");
        }
    }
}
