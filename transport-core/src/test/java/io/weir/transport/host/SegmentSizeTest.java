package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link SegmentSize}; what streams do with it is {@link BlackHoleTest}'s. */
class SegmentSizeTest {
    private static final int BASE = 1_204;
    private static final int AGREED = 1_424;
    private static final long PLENTY = 1 << 20;

    private final SegmentSize size = new SegmentSize(BASE, AGREED);
    private long packetNumber = 1;

    /** Long segments time out; a short one arrives as soon as there are some; the next long one times out. */
    private static void findBlackHole(SegmentSize size) {
        for (int i = 0; i < SegmentSize.CAUTIOUS_TIMEOUTS; i++) {
            assertFalse(size.onTimeout(true, 0));
        }
        size.onHeard(BASE);
        size.onProgress();
        for (int i = SegmentSize.CAUTIOUS_TIMEOUTS + 1; i < SegmentSize.BLACK_HOLE_TIMEOUTS; i++) {
            assertFalse(size.onTimeout(true, 0));
        }
        assertTrue(size.onTimeout(true, 0));
        assertEquals(BASE, size.bytes());
    }

    private void findBlackHole() {
        findBlackHole(size);
    }

    @Test
    void onTimeout_onlyShortSegmentsArrive_findsABlackHoleAtTheThird() {
        findBlackHole();
    }

    @Test
    void onTimeout_thirdInARow_sendsShortSegmentsUntilOneArrives() {
        assertFalse(size.onTimeout(true, 0));
        assertFalse(size.onTimeout(true, 0));
        assertEquals(AGREED, size.bytes());
        assertFalse(size.onTimeout(true, 0));
        assertEquals(BASE, size.bytes());
        assertFalse(size.isProbeDue(PLENTY, 0), "nothing is known of the path yet");
        size.onHeard(0);
        assertEquals(BASE, size.bytes());
        size.onHeard(BASE);
        size.onProgress();
        assertEquals(AGREED, size.bytes());
    }

    @Test
    void onTimeout_otherAcknowledgementsHeard_findsABlackHole() {
        assertFalse(size.onTimeout(true, 0));
        size.onHeard(0);
        assertFalse(size.onTimeout(true, 0));
        assertTrue(size.onTimeout(true, 0));
    }

    @Test
    void onTimeout_nothingHeard_isNoBlackHole() {
        size.onHeard(0);
        for (int i = 0; i < 100; i++) {
            assertFalse(size.onTimeout(true, 0));
        }
        size.onProgress();
        assertEquals(AGREED, size.bytes());
    }

    @Test
    void onTimeout_onlyShortSegmentsInFlight_isNoBlackHole() {
        for (int i = 0; i < 100; i++) {
            size.onHeard(BASE);
            assertFalse(size.onTimeout(false, 0));
        }
    }

    @Test
    void onTimeout_longSegmentArrivesBetween_beginsToCountAgain() {
        for (int i = 0; i < 100; i++) {
            assertFalse(size.onTimeout(true, 0));
            size.onHeard(i % 2 == 0 ? BASE : BASE + 1);
            size.onProgress();
        }
    }

    @Test
    void onTimeout_leastSizeAlready_hasNothingToShrink() {
        SegmentSize least = new SegmentSize(BASE, BASE);
        for (int i = 0; i < 100; i++) {
            least.onHeard(BASE);
            assertFalse(least.onTimeout(true, 0));
        }
    }

    @Test
    void onLoss_sameSegmentLostAgainAndAgain_findsABlackHole() {
        for (int i = 1; i <= SegmentSize.BLACK_HOLE_REPEATS; i++) {
            size.onRepeat(i, AGREED);
            assertFalse(size.onLoss(i - 1, 0), "its fate is not known");
            assertEquals(i == SegmentSize.BLACK_HOLE_REPEATS, size.onLoss(i, 0));
            assertFalse(size.onLoss(i, 0), "counted twice");
        }
        assertEquals(BASE, size.bytes());
    }

    @Test
    void onLoss_shortSegment_isNoBlackHole() {
        for (int i = 1; i < 100; i++) {
            size.onRepeat(i, BASE);
            assertFalse(size.onLoss(i, 0));
        }
    }

    @Test
    void search_everySizeOfAPath_endsWithinAStepBelowIt() {
        for (int pathBytes = BASE; pathBytes < AGREED; pathBytes++) {
            SegmentSize searched = new SegmentSize(BASE, AGREED);
            findBlackHole(searched);
            int probes = 0;
            while (searched.isProbeDue(PLENTY, 0)) {
                int bytes = searched.startProbe(++packetNumber, 0);
                assertFalse(searched.isProbeDue(PLENTY, 0), "one at a time");
                if (bytes <= pathBytes) {
                    searched.onProbeArrived(0);
                } else {
                    searched.onProbeLost(0);
                }
                probes++;
            }
            assertTrue(searched.bytes() <= pathBytes);
            assertTrue(searched.bytes() > pathBytes - SegmentSize.STEP_BYTES, pathBytes + ": " + searched.bytes());
            assertTrue(probes <= 4 * SegmentSize.PROBES_MAX, probes + " probes");
        }
    }

    @Test
    void isProbeDue_tooLittleWaits_waitsForMore() {
        findBlackHole();
        assertFalse(size.isProbeDue(AGREED, 0));
        assertTrue(size.isProbeDue(PLENTY, 0));
    }

    @Test
    void search_over_beginsAgainFromTheTopLater() {
        findBlackHole();
        while (size.isProbeDue(PLENTY, 0)) {
            size.startProbe(++packetNumber, 0);
            size.onProbeLost(0);
        }
        assertFalse(size.isProbeDue(PLENTY, SegmentSize.RAISE_NANOS - 1));
        assertTrue(size.isProbeDue(PLENTY, SegmentSize.RAISE_NANOS));
        assertEquals(AGREED, size.startProbe(++packetNumber, 0));
        size.onProbeArrived(SegmentSize.RAISE_NANOS);
        assertEquals(AGREED, size.bytes());
        assertFalse(size.isProbeDue(PLENTY, Long.MAX_VALUE));
    }

    @Test
    void limit_lowered_shortensAtOnceAndRaisedProbesAtOnce() {
        size.limit(1_300);
        assertEquals(1_300, size.bytes());
        assertFalse(size.isProbeDue(PLENTY, 0));
        size.limit(9_000);
        assertTrue(size.isProbeDue(PLENTY, 0));
        assertEquals(AGREED, size.startProbe(++packetNumber, 0));
    }

    @Test
    void limit_loweredWhileAProbeIsOut_boundsWhatItProves() {
        findBlackHole();
        size.startProbe(++packetNumber, 0);
        size.limit(BASE + 4);
        size.onProbeArrived(0);
        assertEquals(BASE + 4, size.bytes());
    }
}
