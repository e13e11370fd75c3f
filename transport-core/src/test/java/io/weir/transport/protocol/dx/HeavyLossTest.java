package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link HeavyLoss} with segments of 1000 B. */
class HeavyLossTest {
    private static final int SEGMENT = 1_000;

    private final HeavyLoss loss = new HeavyLoss(SEGMENT);

    private boolean round(int lost, int arrived) {
        loss.add((long) lost * SEGMENT, (long) arrived * SEGMENT);
        return loss.endRound();
    }

    @Test
    void endRound_anEighthLost_isNotHeavy() {
        assertEquals(false, round(2, 14));
        assertEquals(true, round(3, 13));
    }

    @Test
    void endRound_fewFrames_waitsForSixteen() {
        for (int i = 0; i < 15; i++) {
            assertEquals(false, round(1, 0), "round " + i);
        }
        assertEquals(true, round(1, 0));
        assertEquals(false, round(1, 0));
    }

    @Test
    void endRound_toldOnce() {
        assertEquals(true, round(100, 100));
        assertEquals(false, round(0, 100));
    }
}
