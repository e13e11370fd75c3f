package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link Handovers}. */
class HandoversTest {
    private final Handovers handovers = new Handovers();

    @Test
    void slackNanos_nothingNoted_isNone() {
        assertEquals(0, handovers.slackNanos(5_000));
    }

    @Test
    void slackNanos_stampOfACycle_isThatCycles() {
        handovers.add(1_000, 30);
        handovers.add(2_000, 700);
        handovers.add(3_000, 40);
        assertEquals(30, handovers.slackNanos(1_000));
        assertEquals(700, handovers.slackNanos(2_000));
        assertEquals(40, handovers.slackNanos(3_000));
    }

    @Test
    void slackNanos_calibratedStamp_isItsCycles() {
        handovers.add(1_000, 30);
        handovers.add(2_000, 700);
        assertEquals(30, handovers.slackNanos(1_900));
        assertEquals(700, handovers.slackNanos(2_500));
    }

    @Test
    void slackNanos_olderThanWhatIsRemembered_isNone() {
        for (int i = 0; i < 3_000; i++) {
            handovers.add(i * 1_000L, i);
        }
        assertEquals(0, handovers.slackNanos(1_500_000));
        assertEquals(1_976, handovers.slackNanos(1_976_000));
        assertEquals(2_999, handovers.slackNanos(2_999_000));
    }

    @Test
    void slackNanos_clockWraps_staysRight() {
        long wrap = 1L << 32;
        handovers.add(wrap - 500, 30);
        handovers.add(wrap + 500, 70);
        assertEquals(30, handovers.slackNanos((int) (wrap + 400)));
        assertEquals(70, handovers.slackNanos((int) (wrap + 600)));
    }
}
