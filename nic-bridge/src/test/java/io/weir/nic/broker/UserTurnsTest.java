package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests {@link UserTurns}. */
class UserTurnsTest {
    private static final int USER = 1_000;
    private static final int OTHER = 1_001;
    private static final int THREADS = 8;
    private static final int ROUNDS = 200;

    private final UserTurns turns = new UserTurns();

    @Test
    void begin_manyThreadsOfAUser_areNeverInTwoTurnsAtOnce() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger insideMax = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    turns.begin(USER);
                    insideMax.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(1);
                    inside.decrementAndGet();
                    turns.end(USER);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(1, insideMax.get());
        assertEquals(0, turns.userCount());
    }

    @Test
    void begin_anotherUser_waitsForNobody() throws Exception {
        turns.begin(USER);
        CountDownLatch isDone = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            turns.begin(OTHER);
            turns.end(OTHER);
            isDone.countDown();
        });
        other.start();
        isDone.await();
        other.join();
        assertEquals(1, turns.userCount());
        turns.end(USER);
        assertEquals(0, turns.userCount());
    }
}
