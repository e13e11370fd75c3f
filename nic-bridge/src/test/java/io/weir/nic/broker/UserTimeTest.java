package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests {@link UserTime}. */
class UserTimeTest {
    private static final int USER = 1_000;
    private static final int OTHER = 1_001;
    private static final int SHARE_PERCENT = 5;
    private static final int PER_SHARE = 20;
    private static final long BEGIN = -5_000_000_000L;

    private final UserTime time = new UserTime(SHARE_PERCENT);

    @Test
    void book_withinTheBurst_waitsNot() {
        for (long left = UserTime.BURST_NANOS; left > 0; left -= UserTime.REQUEST_NANOS) {
            assertEquals(0, time.book(USER, BEGIN));
        }
        assertEquals(0, time.waitNanos(USER, BEGIN));
        assertEquals(PER_SHARE * UserTime.REQUEST_NANOS, time.book(USER, BEGIN));
    }

    @Test
    void book_afterTheBurst_eachWaitsLongerThanTheOneBefore() {
        time.charge(USER, UserTime.BURST_NANOS, BEGIN);
        for (long i = 1; i <= 10; i++) {
            assertEquals(i * PER_SHARE * UserTime.REQUEST_NANOS, time.book(USER, BEGIN));
        }
    }

    @Test
    void charge_moreThanTheBurst_waitsUntilTheShareHasPaidIt() {
        time.charge(USER, UserTime.BURST_NANOS + 1_000_000, BEGIN);
        assertEquals(20_000_000, time.waitNanos(USER, BEGIN));
        assertEquals(5_000_000, time.waitNanos(USER, BEGIN + 15_000_000));
        assertEquals(0, time.waitNanos(USER, BEGIN + 20_000_000));
    }

    @Test
    void charge_withoutEnd_waitsFiveSecondsAtMost() {
        for (int i = 0; i < 100; i++) {
            time.charge(USER, UserTime.BURST_NANOS, BEGIN);
        }
        assertEquals(TimeUnit.SECONDS.toNanos(5), time.waitNanos(USER, BEGIN));
        assertEquals(TimeUnit.SECONDS.toNanos(5), time.book(USER, BEGIN));
    }

    @Test
    void charge_lessThanWasBooked_givesTheRestBack() {
        time.charge(USER, UserTime.BURST_NANOS, BEGIN);
        time.book(USER, BEGIN);
        time.charge(USER, 40_000 - UserTime.REQUEST_NANOS, BEGIN);
        assertEquals(800_000, time.waitNanos(USER, BEGIN));
    }

    @Test
    void book_afterALongPause_hasTheBurstAndNoMore() {
        time.charge(USER, UserTime.BURST_NANOS + 1, BEGIN);
        time.charge(USER, UserTime.BURST_NANOS, BEGIN + TimeUnit.DAYS.toNanos(10_000));
        assertEquals(0, time.waitNanos(USER, BEGIN + TimeUnit.DAYS.toNanos(10_000)));
        time.charge(USER, 1, BEGIN + TimeUnit.DAYS.toNanos(10_000));
        assertEquals(PER_SHARE, time.waitNanos(USER, BEGIN + TimeUnit.DAYS.toNanos(10_000)));
    }

    @Test
    void charge_withAnOlderTime_takesNothingTwice() {
        time.charge(USER, UserTime.BURST_NANOS + 1_000_000, BEGIN + 1_000);
        assertEquals(20_000_000, time.waitNanos(USER, BEGIN));
        assertEquals(20_000_000, time.waitNanos(USER, BEGIN + 1_000));
        assertEquals(0, time.waitNanos(USER, BEGIN + 20_001_000));
    }

    @Test
    void book_anotherUserAndRoot_waitNot() {
        time.charge(USER, 2 * UserTime.BURST_NANOS, BEGIN);
        time.charge(0, 2 * UserTime.BURST_NANOS, BEGIN);
        assertEquals(0, time.book(OTHER, BEGIN));
        assertEquals(0, time.book(0, BEGIN));
        assertEquals(0, time.waitNanos(0, BEGIN));
        assertTrue(time.waitNanos(USER, BEGIN) > 0);
    }

    @Test
    void takeNotice_again_isOncePerMinuteAndUser() {
        assertTrue(time.takeNotice(USER, BEGIN));
        assertFalse(time.takeNotice(USER, BEGIN + TimeUnit.MINUTES.toNanos(1) - 1));
        assertTrue(time.takeNotice(OTHER, BEGIN + 1));
        assertTrue(time.takeNotice(USER, BEGIN + TimeUnit.MINUTES.toNanos(1)));
    }

    @Test
    void charge_manyUsers_forgetsThoseThatHaveTheirBurstAgain() {
        time.charge(USER, 2 * UserTime.BURST_NANOS, BEGIN);
        for (int user = 2_000; user < 5_000; user++) {
            time.charge(user, 1_000, BEGIN + (user - 2_000) * 1_000_000L);
        }
        assertTrue(time.accountCount() <= 1_025, () -> time.accountCount() + " accounts");
        assertTrue(time.waitNanos(USER, BEGIN + 3_000_000_000L) > 0);
    }
}
