package io.weir.transport.protocol.reactive.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link WindowedMinimum} with windows of 1000 ns. */
class WindowedMinimumTest {
    private final WindowedMinimum minimum = new WindowedMinimum(160, 1_000);

    @Test
    void nanos_nothingMeasured_isWhatWasTakenForIt() {
        assertEquals(160, minimum.nanos());
    }

    @Test
    void onSample_first_replacesTheGuessEvenIfItIsMore() {
        minimum.onSample(500, 0);
        assertEquals(500, minimum.nanos());
    }

    @Test
    void onSample_less_countsAtOnce() {
        minimum.onSample(90, 0);
        minimum.onSample(60, 10);
        minimum.onSample(80, 20);
        assertEquals(60, minimum.nanos());
    }

    @Test
    void onSample_pathLonger_risesAfterTwoWindows() {
        minimum.onSample(60, 0);
        minimum.onSample(100, 900);
        minimum.onSample(100, 1_000);
        assertEquals(60, minimum.nanos(), "the window before still has it");
        minimum.onSample(110, 1_999);
        assertEquals(60, minimum.nanos());
        minimum.onSample(105, 2_000);
        assertEquals(100, minimum.nanos());
        minimum.onSample(105, 3_000);
        assertEquals(105, minimum.nanos());
    }

    @Test
    void onSample_afterALongSilence_knowsNothingOlderThanThoseBefore() {
        minimum.onSample(60, 0);
        minimum.onSample(200, 1_000_000);
        assertEquals(60, minimum.nanos());
        minimum.onSample(200, 1_001_000);
        assertEquals(200, minimum.nanos());
    }
}
