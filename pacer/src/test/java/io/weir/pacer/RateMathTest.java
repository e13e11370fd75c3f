package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Tests {@link RateMath} against hand-computed times and against BigInteger. */
class RateMathTest {
    @Test
    void serializationNanos_maximumFrameAtTenGigabit_roundsBothWays() {
        assertEquals(1230, RateMath.serializationNanosFloor(1538, 10_000_000_000L));
        assertEquals(1231, RateMath.serializationNanosCeil(1538, 10_000_000_000L));
    }

    @Test
    void bytesInNanosFloor_oneSecondAtTerabit_doesNotOverflow() {
        assertEquals(125_000_000_000L, RateMath.bytesInNanosFloor(1_000_000_000L, RateMath.RATE_BPS_MAX));
    }

    @Test
    void mulDivFloor_randomOperands_matchesBigInteger() {
        SeededRandom random = new SeededRandom(7);
        for (int i = 0; i < 20_000; i++) {
            long a = random.nextLong() >>> (1 + random.nextInt(40));
            long b = random.nextLong() >>> (24 + random.nextInt(30));
            long c = (random.nextLong() >>> (1 + random.nextInt(20))) | (b + 1);
            BigInteger expected =
                    BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divide(BigInteger.valueOf(c));
            assertEquals(expected.longValueExact(), RateMath.mulDivFloor(a, b, c), a + "*" + b + "/" + c);
        }
    }

    @Test
    void mulDivFloor_quotientTooLarge_throws() {
        assertThrows(ArithmeticException.class, () -> RateMath.mulDivFloor(Long.MAX_VALUE, Long.MAX_VALUE, 2));
    }

    @Test
    void requireRate_outOfBounds_namesValueAndLimit() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> RateMath.requireRate("linkRateBps", 0));
        assertEquals("linkRateBps=0 is outside 1..1000000000000 bit/s", e.getMessage());
    }

    @Test
    void serializationNanosCeil_wholeAndBrokenNanoseconds_roundsUpOnlyTheLatter() {
        assertEquals(0, RateMath.serializationNanosCeil(0, 3_000_000_000L));
        assertEquals(1, RateMath.serializationNanosCeil(1, 8_000_000_000L));
        assertEquals(3, RateMath.serializationNanosCeil(1, 3_000_000_000L));
        assertEquals(6, RateMath.serializationNanosCeil(2, 3_000_000_000L));
    }

    @Test
    void mulDivFloor_resultOfExactly64Bits_isRefused() {
        assertThrows(ArithmeticException.class, () -> RateMath.mulDivFloor(1L << 62, 1L << 62, 1L << 60));
    }

    @Test
    void scalePpmFloor_aThird_roundsDown() {
        assertEquals(3_333_330_000L, RateMath.scalePpmFloor(10_000_000_000L, 333_333));
    }
}
