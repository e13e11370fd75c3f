package io.weir.transport.scenario.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link TaskSchedule}. */
class TaskScheduleTest {
    private final TaskSchedule agenda = new TaskSchedule();
    private final List<String> done = new ArrayList<>();

    @Test
    void onTimeout_whatIsDue_isDoneByTimeAndThenInTheOrderOfEntry() {
        agenda.add(20, () -> done.add("twenty"));
        agenda.add(10, () -> done.add("ten"));
        agenda.add(20, () -> done.add("twenty too"));
        agenda.add(30, () -> done.add("thirty"));
        agenda.onTimeout(20);
        assertEquals(List.of("ten", "twenty", "twenty too"), done);
        assertEquals(30, agenda.nextTimeoutNanos());
    }

    @Test
    void onTimeout_entryMadeMeanwhileAndDue_isDoneToo() {
        agenda.add(10, () -> agenda.add(5, () -> done.add("late")));
        agenda.onTimeout(10);
        assertEquals(List.of("late"), done);
    }

    @Test
    void nextTimeoutNanos_nothingEntered_isNever() {
        assertEquals(Deadline.NO_DEADLINE, agenda.nextTimeoutNanos());
        agenda.onTimeout(1_000);
        assertEquals(List.of(), done);
    }

    @Test
    void portCount_always_isZero() {
        assertEquals(0, agenda.portCount());
        assertThrows(IllegalStateException.class, () -> agenda.egress(0));
    }
}
