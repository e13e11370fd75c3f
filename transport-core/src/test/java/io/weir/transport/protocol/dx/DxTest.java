package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Settings;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Acks;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests {@link Dx}, acknowledgement by acknowledgement, at 10 Gbit/s: the usual headroom is 2.461 us. */
class DxTest {
    private static final int SEGMENT = Acks.SEGMENT_BYTES;
    private static final long RTT_NANOS = 200_000;
    private static final long LINK_BPS = 10_000_000_000L;

    private final FlowContext context = Acks.context(LINK_BPS);
    private final Acks acks = new Acks();
    private Dx dx = new Dx(Dx.KIND.usual(), context);

    private void hear(AckSample ack) {
        dx.observe(ack, 0);
        dx.onAck(ack, true, 0);
    }

    /** A round trip whose frames waited so long, and one more, which a decision waits out. */
    private void round(int waitNanos) {
        hear(filled(acks.delayed(10, RTT_NANOS, waitNanos)));
        hear(filled(acks.delayed(10, RTT_NANOS, waitNanos)));
    }

    /** The flow had filled its window. */
    private AckSample filled(AckSample ack) {
        return filled(ack, 0);
    }

    /** The flow had filled its window, and so many frames have left after the one that is acknowledged. */
    private AckSample filled(AckSample ack, int later) {
        long acked = ack.ackedPacketNumber();
        return ack.begin(dx.windowBytes(), acked + later)
                .times(ack.t1(), ack.t2(), ack.t3(), ack.t2() + RTT_NANOS)
                .arrived(10L * SEGMENT, 10, acked, 0);
    }

    private void halveTo(int segments) {
        while (segments() > segments) {
            dx.onRetransmissionTimeout(dx.windowBytes(), 0);
        }
    }

    private long segments() {
        return dx.windowBytes() / SEGMENT;
    }

    private static Settings literal() {
        return Dx.KIND.presets().get(1);
    }

    @Test
    void onAck_slowStart_growsByWhatArrives() {
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        assertEquals(20, segments());
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        assertEquals(30, segments());
        assertTrue(dx.isInSlowStart());
    }

    @Test
    void onAck_slowStartWindowNotFilled_standsStill() {
        hear(acks.delayed(1, RTT_NANOS, 0));
        hear(acks.delayed(1, RTT_NANOS, 0));
        assertEquals(10, segments());
    }

    @Test
    void onAck_firstQueue_endsSlowStart() {
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        hear(filled(acks.delayed(10, RTT_NANOS, 2_461)));
        assertTrue(dx.isInSlowStart());
        hear(filled(acks.delayed(10, RTT_NANOS, 2_462)));
        assertFalse(dx.isInSlowStart());
    }

    @Test
    void observe_noQueue_growsByASegmentEachRoundTrip() {
        endSlowStart();
        long before = segments();
        for (int i = 1; i <= 4; i++) {
            hear(filled(acks.delayed(10, RTT_NANOS, 1_230)));
            assertEquals(before + i, segments());
        }
    }

    @Test
    void observe_halfTheHeadroom_waitsARoundTripForWhatGrowthDoes() {
        endSlowStart();
        long before = segments();
        hear(filled(acks.delayed(10, RTT_NANOS, 1_231)));
        assertEquals(before + 1, segments());
        hear(filled(acks.delayed(10, RTT_NANOS, 1_231)));
        assertEquals(before + 1, segments());
        hear(filled(acks.delayed(10, RTT_NANOS, 1_231)));
        assertEquals(before + 2, segments());
    }

    @Test
    void observe_smallWindow_waitsARoundTripForWhatGrowthDoes() {
        endSlowStart();
        halveTo(15);
        long before = dx.windowBytes();
        assertTrue(before <= 16 * SEGMENT);
        round(0);
        assertEquals(before + SEGMENT, dx.windowBytes());
    }

    @Test
    void observe_settledWindow_isJudgedByEightFrames() {
        endSlowStart();
        hear(filled(acks.delayed(10, RTT_NANOS, 20_000), 30));
        long cut = dx.windowBytes();
        for (int frame = 0; frame < 30; frame++) {
            hear(filled(acks.delayed(1, RTT_NANOS, 20_000), 40));
            assertEquals(cut, dx.windowBytes());
        }
        // This one ends the round of the old window.
        hear(filled(acks.delayed(1, RTT_NANOS, 20_000), 40));
        for (int frame = 1; frame < 8; frame++) {
            hear(filled(acks.delayed(1, RTT_NANOS, 0), 40));
            assertEquals(cut, dx.windowBytes());
        }
        hear(filled(acks.delayed(1, RTT_NANOS, 0), 40));
        assertEquals(cut + SEGMENT, dx.windowBytes());
    }

    @Test
    void observe_queue_givesUpTheFlowsShareOfWhatIsBeyondTheHeadroom() {
        endSlowStart();
        long before = dx.windowBytes();
        round(20_000);
        assertEquals(before - (before - SEGMENT) * (20_000 - 2_461) / RTT_NANOS, dx.windowBytes());
    }

    @Test
    void observe_frameThatLeftBeforeTheChange_isNotHeldAgainstIt() {
        endSlowStart();
        long before = dx.windowBytes();
        hear(filled(acks.delayed(10, RTT_NANOS, 20_000)));
        long cut = dx.windowBytes();
        assertTrue(cut < before);
        hear(filled(acks.delayed(10, RTT_NANOS, 20_000)));
        assertEquals(cut, dx.windowBytes());
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        assertEquals(cut + SEGMENT, dx.windowBytes());
    }

    @Test
    void observe_staleDelays_decidesEveryRoundTripByWholeSegments() {
        dx = new Dx(literal(), context);
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        hear(filled(acks.delayed(10, RTT_NANOS, 20_000)));
        long before = segments();
        hear(filled(acks.delayed(10, RTT_NANOS, 20_000)));
        assertEquals(before - 1, segments());
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        assertEquals(before, segments());
        assertEquals(0, dx.rateBps());
        assertEquals(dx.windowBytes(), dx.inFlightBytesMax());
    }

    @Test
    void onAck_windowNotFilled_doesNotGrow() {
        endSlowStart();
        long before = segments();
        for (int i = 0; i < 6; i++) {
            hear(acks.delayed(1, RTT_NANOS, 0));
        }
        assertEquals(before, segments());
    }

    @Test
    void rateBps_isAWindowARoundTrip() {
        assertEquals(0, dx.rateBps());
        endSlowStart();
        round(0);
        double wireBits = dx.windowBytes() * 1538.0 / SEGMENT * 8;
        assertEquals(wireBits * 1e9 / RTT_NANOS, (double) dx.rateBps(), 100_000);
        assertEquals(dx.windowBytes() + SEGMENT - 1, dx.inFlightBytesMax());
    }

    @Test
    void onLoss_leavesTheWindow() {
        endSlowStart();
        long before = dx.windowBytes();
        dx.onLoss(before, 0);
        dx.onRetransmissionTimeout(before, 0);
        assertEquals(before, dx.windowBytes());
    }

    @Test
    void onRetransmissionTimeout_anotherWithoutAnAnswer_halves() {
        endSlowStart();
        long before = dx.windowBytes();
        dx.onRetransmissionTimeout(before, 0);
        dx.onRetransmissionTimeout(before, 0);
        assertEquals(before / 2, dx.windowBytes());
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        long answered = dx.windowBytes();
        dx.onRetransmissionTimeout(before, 0);
        assertEquals(answered, dx.windowBytes());
    }

    @Test
    void observe_manyLost_halves() {
        endSlowStart();
        long before = dx.windowBytes();
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        AckSample ack = filled(acks.delayed(10, RTT_NANOS, 0)).lost(20L * SEGMENT, 1);
        dx.observe(ack, 0);
        assertTrue(dx.windowBytes() < before * 0.6, dx.windowBytes() + " of " + before);
    }

    @Test
    void observe_impossibleStamps_areCountedAndTellNothing() {
        endSlowStart();
        long before = dx.windowBytes();
        Supplier<AckSample> negative =
                () -> filled(acks.delayed(10, RTT_NANOS, 0)).times(1, 2, 3, 0);
        hear(negative.get());
        hear(filled(acks.delayed(10, RTT_NANOS, 0)).times(1, 2, 3, 1_000_000_001));
        assertEquals(2, context.counters().get(CounterId.STAMPS_IMPOSSIBLE));
        assertEquals(before, dx.windowBytes());
        for (int i = 0; i < 4; i++) {
            hear(negative.get());
        }
        assertTrue(dx.windowBytes() <= before / 2, dx.windowBytes() + " of " + before);
    }

    @Test
    void headroomNanos_isTheTimeOfTwoFramesOrWhatIsSet() {
        assertEquals(2_461, dx.headroomNanos());
        Settings settings = Dx.KIND.usual().with(Dx.HEADROOM, 9_000);
        assertEquals(9_000, new Dx(settings, context).headroomNanos());
    }

    /** An acknowledgement of a full frame that left and came at these times, by clocks that agree. */
    private AckSample timed(int t1, int t2, long rttNanos) {
        AckSample ack = acks.of(1, rttNanos, 0, 0);
        return ack.times(t1, t2, t2, rttNanos);
    }

    @Test
    void headroomNanos_noise_isThatBesideTheFrames() {
        hear(timed(0, 100_000, RTT_NANOS));
        hear(timed(500_000, 605_000, RTT_NANOS + 5_000));
        hear(timed(501_231, 601_231, RTT_NANOS));
        assertEquals(7_461, (double) dx.headroomNanos(), 20);
        Settings settings = Dx.KIND.usual().with(Dx.HEADROOM, 9_000);
        dx = new Dx(settings, context);
        hear(timed(0, 100_000, RTT_NANOS));
        assertEquals(9_000, dx.headroomNanos());
    }

    @Test
    void onSegment_noise_sendsTwoFramesInARowEachDecision() {
        hear(timed(0, 105_000, RTT_NANOS + 5_000));
        hear(timed(1_231, 101_231, RTT_NANOS));
        endSlowStart();
        round(0);
        long paceBps = dx.rateBps();
        dx.onSegment(null, 0, 0);
        assertEquals(LINK_BPS, dx.rateBps());
        assertEquals(dx.windowBytes() + 2 * SEGMENT - 1, dx.inFlightBytesMax());
        dx.onSegment(null, 0, 0);
        assertEquals(paceBps, dx.rateBps());
        dx.onSegment(null, 0, 0);
        assertEquals(paceBps, dx.rateBps());
    }

    private void endSlowStart() {
        hear(filled(acks.delayed(10, RTT_NANOS, 0)));
        round(0);
        hear(filled(acks.delayed(10, RTT_NANOS, 30_000)));
        assertFalse(dx.isInSlowStart());
        // That was a decision, which waits for its effect.
        hear(filled(acks.delayed(10, RTT_NANOS, 30_000)));
    }
}
