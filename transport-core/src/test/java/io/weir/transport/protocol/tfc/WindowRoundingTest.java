package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link WindowRounding} with frames of 1000 bytes. */
class WindowRoundingTest {
    private static final int FRAME_BYTES = 1_000;

    @ParameterizedTest
    @CsvSource({
        "0, 2900, 2",
        "1, 2100, 3",
        "1, 3000, 3",
        "0, 10, 1",
        "1, 0, 1",
        "2, 999, 1",
        "2, 0, 1",
        "2, 4294967295, 4294967"
    })
    void frames_oneWindow_areWhole(int mode, long windowBytes, long frames) {
        assertEquals(frames, new WindowRounding(mode, FRAME_BYTES).frames(windowBytes));
    }

    @Test
    void frames_restKept_isWhatWasGrantedOverManyRounds() {
        WindowRounding rounding = new WindowRounding(2, FRAME_BYTES);
        assertEquals(
                190, LongStream.range(0, 100).map(i -> rounding.frames(1_900)).sum());
    }

    @Test
    void frames_belowAFrame_keepsNothingForLater() {
        WindowRounding rounding = new WindowRounding(2, FRAME_BYTES);
        for (int i = 0; i < 10; i++) {
            assertEquals(1, rounding.frames(900));
        }
    }

    @Test
    void forget_restKept_isLost() {
        WindowRounding rounding = new WindowRounding(2, FRAME_BYTES);
        rounding.frames(1_999);
        rounding.forget();
        assertEquals(1, rounding.frames(1_999));
    }
}
