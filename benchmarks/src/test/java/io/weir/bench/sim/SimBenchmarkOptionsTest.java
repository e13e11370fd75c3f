package io.weir.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link SimBenchmarkOptions}, {@link SimFigures} and {@link Yardstick}. */
class SimBenchmarkOptionsTest {
    private static SimBenchmarkOptions parse(String... arguments) {
        return SimBenchmarkOptions.parse(arguments);
    }

    @Test
    void parse_everything_isUnderstood() {
        SimBenchmarkOptions options =
                parse("a.yaml", "--set", "x=1", "--set", "y=2", "--runs", "3", "--require", "4e6");
        assertEquals(new SimBenchmarkOptions("a.yaml", List.of("x=1", "y=2"), 3, 4e6, null, false), options);
        assertTrue(parse("a.yaml", "--write", "b.json").isWriting());
    }

    @Test
    void parse_nonsense_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> parse("--runs", "3"));
        assertThrows(IllegalArgumentException.class, () -> parse("a.yaml", "--runs", "0"));
        assertThrows(IllegalArgumentException.class, () -> parse("a.yaml", "--fast", "1"));
        assertThrows(IllegalArgumentException.class, () -> parse("a.yaml", "--runs"));
    }

    @Test
    void figures_ofARun_arePerHop() {
        SimFigures figures = new SimFigures(1_000_000, 1_500_000, 200_000_000, 1_000_000, 20);
        assertEquals(5e6, figures.hopsPerSecond());
        assertEquals(200, figures.nanosPerHop());
        assertEquals(10, figures.yardsticksPerHop());
        assertEquals(
                "    1,000,000 hops   5.00 M hops/s   200.0 ns/hop  10.00 yardsticks/hop  1.50 events/hop     1.000 B/hop",
                figures.line());
    }

    @Test
    void yardstick_anyMachine_hasALength() {
        double nanos = new Yardstick().measureNanos();
        assertTrue(nanos > 0.5 && nanos < 10_000, nanos + " ns");
    }
}
