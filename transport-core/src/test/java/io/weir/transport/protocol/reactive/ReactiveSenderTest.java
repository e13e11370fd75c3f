package io.weir.transport.protocol.reactive;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.testing.Acks;
import io.weir.transport.wire.DataHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link ReactiveSender} with segments of 1000 B of payload, 1100 B on the wire, and a control that writes down
 * what it is told.
 */
class ReactiveSenderTest {
    private static final int SEGMENT = 1_000;
    private static final long MILLISECOND = 1_000_000;

    private final Told control = new Told();
    private final ReactiveSender sender =
            new ReactiveSender(control, new FlowContext(null, null, 0, 0, SEGMENT, 1_100, 1, null, Acks.calm(), 0));
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(2_048));
    private final Wishes wishes = new Wishes();
    private final AckSample ack = new AckSample();

    /** A control of fixed window and rate. */
    private static final class Told implements CongestionControl {
        private final List<String> events = new ArrayList<>();
        private long windowBytes = 4 * SEGMENT;
        private long rateBps;

        @Override
        public long windowBytes() {
            return windowBytes;
        }

        @Override
        public long rateBps() {
            return rateBps;
        }

        @Override
        public void observe(AckSample ack, long nowNanos) {
            events.add("observe");
        }

        @Override
        public void onAck(AckSample ack, boolean isLimited, long nowNanos) {
            events.add(isLimited ? "ack limited" : "ack");
        }

        @Override
        public void onLoss(long inFlightBytes, long nowNanos) {
            events.add("loss " + inFlightBytes);
        }

        @Override
        public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
            events.add("timeout " + inFlightBytes);
        }

        private String take() {
            String text = String.join(", ", events);
            events.clear();
            return text;
        }
    }

    /** Counts requests. */
    private static final class Wishes implements ControlSink {
        private int requests;

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
            requests++;
        }

        @Override
        public void sendStop() {}

        @Override
        public void sendProbe() {}
    }

    private void send(int payloadBytes, long nowNanos) {
        DataHeader.write(frame, 0, 1, 0, 0, payloadBytes);
        sender.onSegment(frame, 0, 0, nowNanos);
    }

    private void hear(long arrivedBytes, long acked, long sent, long inFlightBefore) {
        ack.begin(inFlightBefore, sent).arrived(arrivedBytes, 1, acked, inFlightBefore - arrivedBytes);
        sender.onAck(ack.lost(0, 0), 0);
    }

    private void hearLoss(long lostNumber, long acked, long sent, long inFlightBefore) {
        ack.begin(inFlightBefore, sent).arrived(0, 0, acked, inFlightBefore - SEGMENT);
        sender.onAck(ack.lost(SEGMENT, lostNumber), 0);
    }

    @Test
    void maySend_windowFull_refuses() {
        assertTrue(sender.maySend(3 * SEGMENT, 0));
        assertFalse(sender.maySend(3 * SEGMENT + 1, 0));
        assertFalse(sender.maySend(4 * SEGMENT, 0));
    }

    @Test
    void maySend_nothingInFlight_letsOneSegmentPassWhateverTheWindow() {
        control.windowBytes = 10;
        assertTrue(sender.maySend(0, 0));
        assertFalse(sender.maySend(1, 0));
    }

    @Test
    void onAck_neverHeldBack_isNotLimited() {
        assertTrue(sender.maySend(0, 0));
        hear(SEGMENT, 1, 1, SEGMENT);
        assertEquals("observe, ack", control.take());
    }

    @Test
    void onAck_heldBackInThisRoundTripOrTheLast_isLimited() {
        assertFalse(sender.maySend(4 * SEGMENT, 0));
        hear(SEGMENT, 1, 4, 4 * SEGMENT);
        assertEquals("observe, ack limited", control.take());
        // The round of frames 2 to 4, and in it the news of the round before.
        hear(SEGMENT, 4, 6, 3 * SEGMENT);
        assertEquals("observe, ack limited", control.take());
        hear(SEGMENT, 5, 7, 2 * SEGMENT);
        assertEquals("observe, ack limited", control.take());
        hear(SEGMENT, 7, 9, SEGMENT);
        assertEquals("observe, ack", control.take());
    }

    @Test
    void onAck_lossesOfOneWindow_areToldOnce() {
        hearLoss(3, 6, 10, 4 * SEGMENT);
        assertEquals("observe, loss 4000", control.take());
        hearLoss(7, 10, 12, 3 * SEGMENT);
        assertEquals("observe", control.take());
        hearLoss(12, 15, 20, 3 * SEGMENT);
        assertEquals("observe, loss 3000", control.take());
    }

    @Test
    void onAck_whileALossIsRepaired_isOnlyObserved() {
        hearLoss(3, 6, 10, 4 * SEGMENT);
        control.take();
        hear(SEGMENT, 10, 11, 3 * SEGMENT);
        assertEquals("observe", control.take());
        hear(SEGMENT, 11, 12, 2 * SEGMENT);
        assertEquals("observe, ack", control.take());
    }

    @Test
    void maySend_lossJustFound_letsOneRepetitionPassBeyondTheWindow() {
        hearLoss(3, 6, 10, 8 * SEGMENT);
        assertTrue(sender.maySend(7 * SEGMENT, 0));
        send(SEGMENT, 0);
        assertFalse(sender.maySend(7 * SEGMENT, 0));
    }

    @Test
    void onRetransmissionTimeout_severalInARow_tellWhatWasInFlightAtFirst() {
        sender.maySend(2 * SEGMENT, 0);
        send(SEGMENT, 0);
        sender.onRetransmissionTimeout(0);
        assertEquals("timeout 3000", control.take());
        sender.maySend(0, 0);
        send(SEGMENT, 0);
        sender.onRetransmissionTimeout(0);
        assertEquals("timeout 3000", control.take());
        hear(SEGMENT, 20, 20, SEGMENT);
        control.take();
        sender.maySend(0, 0);
        send(SEGMENT, 0);
        sender.onRetransmissionTimeout(0);
        assertEquals("timeout 1000", control.take());
    }

    @Test
    void maySend_paced_waitsForTheRateOnTheWire() {
        control.rateBps = 1_100_000_000;
        control.windowBytes = 1L << 30;
        assertTrue(sender.maySend(0, 0));
        send(SEGMENT, 0);
        assertFalse(sender.maySend(SEGMENT, 7_999));
        assertEquals(8_000, sender.nextTimeoutNanos());
        assertTrue(sender.maySend(SEGMENT, 8_000));
        assertEquals(NO_DEADLINE, sender.nextTimeoutNanos());
    }

    @Test
    void onTimeout_paceReached_isNotDueAgain() {
        control.rateBps = 1_100_000_000;
        send(SEGMENT, 0);
        sender.maySend(SEGMENT, 0);
        sender.onTimeout(wishes, true, 8_000);
        assertTrue(sender.nextTimeoutNanos() > 8_000, "a deadline in the past would fire forever");
    }

    @Test
    void onTimeout_closedWindowOfTheReceiver_isProbedEverMoreSlowly() {
        List<Long> probes = new ArrayList<>();
        long now = 0;
        while (now < 1_000 * MILLISECOND) {
            sender.onBacklog(wishes, now);
            long next = sender.nextTimeoutNanos();
            assertTrue(next > now, next + " is not after " + now);
            now = next;
            int before = wishes.requests;
            sender.onTimeout(wishes, true, now);
            if (wishes.requests > before) {
                probes.add(now / MILLISECOND);
                // The answer: the window is closed still.
                hear(0, 1, 1, 0);
            }
        }
        assertEquals(List.of(5L, 15L, 35L, 75L, 155L, 315L, 635L, 955L, 1_275L), probes);
    }

    @Test
    void onBacklog_somethingInFlight_setsNoTimer() {
        sender.maySend(SEGMENT, 0);
        sender.onBacklog(wishes, 0);
        assertEquals(NO_DEADLINE, sender.nextTimeoutNanos());
    }

    @Test
    void onTimeout_somethingInFlightOrNothingToSend_doesNotProbe() {
        sender.onBacklog(wishes, 0);
        sender.maySend(SEGMENT, 0);
        sender.onTimeout(wishes, true, 10 * MILLISECOND);
        sender.maySend(0, 0);
        sender.onBacklog(wishes, 10 * MILLISECOND);
        sender.onTimeout(wishes, false, 20 * MILLISECOND);
        assertEquals(0, wishes.requests);
    }

    @Test
    void onSegment_always_saysThatNoCreditWasSpent() {
        send(SEGMENT, 0);
        assertEquals(DataHeader.NO_CREDIT, DataHeader.creditSequence(frame, 0));
    }
}
