package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.time.Deadline;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditQueue}. */
class CreditQueueTest {
    private static final long LINK = 1_000_000_000L;
    private static final CreditShape SHAPE = new CreditShape(84, 92, 0, 1538);
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
}
