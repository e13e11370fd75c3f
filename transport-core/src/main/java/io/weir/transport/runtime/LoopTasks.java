package io.weir.transport.runtime;

import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** What other threads want a loop to do, in the order in which they asked. No lock; offering allocates nothing. */
final class LoopTasks {
    static final int CAPACITY = 65_536;
    private static final int RUN_LIMIT = 256;

    private final ManyToOneConcurrentArrayQueue<LoopTask> queue = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
    private final Consumer<Throwable> onFault;

    /**
     * Creates an empty queue. What tasks throw goes to {@code onFault}, on the loop's thread; it may throw it again.
     */
    LoopTasks(Consumer<Throwable> onFault) {
        this.onFault = onFault;
    }

    /** {@return whether there was room} */
    boolean offer(LoopTask task) {
        return queue.offer(task);
    }

    int run(long nowNanos) {
        // What a task offers meanwhile waits for the next cycle: one that offers itself again runs once in each.
        int limit = Math.min(RUN_LIMIT, queue.size());
        int count = 0;
        while (count < limit) {
            LoopTask task = queue.poll();
            if (task == null) {
                return count;
            }
            try {
                task.run(nowNanos);
            } catch (Throwable problem) {
                onFault.accept(problem);
            }
            count++;
        }
        return count;
    }

    /** Tells every task that nobody will run it. Only once the loop runs none any more; any thread. */
    synchronized void refuseAll(Throwable failure) {
        for (LoopTask task = queue.poll(); task != null; task = queue.poll()) {
            try {
                task.onLoopEnded(failure);
            } catch (RuntimeException | AssertionError problem) {
                // The next one is told all the same.
                onFault.accept(problem);
            }
        }
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }
}
