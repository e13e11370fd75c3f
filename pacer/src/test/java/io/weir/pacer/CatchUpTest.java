package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests how far pacers may start in the past. */
class CatchUpTest {
    @Test
    void nanos_withoutPause_isTheBase() {
        assertEquals(50, new CatchUp(50).nanos(1_000));
    }

    @Test
    void nanos_afterPause_isMoreForAsLongAsTheExtra() {
        CatchUp catchUp = new CatchUp(50);
        catchUp.onPause(400, 1_000);
        assertEquals(450, catchUp.nanos(1_000));
        assertEquals(450, catchUp.nanos(1_400));
        assertEquals(50, catchUp.nanos(1_401));
    }
}
