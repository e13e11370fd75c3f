package io.weir.transport.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests how wide classes are. */
class LogClassesTest {
    private final LogClasses classes = new LogClasses(3);

    @Test
    void of_smallNumbers_areExact() {
        for (int number = 0; number < 16; number++) {
            assertEquals(number, classes.largest(classes.of(number)));
        }
    }

    @Test
    void largest_ofAnyNumber_isAtMostAnEighthMore() {
        for (long number = 1; number > 0 && number < Long.MAX_VALUE / 3; number = number * 3 + 1) {
            long largest = classes.largest(classes.of(number));
            assertTrue(largest >= number && largest - number <= number / 8, number + " in a class up to " + largest);
            assertEquals(classes.of(number), classes.of(largest));
            assertEquals(classes.of(number) + 1, classes.of(largest + 1));
        }
        assertTrue(classes.of(Long.MAX_VALUE) < classes.count());
    }
}
