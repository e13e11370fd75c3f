package io.weir.transport.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.pacer.SeededRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link DeadlineHeap}, against a map for whole sequences of operations. */
class DeadlineHeapTest {
    @Test
    void pollDue_nothingScheduled_isNothing() {
        DeadlineHeap heap = new DeadlineHeap(4);
        assertEquals(Deadline.NO_DEADLINE, heap.peekDeadline());
        assertEquals(-1, heap.pollDue(Long.MAX_VALUE - 1));
        assertEquals(Deadline.NO_DEADLINE, heap.deadlineOf(100));
    }

    @Test
    void pollDue_equalDeadlines_comeInTheOrderInWhichTheyWereSet() {
        DeadlineHeap heap = new DeadlineHeap(8);
        for (int id : new int[] {5, 2, 7, 0, 3}) {
            heap.schedule(id, 10);
        }
        heap.schedule(2, 11);
        heap.schedule(2, 10);
        for (int id : new int[] {5, 7, 0, 3, 2}) {
            assertEquals(id, heap.pollDue(10));
        }
    }

    @Test
    void schedule_sameDeadlineAgain_keepsItsTurn() {
        DeadlineHeap heap = new DeadlineHeap(8);
        heap.schedule(1, 10);
        heap.schedule(2, 10);
        heap.schedule(1, 10);
        assertEquals(1, heap.pollDue(10));
    }

    @Test
    void pollDue_notYet_isNothing() {
        DeadlineHeap heap = new DeadlineHeap(2);
        heap.schedule(1, 10);
        assertEquals(-1, heap.pollDue(9));
        assertEquals(1, heap.pollDue(10));
        assertEquals(-1, heap.pollDue(10));
    }

    @Test
    void operations_random_matchAMap() {
        SeededRandom random = new SeededRandom(17);
        DeadlineHeap heap = new DeadlineHeap(1);
        Map<Integer, long[]> model = new HashMap<>();
        long sequence = 0;
        for (int i = 0; i < 200_000; i++) {
            int id = random.nextInt(200);
            switch (random.nextInt(4)) {
                case 0 -> {
                    heap.cancel(id);
                    model.remove(id);
                }
                case 1 -> assertEquals(expected(model, 500), heap.pollDue(500));
                default -> {
                    long deadline = random.nextInt(1_000);
                    heap.schedule(id, deadline);
                    long[] known = model.get(id);
                    if (known == null || known[0] != deadline) {
                        model.put(id, new long[] {deadline, sequence++});
                    }
                }
            }
            assertEquals(model.size(), heap.size());
            assertEquals(first(model), heap.peekDeadline());
            assertEquals(model.containsKey(id) ? model.get(id)[0] : Deadline.NO_DEADLINE, heap.deadlineOf(id));
        }
    }

    private static long first(Map<Integer, long[]> model) {
        return model.values().stream().mapToLong(entry -> entry[0]).min().orElse(Deadline.NO_DEADLINE);
    }

    private static int expected(Map<Integer, long[]> model, long now) {
        Comparator<Map.Entry<Integer, long[]>> order = Comparator.comparingLong(
                        (Map.Entry<Integer, long[]> entry) -> entry.getValue()[0])
                .thenComparingLong(entry -> entry.getValue()[1]);
        var due = model.entrySet().stream().min(order).filter(entry -> entry.getValue()[0] <= now);
        due.ifPresent(entry -> model.remove(entry.getKey()));
        return due.isPresent() ? due.get().getKey() : -1;
    }
}
