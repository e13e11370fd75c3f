package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests {@link CpuReading}. */
class CpuReadingTest {
    @Test
    void afterName_nameWithBlanksAndBrackets_isSkipped() {
        String[] fields = CpuReading.afterName("42 (a) b) S 1 2 3\n");
        assertArrayEquals(new String[] {"S", "1", "2", "3"}, fields, Arrays.toString(fields));
    }
}
