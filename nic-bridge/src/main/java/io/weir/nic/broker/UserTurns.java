package io.weir.nic.broker;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * One at a time of each user's sessions does what takes long: it begins, or ends. Otherwise all threads of a user's
 * processes would begin in the same moment, and the loop's thread would be one of sixty to which the scheduler gives
 * a turn. In the order in which they came. Any thread.
 */
final class UserTurns {
    /** Whose turn it is. */
    private static final class Queue {
        final Semaphore turn = new Semaphore(1, true);
        /** Threads that have the turn or wait for it. With the lock of all. */
        int threadCount;
    }

    /** Those that anybody uses now, by the user's number. With the lock. */
    private final Map<Integer, Queue> queues = new HashMap<>();

    /** Waits until no other thread has the turn of this user, which the caller has then until {@link #end}. */
    void begin(int user) {
        Queue queue;
        synchronized (this) {
            queue = queues.computeIfAbsent(user, number -> new Queue());
            queue.threadCount++;
        }
        queue.turn.acquireUninterruptibly();
    }

    /** The turn is over. */
    synchronized void end(int user) {
        Queue queue = queues.get(user);
        queue.turn.release();
        queue.threadCount--;
        if (queue.threadCount == 0) {
            queues.remove(user);
        }
    }

    /** {@return how many users have or want a turn} */
    synchronized int userCount() {
        return queues.size();
    }
}
