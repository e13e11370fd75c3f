package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.CreditShape;
import io.weir.pacer.RateMath;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.HeaderTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link CreditQueue}. */
class CreditQueueTest {
    private static final long LINK = 1_000_000_000L;
    private static final CreditShape SHAPE = CreditShape.permitting(1538).withWireBytes(84, 92);
    private static final CreditPortConfig EXACT = CreditPortConfig.exact(LINK, SHAPE, 10_000, 2);

    private final FramePool pool = new FramePool(64, 2048);

    private Frame credit(int wireBytes) {
        Frame frame = pool.allocate();
        frame.setExtent(0, wireBytes - Frame.LINK_OVERHEAD_BYTES);
        return frame;
    }

    private static CreditQueue queue(CreditPortConfig config) {
        return new CreditQueue(config, new SeededRandom(1));
    }

    @Test
    void offer_tailDrop_refusesTheOneThatComes() {
        CreditQueue queue = queue(EXACT.withDrop(CreditPortConfig.Drop.TAIL));
        for (int i = 0; i < 8; i++) {
            assertNull(queue.offer(credit(84)));
        }
        Frame late = credit(84);
        assertSame(late, queue.offer(late));
        assertEquals(8, queue.frameCount());
        assertEquals(8, queue.frameCountMax());
    }

    @Test
    void offer_queueInBytes_countsLongCredits() {
        CreditQueue queue = queue(EXACT.withDrop(CreditPortConfig.Drop.TAIL));
        for (int i = 0; i < 7; i++) {
            assertNull(queue.offer(credit(92)));
        }
        Frame late = credit(84);
        assertSame(late, queue.offer(late), "7 x 92 + 84 exceeds 672");
    }

    @Test
    void offer_randomDrop_takesEachAlike() {
        int[] dropped = new int[9];
        CreditQueue queue = queue(EXACT);
        for (int round = 0; round < 9_000; round++) {
            Frame[] credits = new Frame[9];
            for (int i = 0; i < 9; i++) {
                credits[i] = credit(84);
                Frame victim = queue.offer(credits[i]);
                for (int j = 0; j < 9 && victim != null; j++) {
                    dropped[j] += victim == credits[j] ? 1 : 0;
                }
                if (victim != null) {
                    victim.release();
                }
            }
            queue.releaseAll();
        }
        for (int count : dropped) {
            assertEquals(1_000, count, 120);
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void offer_randomSizesUnderOverload_neverExceedsTheQueueNorLosesAFrame() {
        SeededRandom random = new SeededRandom(5);
        CreditQueue queue = queue(EXACT);
        long now = 0;
        for (int i = 0; i < 50_000; i++) {
            now += random.nextInt(8_000);
            Frame refused = queue.offer(credit(84 + random.nextInt(9)));
            if (refused != null) {
                refused.release();
            }
            assertTrue(queue.frameCount() <= 8);
            for (Frame frame = queue.poll(now); frame != null; frame = queue.poll(now)) {
                frame.release();
            }
            assertEquals(pool.frameCount() - queue.frameCount(), pool.available());
        }
    }

    @Test
    void offer_longerThanTheBucketIsDeep_isRefused() {
        CreditQueue queue = queue(CreditPortConfig.paper(LINK, SHAPE));
        Frame giant = credit(169);
        assertSame(giant, queue.offer(giant));
        assertNull(queue.offer(credit(168)));
        assertTrue(queue.nextNanos(0) != Deadline.NO_DEADLINE);
    }

    @Test
    void poll_meterEmpty_waitsUntilTheTimeThatNextNanosTells() {
        CreditQueue queue = queue(EXACT);
        for (int i = 0; i < 4; i++) {
            queue.offer(credit(84));
        }
        assertNotNull(queue.poll(0));
        assertNotNull(queue.poll(0));
        assertNull(queue.poll(0));
        long next = queue.nextNanos(0);
        assertNull(queue.poll(next - 1));
        assertNotNull(queue.poll(next));
    }

    @Test
    void nextNanos_empty_isNoDeadline() {
        assertEquals(Deadline.NO_DEADLINE, queue(EXACT).nextNanos(5));
        assertNull(queue(EXACT).poll(5));
    }

    @Test
    void poll_overload_creditsAndTheirDataFitTheLinkInEverySpan() {
        for (CreditPortConfig config : new CreditPortConfig[] {EXACT, CreditPortConfig.exact(LINK, SHAPE, 0, 2)}) {
            requireMeter(config, config.rateBps() / (double) LINK, config.burstBytes());
        }
    }

    /** Overloads the meter at random times, and compares every span from any passed credit with the link. */
    private void requireMeter(CreditPortConfig config, double share, long burstBytes) {
        SeededRandom random = new SeededRandom(11);
        CreditQueue queue = queue(config);
        double level = 0;
        long last = 0;
        long now = 0;
        long passed = 0;
        for (int i = 0; i < 100_000; i++) {
            now += random.nextInt(10) == 0 ? 30_000 + random.nextInt(30_000) : random.nextInt(6_000);
            Frame refused = queue.offer(credit(84 + random.nextInt(9)));
            if (refused != null) {
                refused.release();
            }
            for (Frame frame = queue.poll(now); frame != null; frame = queue.poll(now)) {
                // A leaky bucket of the link's rate must never hold more than the burst: that bounds every span at
                // once.
                level = Math.max(0, level - (now - last) * (LINK * share) / 8e9);
                last = now;
                level += frame.wireBytes() + 1538;
                passed++;
                assertTrue(level <= burstBytes + 1e-3, "level " + level + " of " + burstBytes);
                frame.release();
            }
        }
        queue.releaseAll();
        assertTrue(passed > 10_000);
    }

    private Frame credit(int wireBytes, int frames) {
        Frame frame = credit(wireBytes);
        Ethernet.write(frame.buffer(), 0, 1, 2, Ethernet.TYPE_IPV4);
        CreditHeader.write(frame.buffer(), HeaderTemplate.BYTES_V4, 1, CreditHeader.withFrames(0, frames), 1, 0);
        return frame;
    }

    private static CreditQueue queueOf(int creditFramesMax) {
        return new CreditQueue(EXACT.withDrop(CreditPortConfig.Drop.TAIL), creditFramesMax, new SeededRandom(1));
    }

    @Test
    void poll_severalFrames_chargesForAllOfThem() {
        CreditQueue queue = queueOf(16);
        queue.offer(credit(84, 16));
        assertNotNull(queue.poll(0), "the bucket is full");
        queue.offer(credit(84, 1));
        assertNull(queue.poll(0));
        long chargedBytes = 84 + 16 * 1_538 - EXACT.burstBytes() + 84 + 1_538;
        long paidNanos = RateMath.serializationNanosCeil(chargedBytes, EXACT.rateBps());
        assertEquals(paidNanos, queue.nextNanos(0));
        assertNull(queue.poll(paidNanos - 1));
        assertNotNull(queue.poll(paidNanos));
    }

    @Test
    void poll_severalFramesOverTime_neverExceedsTheRateByMoreThanOneCredit() {
        CreditQueue queue = queueOf(64);
        SeededRandom random = new SeededRandom(5);
        long grantedFrames = 0;
        long nowNanos = 0;
        for (int i = 0; i < 5_000; i++) {
            queue.offer(credit(84, random.nextIntInclusive(1, 64)));
            nowNanos = Math.max(nowNanos, queue.nextNanos(nowNanos));
            Frame passed = queue.poll(nowNanos);
            grantedFrames += CreditHeader.frames(passed);
            passed.release();
            long atRate = nowNanos * EXACT.rateBps() / 8 / 1_538 / 1_000_000_000L;
            assertTrue(grantedFrames <= atRate + 64 + 1, grantedFrames + " frames at " + nowNanos);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void poll_eachCredit_isChargedForItsFrames(int frames) {
        CreditQueue queue = queueOf(16);
        long burstNanobits = RateMath.nanobits(EXACT.burstBytes());
        long costNanobits = RateMath.nanobits(84 + frames * 1_538);
        long tokensNanobits = burstNanobits;
        long nowNanos = 0;
        for (int i = 0; i < 20; i++) {
            Frame credit = credit(84, frames);
            assertNull(queue.offer(credit));
            // What is more than the bucket holds passes when it is full, and is paid for after.
            long missing = Math.max(0, Math.min(costNanobits, burstNanobits) - tokensNanobits);
            long waitNanos = (missing + EXACT.rateBps() - 1) / EXACT.rateBps();
            assertEquals(nowNanos + waitNanos, queue.nextNanos(nowNanos));
            nowNanos += waitNanos;
            tokensNanobits = Math.min(burstNanobits, tokensNanobits + waitNanos * EXACT.rateBps()) - costNanobits;
            assertSame(credit, queue.poll(nowNanos));
            credit.release();
        }
    }

    @Test
    void tryPass_creditsThatDoNotWaitHere_areChargedAlike() {
        CreditQueue queue = queueOf(1);
        assertTrue(queue.canPass(92));
        Frame credit = credit(92, 1);
        for (int i = 0; i < 2; i++) {
            assertTrue(queue.tryPass(credit, 0));
        }
        assertFalse(queue.tryPass(credit, 0));
        long costNanos = RateMath.serializationNanosCeil(92 + 1_538, EXACT.rateBps());
        assertEquals(costNanos, queue.passNanos(92, 0));
        assertEquals(costNanos, queue.turnNanos(92));
        assertTrue(queue.tryPass(credit, costNanos));
        credit.release();
    }

    @Test
    void owe_beyondTheBucket_isPaidForBeforeTheNextCredit() {
        CreditQueue queue = queueOf(1);
        int burstBytes = 2 * (92 + 1_538);
        queue.owe(burstBytes + 500, 0);
        assertEquals(RateMath.serializationNanosCeil(500 + 92 + 1_538, EXACT.rateBps()), queue.passNanos(92, 0));
    }

    @Test
    void offer_severalFrames_takeAsMuchOfTheQueue() {
        CreditQueue queue = queueOf(16);
        assertNull(queue.offer(credit(84, 7)));
        assertNull(queue.offer(credit(84, 16)), "where one would have found room");
        Frame late = credit(84, 1);
        assertSame(late, queue.offer(late));
        queue.poll(0).release();
        assertSame(late, queue.offer(late), "sixteen still wait");
    }

    @Test
    void offer_moreFramesThanTheMeterWasMadeFor_isRefused() {
        CreditQueue strict = queue(EXACT);
        Frame two = credit(84, 2);
        assertNull(strict.offer(two), "no more than two credits");
        Frame three = credit(84, 3);
        assertSame(three, strict.offer(three), "it would wait without end");
        CreditQueue bytes = queue(CreditPortConfig.paper(LINK, SHAPE));
        assertSame(three, bytes.offer(three), "a byte meter takes it for three credits");
    }

    @Test
    void setRateBps_meterInDebt_paysAtTheNewRate() {
        CreditQueue queue = queueOf(1);
        int burstBytes = 2 * (92 + 1_538);
        queue.owe(burstBytes + 500_000, 0);
        long slowBps = EXACT.rateBps() / 1_000;
        queue.setRateBps(slowBps, 0);
        long paidNanos = RateMath.serializationNanosCeil(500_000 + 92 + 1_538, slowBps);
        assertEquals(paidNanos, queue.passNanos(92, 0));
        assertEquals(paidNanos, queue.passNanos(92, paidNanos / 2), "by the old rate it would be paid for long");
    }
}
