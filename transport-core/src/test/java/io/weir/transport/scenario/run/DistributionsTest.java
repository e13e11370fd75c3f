package io.weir.transport.scenario.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.scenario.result.Percentiles;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Percentiles. */
class DistributionsTest {
    @Test
    void of_oneToAThousand_areTheRanks() {
        assertEquals(
                new Percentiles(1000, 500.5, 500, 900, 990, 999, 1000),
                Distributions.of(
                        LongStream.rangeClosed(1, 1000).map(i -> 1001 - i).toArray()));
    }

    @Test
    void of_nothingOrOneValue_isThat() {
        assertEquals(new Percentiles(0, 0, 0, 0, 0, 0, 0), Distributions.of(new long[0]));
        assertEquals(new Percentiles(1, 7, 7, 7, 7, 7, 7), Distributions.of(new long[] {7}));
        assertEquals(new Percentiles(0, 0, 0, 0, 0, 0, 0), new Distributions.Weighted().percentiles());
    }

    @Test
    void weighted_values_countAsOftenAsTheyWeigh() {
        Distributions.Weighted values = new Distributions.Weighted();
        values.add(30, 9);
        values.add(10, 500);
        values.add(40, 1);
        values.add(20, 490);
        assertEquals(new Percentiles(1000, 15.11, 10, 20, 20, 30, 40), values.percentiles());
    }
}
