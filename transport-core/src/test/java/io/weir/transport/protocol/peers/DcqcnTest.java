package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.testing.Acks;
import io.weir.transport.testing.SharedLink;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link Dcqcn}, alone and over a link of 10 Gbit/s. */
class DcqcnTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long TIMER_NANOS = 55_000;

    private final Acks acks = new Acks();
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DataHeader.BYTES));
    private Dcqcn dcqcn = new Dcqcn(Dcqcn.KIND.usual(), Acks.context(RATE_BPS));

    private void congested(long nowNanos) {
        dcqcn.observe(acks.of(1, 20_000, 0, Marks.CONGESTION), nowNanos);
    }

    private void timers(long fromNanos, int count) {
        for (int i = 1; i <= count; i++) {
            dcqcn.onTimeout(fromNanos + i * TIMER_NANOS);
        }
    }

    private void send(long wireBytes) {
        DataHeader.write(buffer, 0, 1, 0, 0, Acks.SEGMENT_BYTES);
        for (long sent = 0; sent < wireBytes; sent += 1538) {
            dcqcn.onSegment(buffer, 0, 0);
        }
    }

    // ---- the control

    @Test
    void rateBps_newFlow_isTheLinks() {
        assertEquals(RATE_BPS, dcqcn.rateBps());
        assertEquals(Deadline.NO_DEADLINE, dcqcn.nextTimeoutNanos());
    }

    @Test
    void observe_firstNotification_halvesTheRate() {
        congested(0);
        assertEquals(RATE_BPS / 2, dcqcn.rateBps());
        assertEquals(1, dcqcn.alpha(0));
        assertEquals(TIMER_NANOS, dcqcn.nextTimeoutNanos());
    }

    @Test
    void onTimeout_noNotification_alphaFallsByItsGain() {
        congested(0);
        timers(0, 10);
        assertEquals(StrictMath.pow(255 / 256.0, 10), dcqcn.alpha(10 * TIMER_NANOS), 1e-9);
    }

    @Test
    void onTimeout_fastRecovery_halvesTheWayBackFiveTimes() {
        congested(0);
        for (int i = 1; i <= 5; i++) {
            dcqcn.onTimeout(i * TIMER_NANOS);
            assertEquals(RATE_BPS * (1 - StrictMath.pow(0.5, i + 1)), (double) dcqcn.rateBps(), 1);
        }
    }

    @Test
    void onTimeout_afterRecovery_raisesTheTargetByRai() {
        congested(0);
        congested(0);
        timers(0, 5);
        long before = dcqcn.rateBps();
        dcqcn.onTimeout(6 * TIMER_NANOS);
        // The target is what the rate was before the second cut: half of the link's.
        assertEquals((RATE_BPS / 2.0 + 40e6 + before) / 2, (double) dcqcn.rateBps(), 1);
    }

    @Test
    void onSegment_bytesWithoutANotification_raiseTheRateToo() {
        congested(0);
        send(10_000_000);
        assertEquals(0.75 * RATE_BPS, (double) dcqcn.rateBps(), 1);
    }

    @Test
    void increase_timeAndBytesPastRecovery_isHyper() {
        congested(0);
        congested(0);
        timers(0, 5);
        send(50_000_000);
        long before = dcqcn.rateBps();
        dcqcn.onTimeout(6 * TIMER_NANOS);
        assertEquals((RATE_BPS / 2.0 + 40e6 + before) / 2, (double) dcqcn.rateBps(), 1, "bytes are not past it");
        send(10_000_000);
        before = dcqcn.rateBps();
        dcqcn.onTimeout(7 * TIMER_NANOS);
        assertTrue(dcqcn.rateBps() - before > 200_000_000, "a target that rises by 400 Mb/s at once");
    }

    @Test
    void observe_manyNotifications_stopAtTheLeastRate() {
        for (int i = 0; i < 100; i++) {
            congested(i);
        }
        assertEquals(10_000_000, dcqcn.rateBps());
    }

    @Test
    void presetOfCcrpsAuthors_afterRecovery_goesHalfOfTheWayToTheLink() {
        Settings variant = Dcqcn.KIND.presets().get(1);
        assertEquals("dcqcn-ccrp", variant.preset());
        dcqcn = new Dcqcn(variant, Acks.context(RATE_BPS));
        congested(0);
        congested(0);
        timers(0, 5);
        long before = dcqcn.rateBps();
        dcqcn.onTimeout(6 * TIMER_NANOS);
        assertEquals((RATE_BPS + before) / 2.0, (double) dcqcn.rateBps(), 1);
    }

    @Test
    void onRetransmissionTimeout_countsAsANotification() {
        dcqcn.onRetransmissionTimeout(0, 0);
        assertEquals(RATE_BPS / 2, dcqcn.rateBps());
    }

    // ---- over a link

    private static ScenarioResult run(int flows) {
        PortSpec port = SharedLink.port().with(800_000, new EcnConfig(5_000, 200_000, 100_000));
        return new SharedLink(RATE_BPS, 2_000, port)
                .flows(Dcqcn.KIND.usual(), flows, 500_000)
                .run(60_000_000, 30_000_000, 0);
    }

    /**
     * {@return the share of marked frames at which the rate neither rises nor falls (Zhu and others, CoNEXT 2016,
     * section 3.1)}
     */
    private static double fixedPoint(int flows) {
        double framesPerSecond = RATE_BPS / 8.0 / 1538;
        double additive = 40e6 / 8 / 1538;
        double perEvent = 1538.0 / 10e6 + flows / (55e-6 * framesPerSecond);
        return StrictMath.cbrt(
                additive * flows * flows / (55e-6 * framesPerSecond * framesPerSecond) * perEvent * perEvent);
    }

    @Test
    void run_twoFlows_markAndQueueAsAtTheFixedPoint() {
        ScenarioResult result = run(2);
        PortResult port = SharedLink.shared(result);
        double frames = port.utilization() * RATE_BPS / 8 * 0.03 / 1538;
        double marked = port.marks() / frames;
        assertEquals(fixedPoint(2), marked, 0.4 * fixedPoint(2));
        double queueBytes = 5_000 + fixedPoint(2) / 0.1 * 195_000;
        assertEquals(queueBytes, port.queueBytesMean(), 0.4 * queueBytes);
        assertTrue(result.summary().jainIndex() > 0.97, result.summary().toString());
        assertTrue(port.utilization() > 0.97, port.toString());
        assertEquals(0, port.dataDrops());
    }

    @Test
    void run_eightFlows_areFair() {
        ScenarioResult result = run(8);
        assertTrue(result.summary().jainIndex() > 0.98, result.summary().toString());
        assertTrue(
                SharedLink.shared(result).utilization() > 0.85, result.ports().toString());
        assertEquals(0, result.summary().dataDrops());
    }
}
