package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link CreditRtt}. */
class CreditRttTest {
    private final CreditRtt rtt = new CreditRtt(new HostRtt(), 800);

    @Test
    void onEcho_first_isTakenAsItIs() {
        rtt.onSent(1, 1_000);
        rtt.onEcho(1, 51_000);
        assertEquals(50_000, rtt.smoothedNanos());
    }

    @Test
    void onEcho_later_movesAFifthOfTheWay() {
        rtt.onSent(1, 0);
        rtt.onEcho(1, 50_000);
        rtt.onSent(2, 100_000);
        rtt.onEcho(2, 200_000);
        assertEquals(60_000, rtt.smoothedNanos());
    }

    @Test
    void onEcho_timedCreditLost_givesNoSample() {
        rtt.onSent(1, 0);
        rtt.onSent(2, 10);
        rtt.onEcho(3, 50_000);
        assertEquals(0, rtt.smoothedNanos());
        rtt.onSent(4, 60_000);
        rtt.onEcho(4, 100_000);
        assertEquals(40_000, rtt.smoothedNanos());
    }

    @Test
    void onSent_moreThanAreTimed_keepsTheFirst() {
        for (int i = 1; i <= 100; i++) {
            rtt.onSent(i, i);
        }
        rtt.onEcho(16, 1_016);
        assertEquals(1_000, rtt.smoothedNanos());
        rtt.onEcho(17, 5_000);
        assertEquals(1_000, rtt.smoothedNanos(), "the seventeenth was not timed");
    }

    @Test
    void onSent_afterASample_timesEightCreditsARoundTrip() {
        rtt.onSent(1, 0);
        rtt.onEcho(1, 80_000);
        for (int i = 2; i < 100; i++) {
            rtt.onSent(i, 100_000 + i * 1_000L);
        }
        rtt.onEcho(3, 103_000);
        assertEquals(80_000, rtt.smoothedNanos(), "too soon after the second");
        rtt.onEcho(12, 112_000 + 80_000);
        assertEquals(80_000, rtt.smoothedNanos());
    }

    @Test
    void forgetProbes_creditsExpired_givesNoSampleForThem() {
        rtt.onSent(1, 0);
        rtt.forgetProbes();
        rtt.onEcho(1, 9_000_000);
        assertEquals(0, rtt.smoothedNanos());
    }

    @Test
    void guessFrames_isWhatTheLinkPassesInAHandshakeAndTwoFrames() {
        assertEquals(0, rtt.guessFrames());
        rtt.onHandshake(80_000);
        assertEquals(102, rtt.guessFrames());
    }
}
