package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link CreditShape}. */
class CreditShapeTest {
    @Test
    void withJitterPpm_another_keepsTheRest() {
        CreditShape shape = CreditShape.permitting(1_538).withWireBytes(84, 92).withJitterPpm(20_000);
        assertEquals(new CreditShape(84, 92, 20_000, 1_538), shape);
    }

    @Test
    void costBytesMean_oddSum_roundsUp() {
        assertEquals(
                1_538 + 89, CreditShape.permitting(1_538).withWireBytes(84, 93).costBytesMean());
    }
}
