package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link TokenBucket}. */
class TokenBucketTest {
    @Test
    void tryTake_fullBucket_givesTheBurstAndNoMore() {
        TokenBucket bucket = new TokenBucket(1_000_000_000L, 168);
        assertTrue(bucket.tryTake(84, 0));
        assertTrue(bucket.tryTake(84, 0));
        assertFalse(bucket.tryTake(1, 0));
    }

    @Test
    void availableNanos_emptyBucket_isTheFirstTimeThatTryTakeSucceeds() {
        TokenBucket bucket = new TokenBucket(3_000_000_000L, 100);
        assertTrue(bucket.tryTake(100, 0));
        long ready = bucket.availableNanos(100, 0);
        assertEquals(267, ready);
        assertFalse(bucket.tryTake(100, ready - 1));
        assertTrue(bucket.tryTake(100, ready));
    }

    @Test
    void tryTake_awkwardRateOverLongRun_passesExactlyTheRate() {
        long rateBps = 999_999_937L;
        TokenBucket bucket = new TokenBucket(rateBps, 3_252);
        SeededRandom random = new SeededRandom(11);
        long now = 0;
        long taken = 0;
        while (now < 1_000_000_000L) {
            while (bucket.tryTake(1_626, now)) {
                taken += 1_626;
            }
            now += 1 + random.nextInt(5_000);
        }
        long expected = 3_252 + RateMath.bytesInNanosFloor(now, rateBps);
        assertTrue(taken <= expected && taken > expected - 2 * 3_252, taken + " of " + expected);
    }

    @Test
    void tryTake_afterYearsOfPause_holdsOneBurst() {
        TokenBucket bucket = new TokenBucket(RateMath.RATE_BPS_MAX, 1_000);
        assertTrue(bucket.tryTake(1_000, 0));
        assertTrue(bucket.tryTake(1_000, Long.MAX_VALUE / 2));
        assertFalse(bucket.tryTake(1, Long.MAX_VALUE / 2));
    }

    @Test
    void tryTake_moreThanTheBurst_neverSucceeds() {
        TokenBucket bucket = new TokenBucket(1_000_000_000L, 168);
        assertFalse(bucket.tryTake(169, 1_000_000_000L));
        assertEquals(Long.MAX_VALUE, bucket.availableNanos(169, 1_000_000_000L));
        assertFalse(bucket.tryTake(Integer.MAX_VALUE, 1_000_000_000L));
        assertTrue(bucket.tryTake(168, 1_000_000_000L));
    }

    @Test
    void tryTake_largestBurst_doesNotOverflow() {
        TokenBucket bucket = new TokenBucket(RateMath.RATE_BPS_MAX, RateMath.BYTES_MAX);
        long almostFullNanos = RateMath.serializationNanosCeil(RateMath.BYTES_MAX, RateMath.RATE_BPS_MAX) - 1;
        assertTrue(bucket.tryTake(1, 0));
        assertEquals(RateMath.BYTES_MAX, bucket.availableBytes(almostFullNanos));
        assertTrue(bucket.tryTake((int) RateMath.BYTES_MAX, almostFullNanos));
    }

    @Test
    void constructor_burstOutOfBounds_namesIt() {
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket(1, RateMath.BYTES_MAX + 1));
    }

    @Test
    void makeUp_anyTimes_addsTheBudgetAtMost() {
        TokenBucket bucket = new TokenBucket(1_000_000_000L, 1_000);
        bucket.makeUp(500, 600, 0);
        bucket.makeUp(500, 600, 10);
        assertEquals(1_600, bucket.availableBytes(10));
        assertEquals(600, bucket.surplusBytes());
        assertEquals(1_600, bucket.availableBytes(1_000_000), "time takes nothing away, and adds nothing");
        assertTrue(bucket.tryTake(1_000, 1_000_000));
        assertEquals(0, bucket.surplusBytes());
        assertEquals(1_000, bucket.availableBytes(2_000_000), "from here on the burst is the most again");
    }

    @Test
    void tryTake_debt_passesWhenFullAndIsPaidForFirst() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 1_000, 3_000);
        assertTrue(bucket.tryTake(4_000, 0));
        assertEquals(0, bucket.availableBytes(0));
        assertFalse(bucket.tryTake(1, 3_000), "a byte per nanosecond: the debt is paid");
        assertTrue(bucket.tryTake(1, 3_001));
        assertFalse(bucket.tryTake(2_000, 3_999), "more than the burst needs a full bucket");
        assertEquals(4_001, bucket.availableNanos(2_000, 3_999));
        assertTrue(bucket.tryTake(2_000, 4_001));
        assertEquals(Long.MAX_VALUE, bucket.availableNanos(4_001, 4_001), "more than burst and debt");
        assertFalse(bucket.tryTake(4_001, 1_000_000));
    }

    @Test
    void tryTake_debtLongAgo_fillsTheBucketAndNoMore() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 1_000, RateMath.BYTES_MAX - 1_000);
        assertTrue(bucket.tryTake((int) RateMath.BYTES_MAX, 0));
        assertEquals(0, bucket.availableBytes(RateMath.BYTES_MAX - 1_000));
        assertEquals(1_000, bucket.availableBytes(Long.MAX_VALUE / 2));
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket(1, 2, RateMath.BYTES_MAX - 1));
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket(1, 2, -1));
    }

    @Test
    void owe_moreThanTheBucketHolds_isPaidForFirst() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 1_000);
        bucket.owe(3_000, 0);
        assertEquals(0, bucket.availableBytes(0));
        assertEquals(2_100, bucket.availableNanos(100, 0));
        assertFalse(bucket.tryTake(100, 2_099));
        assertTrue(bucket.tryTake(100, 2_100));
    }

    @Test
    void owe_moreThanIsRemembered_isForgiven() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 1_000);
        for (int i = 0; i < 10; i++) {
            bucket.owe(1 << 20, 0);
        }
        assertEquals(TokenBucket.OWED_BYTES_MAX + 100, bucket.availableNanos(100, 0));
        assertEquals(1_000, bucket.availableBytes(1_000_000_000L));
    }

    @Test
    void setRateBps_slowerWhileInDebt_paysAtTheNewRate() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 1_000);
        bucket.owe(101_000, 0);
        bucket.setRateBps(8_000_000L, 0);
        assertEquals(100_100_000, bucket.availableNanos(100, 0));
        assertFalse(bucket.tryTake(100, 50_000_000), "by the old rate it would have been full for long");
        assertFalse(bucket.tryTake(100, 100_099_999));
        assertTrue(bucket.tryTake(100, 100_100_000));
    }

    @Test
    void setRateBps_fasterAfterLong_fillsTheBucketAndNoMore() {
        TokenBucket bucket = new TokenBucket(8, RateMath.BYTES_MAX);
        assertTrue(bucket.tryTake((int) RateMath.BYTES_MAX, 0));
        bucket.setRateBps(RateMath.RATE_BPS_MAX, 0);
        long fullNanos = RateMath.serializationNanosCeil(RateMath.BYTES_MAX, RateMath.RATE_BPS_MAX);
        assertEquals(RateMath.BYTES_MAX, bucket.availableBytes(1_000 * fullNanos));
    }

    @Test
    void availableNanos_timeHasPassed_countsWhatCameMeanwhile() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 100);
        assertTrue(bucket.tryTake(100, 0));
        assertEquals(100, bucket.availableNanos(100, 40));
        assertEquals(100, bucket.availableNanos(60, 100), "no earlier than now");
    }

    @Test
    void owe_timeHasPassed_countsWhatCameMeanwhile() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 100);
        assertTrue(bucket.tryTake(100, 0));
        bucket.owe(100, 50);
        assertEquals(200, bucket.availableNanos(100, 50));
    }

    @Test
    void makeUp_timeHasPassed_comesOnTopOfWhatCameMeanwhile() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 100);
        assertTrue(bucket.tryTake(100, 0));
        bucket.makeUp(30, 30, 100);
        assertEquals(30, bucket.surplusBytes());
        assertEquals(130, bucket.availableBytes(100));
    }

    @Test
    void setRateBps_whileItFills_countsEachRateForItsTime() {
        TokenBucket bucket = new TokenBucket(8_000_000_000L, 100);
        assertTrue(bucket.tryTake(100, 0));
        bucket.setRateBps(16_000_000_000L, 20);
        assertEquals(40, bucket.availableBytes(30));
        assertEquals(16_000_000_000L, bucket.rateBps());
        assertEquals(100, bucket.burstBytes());
    }
}
