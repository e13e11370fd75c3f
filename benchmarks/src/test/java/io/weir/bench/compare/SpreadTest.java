package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Spread}. */
class SpreadTest {
    @Test
    void of_oddCount_medianIsTheMiddleOne() {
        assertEquals(new Spread(5, 1, 2, 3, 4, 100), Spread.of(List.of(100.0, 1.0, 3.0, 2.0, 4.0)));
    }

    @Test
    void of_evenCount_quantilesLieBetweenValues() {
        assertEquals(new Spread(4, 1, 1.75, 2.5, 3.25, 4), Spread.of(List.of(4.0, 3.0, 2.0, 1.0)));
    }

    @Test
    void of_oneValue_isItself() {
        assertEquals(new Spread(1, 7, 7, 7, 7, 7), Spread.of(List.of(7.0)));
    }

    @Test
    void of_nothing_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> Spread.of(List.of()));
    }
}
