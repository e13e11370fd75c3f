package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.pacer.SeededRandom;
import io.weir.transport.testing.Allocations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link EventWheel} and {@link SimEvent}. */
class EventWheelTest {
    /** An event of the model: the time, and the order in which it was scheduled. */
    private record Entry(long atNanos, long sequence, SimEvent event) {}

    private final EventWheel wheel = new EventWheel(6);

    private static SimEvent event() {
        return new SimEvent(SimEvent.ACTION, "test");
    }

    /** Random adding, removing and polling, with times as far ahead as {@code spread}, against a sorted set. */
    @ParameterizedTest
    @ValueSource(longs = {2, 50, 5_000, 1_000_000, 3_000_000_000L, 1L << 45})
    void poll_randomEvents_comeByTimeAndThenByOrderOfScheduling(long spread) {
        SeededRandom random = new SeededRandom(spread);
        TreeSet<Entry> model =
                new TreeSet<>(Comparator.comparingLong(Entry::atNanos).thenComparingLong(Entry::sequence));
        List<Entry> scheduled = new ArrayList<>();
        long now = 0;
        for (long i = 0; i < 200_000; i++) {
            int what = random.nextInt(10);
            if (what < 5) {
                // Mostly near, at times far: events of one time come from different levels then.
                long ahead = random.nextInt(4) == 0 ? random.nextLong(spread) : random.nextLong(1 + spread / 100);
                Entry entry = new Entry(now + ahead, i, event());
                wheel.add(entry.event(), entry.atNanos());
                model.add(entry);
                scheduled.add(entry);
            } else if (what < 6 && !scheduled.isEmpty()) {
                Entry entry = scheduled.remove(random.nextInt(scheduled.size()));
                if (model.remove(entry)) {
                    wheel.remove(entry.event());
                }
                assertFalse(entry.event().isScheduled());
            } else {
                long limit = now + random.nextLong(1 + spread / 50);
                Entry first = model.isEmpty() || model.first().atNanos() > limit ? null : model.pollFirst();
                SimEvent polled = wheel.poll(limit);
                assertSame(first == null ? null : first.event(), polled);
                now = first == null ? limit : first.atNanos();
            }
        }
    }

    @Test
    void poll_nothingBeforeTheLimit_leavesEarlierTimesOpen() {
        wheel.add(event(), 1_000_000);
        wheel.add(event(), 1_000_000);
        assertNull(wheel.poll(999_999));
        SimEvent earlier = event();
        wheel.add(earlier, 999_999);
        assertSame(earlier, wheel.poll(999_999));
        assertNull(wheel.poll(999_999));
    }

    @Test
    void add_theLastNanosecondThereIs_isFound() {
        SimEvent last = event();
        SimEvent beforeLast = event();
        wheel.add(last, Long.MAX_VALUE);
        wheel.add(beforeLast, Long.MAX_VALUE - 1);
        assertSame(beforeLast, wheel.poll(Long.MAX_VALUE));
        assertSame(last, wheel.poll(Long.MAX_VALUE));
        assertNull(wheel.poll(Long.MAX_VALUE));
    }

    @Test
    void wheel_steadyState_allocatesNothing() {
        SimEvent[] events = new SimEvent[100];
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < events.length; i++) {
            events[i] = event();
            wheel.add(events[i], random.nextLong(10_000));
        }
        Runnable step = () -> {
            SimEvent next = wheel.poll(Long.MAX_VALUE);
            wheel.add(next, next.atNanos + random.nextLong(20_000));
        };
        assertEquals(0, Allocations.fewestOf(4, 100_000, step));
    }
}
