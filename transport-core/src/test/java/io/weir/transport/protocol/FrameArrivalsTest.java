package io.weir.transport.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link FrameArrivals}. */
class FrameArrivalsTest {
    private final FrameArrivals arrivals = new FrameArrivals();

    private void come(int... numbers) {
        for (int number : numbers) {
            arrivals.onFrame(number);
        }
    }

    private void require(long arrived, long missing) {
        assertEquals(arrived, arrivals.arrived());
        assertEquals(missing, arrivals.missing());
    }

    @Test
    void onFrame_inOrderFromAnyNumberOn_missesNone() {
        come(7, 8, 9);
        require(3, 0);
    }

    @Test
    void onFrame_aGap_isMissing() {
        come(1, 2, 5, 8);
        require(4, 4);
    }

    @Test
    void onFrame_oneThatWasOvertaken_isNotMissingAnyMore() {
        come(1, 2, 5, 3);
        require(4, 1);
    }

    @Test
    void onFrame_repeatedAtOnce_countsOnce() {
        come(1, 2, 2, 3);
        require(3, 0);
    }

    @Test
    void onFrame_numberFarFromTheOthers_isNoLossOfAWire() {
        come(1, 2, 1_000_000, 3, 4);
        require(5, 0);
    }

    @Test
    void onFrame_across32Bits_goesOn() {
        come(-2, -1, 0, 1, 3);
        require(5, 1);
    }
}
