package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link LinearFit} against fits computed by hand. */
class LinearFitTest {
    @Test
    void of_pointsOnALine_isThatLine() {
        LinearFit fit = LinearFit.of(List.of(1.0, 2.0, 4.0), List.of(5.0, 7.0, 11.0));
        assertEquals(2, fit.slope(), 1e-12);
        assertEquals(3, fit.intercept(), 1e-12);
        assertEquals(1, fit.rSquared(), 1e-12);
    }

    @Test
    void of_pointsBesideALine_explainsAPart() {
        LinearFit fit = LinearFit.of(List.of(0.0, 1.0, 2.0), List.of(0.0, 3.0, 2.0));
        assertEquals(1, fit.slope(), 1e-12);
        assertEquals(3 / 7.0, fit.rSquared(), 1e-12);
    }

    @Test
    void of_levelLine_explainsEverything() {
        assertEquals(1, LinearFit.of(List.of(0.0, 1.0), List.of(2.0, 2.0)).rSquared());
    }
}
