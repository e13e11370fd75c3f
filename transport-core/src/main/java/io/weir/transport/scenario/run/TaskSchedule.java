package io.weir.transport.scenario.run;

import io.weir.transport.node.TimedTask;
import io.weir.transport.time.Deadline;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * What is to be done when, in a world without an event queue: a Node without ports, whose time-outs do what
 * is due on the thread that drives it. Equal times in the order in which they were entered. Allocates.
 */
public final class TaskSchedule implements TimedTask {
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::atNanos).thenComparingLong(Entry::number));
    private long count;

    private record Entry(long atNanos, long number, Runnable action) {}

    /** Creates an empty agenda. */
    public TaskSchedule() {}

    /** Enters something to do. */
    public void add(long atNanos, Runnable action) {
        entries.add(new Entry(atNanos, count++, action));
    }

    @Override
    public void onTimeout(long nowNanos) {
        while (nextTimeoutNanos() <= nowNanos) {
            entries.remove().action().run();
        }
    }

    @Override
    public long nextTimeoutNanos() {
        Entry next = entries.peek();
        return next == null ? Deadline.NO_DEADLINE : next.atNanos();
    }
}
