package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Acks;
import io.weir.transport.testing.Golden;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import io.weir.transport.wire.WeirHeader;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link TfcSender} with frames of 1538 bytes that carry 1424, and a round trip of 100 us. */
class TfcSenderTest {
    private static final int FRAME = 1538;
    private static final int SEGMENT = Acks.SEGMENT_BYTES;
    private static final long RTT = 100_000;
    private static final long MANY = 1 << 20;
    private static final long PROBE_TIMEOUT = 20_000_000;
    private static final String NO_ROUND_TRIP = String.valueOf(Marks.ROUND | Marks.HELD);

    private final FlowContext context = Acks.context(1_000_000_000L);
    private final TfcSender sender = new TfcSender(Tfc.KIND.usual(), context);
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(DataHeader.BYTES));
    private final AckSample ack = new AckSample();
    private final Wishes wishes = new Wishes();
    private long inFlight;
    private long packetNumber;

    /** Counts probes. */
    private static final class Wishes implements ControlSink {
        private int probes;

        @Override
        public void requestBeyond() {
            throw new AssertionError("asks beyond what it has credits for");
        }

        @Override
        public void repeatRequest() {
            throw new AssertionError("repeats a request");
        }

        @Override
        public void sendRequest() {
            throw new AssertionError("TFC asks by probes");
        }

        @Override
        public void sendStop() {
            throw new AssertionError("TFC has nothing to stop");
        }

        @Override
        public void sendProbe() {
            probes++;
        }
    }

    private int probe(long now) {
        DataHeader.write(frame, 0, 1, 0, 0, 0);
        sender.onProbe(frame, 0, now);
        return DataHeader.marks(frame, 0);
    }

    /** Sends all that may leave, and tells the marks of its frames. */
    private String send(long backlog, long now) {
        StringBuilder marks = new StringBuilder();
        for (long left = backlog; left > 0 && sender.maySend(inFlight, now); left -= SEGMENT) {
            DataHeader.write(frame, 0, 1, 0, 0, SEGMENT);
            WeirHeader.packetNumber(frame, 0, ++packetNumber);
            sender.onSegment(frame, 0, left - SEGMENT, now);
            inFlight += SEGMENT;
            marks.append(DataHeader.marks(frame, 0));
        }
        return marks.toString();
    }

    private void hear(int frames, long window, int marks, long now) {
        hear(frames, 0, window, marks, now);
    }

    private void hear(int frames, int lost, long window, int marks, long now) {
        long before = inFlight;
        inFlight -= (long) (frames + lost) * SEGMENT;
        sender.onAck(
                ack.begin(before, packetNumber)
                        .lost((long) lost * SEGMENT, lost == 0 ? 0 : packetNumber)
                        .signals(0, (int) window, marks)
                        .arrived((long) frames * SEGMENT, frames, packetNumber, inFlight),
                now);
    }

    /** Asks for a window and is given one. */
    private void acquire(long window, long now) {
        sender.onBacklog(wishes, now);
        probe(now);
        hear(0, window, Marks.ROUND_ACK, now + RTT);
    }

    @Test
    void table_always_isTheOneInTheDocuments() {
        Golden.requireEqual("TfcSender.dot", TfcSender.TABLE.toDot());
    }

    // ---- to have a window

    @Test
    void onBacklog_noWindow_asksByAMarkedFrameAndSendsNothing() {
        sender.onBacklog(wishes, 0);
        sender.onBacklog(wishes, 1);
        assertEquals(1, wishes.probes);
        assertEquals(Marks.ROUND, probe(2));
        assertEquals(DataHeader.WINDOW_UNSET, DataHeader.window(frame, 0));
        assertEquals("", send(MANY, 3));
        assertEquals(0, sender.windowBytes());
        assertFalse(sender.understandsMarks());
    }

    @Test
    void onAck_windowAskedFor_sendsThatManyFramesAndMarksTheFirst() {
        acquire(3 * FRAME, 0);
        assertEquals(3 * SEGMENT, sender.windowBytes());
        assertEquals("100", send(MANY, RTT));
    }

    @Test
    void onAck_windowWithoutItsMark_isNoWindow() {
        sender.onBacklog(wishes, 0);
        probe(0);
        hear(0, 3 * FRAME, 0, RTT);
        hear(0, 3 * FRAME, Marks.RATE, RTT);
        assertEquals("", send(MANY, RTT));
    }

    @Test
    void onAck_roundAcknowledged_nextFrameIsMarked() {
        acquire(3 * FRAME, 0);
        send(MANY, RTT);
        hear(1, 3 * FRAME, Marks.ROUND_ACK, 2 * RTT);
        assertEquals("1", send(MANY, 2 * RTT));
        hear(1, -1, 0, 2 * RTT);
        assertEquals("0", send(MANY, 2 * RTT));
    }

    @Test
    void onAck_windowSmaller_waitsUntilLessIsInFlight() {
        acquire(4 * FRAME, 0);
        send(MANY, RTT);
        hear(1, 2 * FRAME, Marks.ROUND_ACK, 2 * RTT);
        assertEquals("", send(MANY, 2 * RTT));
        hear(1, -1, 0, 2 * RTT);
        assertEquals("", send(MANY, 2 * RTT));
        hear(1, -1, 0, 2 * RTT);
        assertEquals("1", send(MANY, 2 * RTT));
    }

    @Test
    void maySend_acknowledgementOfTheMarkHeld_sendsNoMoreThanAWindow() {
        acquire(3 * FRAME, 0);
        send(MANY, RTT);
        hear(2, -1, 0, 2 * RTT);
        assertEquals("", send(MANY, 2 * RTT));
        sender.onLateAck(FRAME, Marks.ROUND_ACK | Marks.HELD, 3 * RTT);
        hear(1, -1, 0, 3 * RTT);
        assertEquals(NO_ROUND_TRIP, send(MANY, 3 * RTT));
    }

    @Test
    void onAck_windowBelowAFrame_isAFrame() {
        acquire(100, 0);
        assertEquals("1", send(MANY, RTT));
    }

    @Test
    void onAck_windowWithARest_keepsItForTheNextRound() {
        acquire(FRAME + FRAME / 2, 0);
        assertEquals("1", send(MANY, RTT));
        hear(1, FRAME + FRAME / 2, Marks.ROUND_ACK, 2 * RTT);
        assertEquals("10", send(MANY, 2 * RTT));
    }

    // ---- to lose it

    @ParameterizedTest
    @ValueSource(longs = {0, RTT - 1, RTT})
    void onBacklog_shortPause_usesTheWindow(long pause) {
        acquire(3 * FRAME, 0);
        send(SEGMENT, RTT);
        hear(1, 3 * FRAME, Marks.ROUND_ACK, 2 * RTT);
        sender.onBacklog(wishes, 2 * RTT + pause);
        assertEquals(1, wishes.probes);
        assertEquals("100", send(MANY, 2 * RTT + pause));
    }

    @Test
    void onBacklog_afterAnIdleRoundTrip_asksAgain() {
        acquire(3 * FRAME, 0);
        send(SEGMENT, RTT);
        hear(1, 3 * FRAME, Marks.ROUND_ACK, 2 * RTT);
        sender.onBacklog(wishes, 3 * RTT + 1);
        assertEquals(2, wishes.probes);
        assertEquals("", send(MANY, 3 * RTT + 1));
    }

    @Test
    void onBacklog_ownHostKeepsItWaiting_theWindowStaysGood() {
        acquire(3 * FRAME, 0);
        for (long now = RTT; now < 10 * RTT; now += RTT) {
            sender.onBacklog(wishes, now);
        }
        assertEquals(1, wishes.probes);
        assertEquals("100", send(MANY, 10 * RTT));
    }

    @Test
    void onRetransmissionTimeout_always_asksAgain() {
        acquire(3 * FRAME, 0);
        send(MANY, RTT);
        sender.onRetransmissionTimeout(20 * RTT);
        inFlight = 0;
        sender.onBacklog(wishes, 20 * RTT);
        assertEquals(2, wishes.probes);
        assertEquals("", send(MANY, 20 * RTT));
    }

    @Test
    void onRetransmissionTimeout_answersAreHeld_waitsInLine() {
        sender.onBacklog(wishes, 0);
        probe(0);
        hear(0, FRAME, Marks.ROUND_ACK | Marks.HELD, RTT);
        send(MANY, RTT);
        sender.onRetransmissionTimeout(20 * RTT);
        inFlight = 0;
        sender.onBacklog(wishes, 20 * RTT);
        assertEquals(1, wishes.probes);
        assertEquals("", send(MANY, 20 * RTT));
        sender.onTimeout(wishes, true, RTT + PROBE_TIMEOUT);
        assertEquals(2, wishes.probes);
    }

    @Test
    void onAck_frameBehindTheMarkLost_theMarkIsWaitedFor() {
        acquire(4 * FRAME, 0);
        send(MANY, RTT);
        packetNumber--;
        hear(1, 1, -1, 0, 2 * RTT);
        packetNumber++;
        assertEquals("", send(MANY, 2 * RTT));
    }

    @Test
    void onAck_threeFramesBehindTheMarkAnswered_nextFrameIsMarkedOnceAndEndsNoRoundTrip() {
        acquire(4 * FRAME, 0);
        send(MANY, RTT);
        hear(2, 1, -1, 0, 2 * RTT);
        assertEquals(NO_ROUND_TRIP + "00", send(MANY, 2 * RTT));
        hear(3, -1, 0, 3 * RTT);
        assertEquals("0", send(MANY, 3 * RTT), "the rest of the window");
    }

    @Test
    void onAck_answerToARepeatedMark_nextRoundCountsAgain() {
        acquire(4 * FRAME, 0);
        send(MANY, RTT);
        hear(3, 1, -1, 0, 2 * RTT);
        assertEquals(NO_ROUND_TRIP + "000", send(MANY, 2 * RTT));
        // Whether this answers the first mark or its repetition is not known, nor where the round began.
        hear(4, 4 * FRAME, Marks.ROUND_ACK, 2 * RTT + RTT / 2);
        assertEquals(NO_ROUND_TRIP + "000", send(MANY, 2 * RTT + RTT / 2));
        hear(4, 4 * FRAME, Marks.ROUND_ACK, 4 * RTT);
        assertEquals("1000", send(MANY, 4 * RTT));
    }

    @Test
    void onAck_manyFramesBehindAMarkThatMayBeHeld_waits() {
        acquire(FRAME, 0);
        send(MANY, RTT);
        packetNumber += 10;
        hear(1, -1, 0, 2 * RTT);
        assertEquals("", send(MANY, 2 * RTT));
    }

    // ---- time

    @Test
    void onTimeout_nothingHeard_asksAgainEverMoreRarely() {
        sender.onBacklog(wishes, 0);
        assertEquals(PROBE_TIMEOUT, sender.nextTimeoutNanos());
        sender.onTimeout(wishes, true, PROBE_TIMEOUT - 1);
        assertEquals(1, wishes.probes);
        sender.onTimeout(wishes, true, PROBE_TIMEOUT);
        assertEquals(2, wishes.probes);
        assertEquals(3 * PROBE_TIMEOUT, sender.nextTimeoutNanos());
    }

    @Test
    void onTimeout_questionLostWhereNobodyHoldsAnswers_asksAgainSoon() {
        acquire(4 * FRAME, 0);
        send(MANY, RTT);
        long patience = PROBE_TIMEOUT / 16;
        sender.onTimeout(wishes, true, RTT + patience);
        assertEquals(2, wishes.probes);
        assertEquals(RTT + 3 * patience, sender.nextTimeoutNanos());
    }

    @Test
    void onTimeout_questionAfterAnIdleTime_waitsForOthersInLine() {
        acquire(4 * FRAME, 0);
        send(SEGMENT, RTT);
        hear(1, 4 * FRAME, Marks.ROUND_ACK, 2 * RTT);
        sender.onBacklog(wishes, 100 * RTT);
        assertEquals(2, wishes.probes);
        assertEquals(100 * RTT + PROBE_TIMEOUT, sender.nextTimeoutNanos());
    }

    @Test
    void onTimeout_nothingToSend_isIdle() {
        acquire(3 * FRAME, 0);
        sender.onTimeout(wishes, false, RTT + PROBE_TIMEOUT);
        assertEquals(Deadline.NO_DEADLINE, sender.nextTimeoutNanos());
        assertEquals(0, sender.windowBytes());
        assertEquals(1, wishes.probes);
    }

    @Test
    void onTimeout_windowTooSmallForWhatIsInFlight_waitsOn() {
        acquire(4 * FRAME, 0);
        send(MANY, RTT);
        hear(1, 2 * FRAME, Marks.ROUND_ACK, 2 * RTT);
        sender.onTimeout(wishes, true, 2 * RTT + PROBE_TIMEOUT);
        assertEquals(1, wishes.probes);
        assertTrue(sender.nextTimeoutNanos() > 2 * RTT + PROBE_TIMEOUT);
    }

    @Test
    void onTimeout_longRounds_waitsFourOfThem() {
        sender.onBacklog(wishes, 0);
        probe(0);
        hear(0, FRAME, Marks.ROUND_ACK, 9_000_000);
        assertEquals(9_000_000 + 36_000_000, sender.nextTimeoutNanos());
    }

    // ---- peers that lie

    @Test
    void onAck_windowNotAskedFor_isIgnoredAndCounted() {
        hear(0, 50 * FRAME, Marks.ROUND_ACK, 0);
        acquire(2 * FRAME, 0);
        hear(0, 50 * FRAME, Marks.ROUND_ACK, RTT);
        assertEquals("10", send(MANY, RTT));
        assertEquals(2, context.counters().get(CounterId.ROUND_ACKS_IGNORED));
    }

    @Test
    void onAck_largestWindow_isUnsigned() {
        acquire(DataHeader.WINDOW_UNSET, 0);
        assertTrue(sender.windowBytes() > 3_000_000_000L);
    }
}
