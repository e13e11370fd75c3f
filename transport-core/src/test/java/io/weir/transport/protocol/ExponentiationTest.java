package io.weir.transport.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link Exponentiation}. */
class ExponentiationTest {
    @Test
    void of_wholeExponents_isTheProductOfSoMany() {
        double product = 1;
        for (int n = 0; n < 40; n++) {
            assertEquals(product, Exponentiation.power(0.75, n), 1e-15);
            product *= 0.75;
        }
    }

    @Test
    void of_exponentsBeyondAnyPrecision_isNothing() {
        assertEquals(0.0, Exponentiation.power(255 / 256.0, Long.MAX_VALUE));
    }
}
