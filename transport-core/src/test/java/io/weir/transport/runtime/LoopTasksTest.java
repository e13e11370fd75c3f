package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link LoopTasks}. */
class LoopTasksTest {
    private final List<Throwable> faults = new ArrayList<>();
    private final LoopTasks tasks = new LoopTasks(faults::add);
    private final List<String> ran = new ArrayList<>();

    private void again(long nowNanos) {
        ran.add("at " + nowNanos);
        assertTrue(tasks.offer(this::again));
    }

    @Test
    void run_taskThatOffersItself_runsOnceInEachCycle() {
        tasks.offer(this::again);
        assertEquals(1, tasks.run(10));
        assertEquals(1, tasks.run(20));
        assertEquals(List.of("at 10", "at 20"), ran);
        assertFalse(tasks.isEmpty());
    }

    @Test
    void run_severalTasks_keepTheirOrderAndOutliveAFault() {
        IllegalStateException fault = new IllegalStateException("of a test");
        tasks.offer(now -> ran.add("first"));
        tasks.offer(now -> {
            throw fault;
        });
        tasks.offer(now -> ran.add("third"));
        assertEquals(3, tasks.run(1));
        assertEquals(List.of("first", "third"), ran);
        assertEquals(List.of(fault), faults);
        assertTrue(tasks.isEmpty());
        assertEquals(0, tasks.run(2));
    }

    @Test
    void refuseAll_tasksThatNobodyRuns_areTold() {
        Exception end = new Exception("the loop ended");
        List<Throwable> told = new ArrayList<>();
        tasks.offer(new LoopTask() {
            @Override
            public void run(long nowNanos) {
                ran.add("never");
            }

            @Override
            public void onLoopEnded(Throwable failure) {
                told.add(failure);
            }
        });
        tasks.refuseAll(end);
        assertEquals(List.of(end), told);
        assertEquals(List.of(), ran);
    }
}
