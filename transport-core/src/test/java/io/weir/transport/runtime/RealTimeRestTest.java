package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;

/** Tests {@link RealTimeRest} with a clock that the test moves. */
class RealTimeRestTest {
    private static final long CYCLE_NANOS = 5_000;

    private long nowNanos = 700_000;
    private long idleNanos;
    private long sleepFraction = 1;
    private int restedCount;
    private final List<Long> sleptAtNanos = new ArrayList<>();

    private final IdleStrategy inner = new IdleStrategy() {
        @Override
        public void idle(int workCount) {
            nowNanos += workCount > 0 ? 0 : idleNanos;
        }

        @Override
        public void idle() {
            idle(0);
        }

        @Override
        public void reset() {
            // Nothing is kept.
        }
    };

    private final RealTimeRest rest = new RealTimeRest(
            inner,
            () -> nowNanos,
            nanos -> {
                sleptAtNanos.add(nowNanos);
                nowNanos += nanos / sleepFraction;
            },
            () -> restedCount++);

    private void run(long untilNanos, int workCount) {
        while (nowNanos < untilNanos) {
            nowNanos += CYCLE_NANOS;
            rest.idle(workCount);
        }
    }

    @Test
    void idle_ordinaryThread_neverRests() {
        run(5_000_000, 1);
        assertEquals(List.of(), sleptAtNanos);
    }

    @Test
    void idle_busyEveryCycle_restsAfterEachWholeMillisecond() {
        rest.turnOn();
        run(4_500_000, 1);
        assertEquals(List.of(1_000_000L, 2_000_000L, 3_000_000L, 4_000_000L), sleptAtNanos);
        assertEquals(4, restedCount);
    }

    @Test
    void idle_pollsWithoutWork_restsToo() {
        rest.turnOn();
        run(2_500_000, 0);
        assertEquals(List.of(1_000_000L, 2_000_000L), sleptAtNanos);
    }

    @Test
    void idle_sleptOfItsOwnAccord_needsNoRest() {
        rest.turnOn();
        idleNanos = 30_000;
        run(4_500_000, 0);
        assertEquals(List.of(), sleptAtNanos);
    }

    @Test
    void idle_wokenEarly_sleepsTheRestOfTheRest() {
        rest.turnOn();
        sleepFraction = 2;
        run(1_500_000, 1);
        assertEquals(List.of(1_000_000L, 1_030_000L, 1_045_000L, 1_052_500L), sleptAtNanos);
        assertEquals(1, restedCount);
    }
}
