package io.weir.transport.runtime;

import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** What other threads want a loop to do, in the order in which they asked. No lock; offering allocates nothing. */
final class LoopTasks {
    private static final int CAPACITY = 65_536;
    private static final int RUN_LIMIT = 256;

    private final ManyToOneConcurrentArrayQueue<LoopTask> queue = new ManyToOneConcurrentArrayQueue<>(CAPACITY);

    @SuppressWarnings("ThreadPriorityCheck")
    void add(LoopTask task) {
        while (!queue.offer(task)) {
            // Full: the loop is behind. Its thread needs the core more than this one.
            Thread.yield();
        }
    }

    int run(long nowNanos) {
        int count = 0;
        for (LoopTask task = queue.poll(); task != null; task = count < RUN_LIMIT ? queue.poll() : null) {
            task.run(nowNanos);
            count++;
        }
        return count;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }
}
