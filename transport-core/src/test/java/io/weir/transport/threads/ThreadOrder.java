package io.weir.transport.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One seeded order of threads in virtual time. One thread has the turn; at some of its {@link #point}s, and whenever it
 * waits or yields, the seed gives the turn to another one that can run. If none can, time goes on to the next deadline.
 *
 * <p>The same seed gives the same order: everything here is done by the thread that has the turn.
 */
final class ThreadOrder {
    static final long NO_DEADLINE = Long.MAX_VALUE;
    /** How many points there are on the average between two switches that nobody asked for. */
    private static final int[] QUANTUM_POINTS = {3, 10, 30, 100, 300};
    /** What a yield takes. */
    private static final long[] YIELD_NANOS = {2_000, 8_000, 40_000};

    private static final long[] TICK_NANOS_MAX = {400, 2_000, 10_000};

    private static final long SPINNING_TICK_NANOS_MAX = 20_000;
    private static final long POINTS_MAX = 30_000_000;
    private static final long TIME_NANOS_MAX = 120_000_000_000L;
    /** Against hangs of the laboratory itself. */
    private static final long PATIENCE_MINUTES = 2;

    /** How often waits are looked at while loops spin, and how long one may go on for what has come. */
    private static final int LOOK_POINTS = 4_096;

    private static final long NEEDLESS_NANOS_MAX = 50_000_000;
    /** One of so many switches takes the thread off its core for a while. */
    private static final int STALL_PART = 12;

    private static final int STALL_NANOS_MAX = 1_500_000;
    private static final int TRACE_LENGTH = 60;

    private final Random random;
    private final int quantumPoints;
    private final long yieldNanos;
    /** What a look at the clock takes at most. */
    private long tickNanosMax;

    private final List<TurnThread> threads = new ArrayList<>();
    private final IdentityHashMap<Object, Monitor> monitors = new IdentityHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    /** Where turns ended last. */
    private final Deque<String> trace = new ArrayDeque<>();
    /** What finds that somebody sleeps who must not, looked at whenever time goes on. */
    private final List<Supplier<String>> watches = new ArrayList<>();
    /** Whether conditions are being looked at: the product's code in these passes no turn. */
    private boolean isLooking;
    /** Virtual time. */
    private long nowNanos = 1_000_000;
    /** Points that have been passed. */
    private long points;
    /** Points until the turn ends. */
    private long pointsLeft;
    /** Of every turn that ended: who, where and when. */
    private long hash = 17;
    /** Why the run failed, or null. */
    private volatile String failure;

    private volatile Throwable cause;

    private static final class Monitor {
        private TurnThread owner;
        private int depth;
    }

    ThreadOrder(long seed) {
        random = new Random(seed * 0x9E37_79B9_7F4A_7C15L + 1);
        quantumPoints = QUANTUM_POINTS[random.nextInt(QUANTUM_POINTS.length)];
        yieldNanos = YIELD_NANOS[random.nextInt(YIELD_NANOS.length)];
        tickNanosMax = TICK_NANOS_MAX[random.nextInt(TICK_NANOS_MAX.length)];
        newQuantum();
    }

    /** Runs {@code work} on a thread of this order and waits, for real, until it and all other threads have ended. */
    void run(Runnable work) throws InterruptedException {
        TurnThread root = new TurnThread(
                () -> {
                    work.run();
                    awaitOthers();
                },
                "root");
        root.join(this);
        threads.add(root);
        root.giveTurn();
        root.start();
        if (!over.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            failure = "the laboratory hangs; last turns: " + trace + "\n" + threads;
        }
    }

    private void awaitOthers() {
        TurnThread me = TurnThread.current();
        boolean isOver =
                waitFor(() -> threads.stream().allMatch(thread -> thread == me || thread.hasEnded()), 30_000_000_000L);
        if (!isOver) {
            fail("a thread does not end", null);
        }
    }

    /** {@return why the run failed, or null} */
    String failure() {
        return failure;
    }

    Throwable cause() {
        return cause;
    }

    /** {@return a number that two runs share if their threads took the same turns} */
    long hash() {
        return hash;
    }

    long points() {
        return points;
    }

    /** Begins a thread, which can run from now on. */
    void start(TurnThread thread) {
        thread.join(this);
        threads.add(thread);
        thread.start();
        point("Thread.start");
    }

    /** The run has failed: no thread goes on. */
    void fail(String reason, Throwable problem) {
        if (failure == null) {
            cause = problem;
            failure = reason + "; at " + nowNanos + " ns after " + points + " points\n  threads: " + threads
                    + "\n  last turns: " + trace;
        }
        over.countDown();
        while (true) {
            // Forever: the threads are left as they are, and nobody refers to them.
            TurnThread.current().awaitTurn();
        }
    }

    /** Looks at each step of time whether somebody sleeps who must not: a sentence, or null. */
    void watch(Supplier<String> watch) {
        watches.add(watch);
    }

    // ---- what threads do; the thread that has the turn

    /** The turn may end here. */
    void point(String where) {
        if (isLooking) {
            return;
        }
        points++;
        if (points % LOOK_POINTS == 0) {
            lookAtWaits();
        }
        if (--pointsLeft <= 0) {
            if (points > POINTS_MAX) {
                fail("no end", null);
            }
            newQuantum();
            if (random.nextInt(STALL_PART) == 0) {
                // As if it had lost its core, in the middle of anything.
                TurnThread.current().stall(nowNanos + 1 + random.nextInt(STALL_NANOS_MAX));
            }
            passTurn(where);
        }
    }

    private void newQuantum() {
        pointsLeft = 1 + (long) (-Math.log(1 - random.nextDouble()) * quantumPoints);
    }

    long nanoTime() {
        if (isLooking) {
            return nowNanos;
        }
        nowNanos += 1 + (long) (random.nextDouble() * tickNanosMax);
        return nowNanos;
    }

    long nowNanos() {
        return nowNanos;
    }

    /** A loop spins: a look at the clock takes long, so that time is not only waited for. */
    void hasten() {
        tickNanosMax = SPINNING_TICK_NANOS_MAX;
    }

    /** Sleeps. */
    void sleep(long nanos) {
        waitFor(() -> false, nanos);
    }

    /** {@return until when a thread of this name sleeps, or a negative number if it does not} */
    long sleepsUntilNanos(String name) {
        for (TurnThread thread : threads) {
            if (thread.getName().equals(name) && !thread.hasEnded()) {
                return thread.deadlineNanos();
            }
        }
        return -1;
    }

    /** Interrupts a thread. */
    void interrupt(TurnThread thread) {
        thread.interruptLater();
    }

    void yieldTurn() {
        nowNanos += yieldNanos;
        points++;
        passTurn("yield");
    }

    /** {@return whether the condition came true before so much time was over} */
    boolean waitFor(BooleanSupplier condition, long nanos) {
        TurnThread me = TurnThread.current();
        boolean isEndless = nanos >= NO_DEADLINE - nowNanos;
        me.await(condition, isEndless ? NO_DEADLINE : nowNanos + Math.max(0, nanos));
        passTurn("wait");
        return !me.isLate();
    }

    void enterMonitor(Object object) {
        point("synchronized");
        TurnThread me = TurnThread.current();
        Monitor monitor = monitors.computeIfAbsent(object, any -> new Monitor());
        if (monitor.owner != me) {
            while (monitor.owner != null) {
                waitFor(() -> monitor.owner == null, NO_DEADLINE);
            }
            monitor.owner = me;
        }
        monitor.depth++;
    }

    void exitMonitor(Object object) {
        Monitor monitor = monitors.get(object);
        if (--monitor.depth == 0) {
            monitor.owner = null;
        }
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    // ---- turns

    private void passTurn(String where) {
        TurnThread me = TurnThread.current();
        TurnThread next = choose();
        note(me, where);
        if (next != me) {
            next.giveTurn();
            me.awaitTurn();
        }
    }

    /** The thread ends, and with the last one the run. */
    void leave(TurnThread thread) {
        if (threads.stream().allMatch(TurnThread::hasEnded)) {
            over.countDown();
            return;
        }
        TurnThread next = choose();
        note(thread, "end");
        next.giveTurn();
    }

    private void note(TurnThread thread, String where) {
        hash = hash * 31 + threads.indexOf(thread);
        hash = hash * 31 + where.hashCode();
        hash = hash * 31 + nowNanos;
        if (trace.size() == TRACE_LENGTH) {
            trace.removeFirst();
        }
        trace.addLast(thread.getName() + "@" + where);
    }

    private TurnThread choose() {
        isLooking = true;
        try {
            return find();
        } finally {
            isLooking = false;
        }
    }

    private TurnThread find() {
        while (true) {
            List<TurnThread> able = new ArrayList<>();
            for (TurnThread thread : threads) {
                if (thread.canRun(nowNanos)) {
                    able.add(thread);
                }
            }
            if (!able.isEmpty()) {
                return able.get(able.size() == 1 ? 0 : random.nextInt(able.size()));
            }
            passTime();
        }
    }

    private void lookAtWaits() {
        isLooking = true;
        for (TurnThread thread : threads) {
            if (thread.needlessNanos(nowNanos) > NEEDLESS_NANOS_MAX) {
                fail("nobody wakes " + thread.getName() + ", though others run: " + thread.needlessWait(), null);
            }
        }
        isLooking = false;
    }

    /** Nobody can run. Who waits for something that has come was not woken. */
    private void passTime() {
        if (threads.stream().noneMatch(TurnThread::isStalled)) {
            lookAtSleepers();
        }
        long deadlineNanos = NO_DEADLINE;
        for (TurnThread thread : threads) {
            if (!thread.hasEnded()) {
                deadlineNanos = Math.min(deadlineNanos, thread.deadlineNanos());
            }
        }
        if (deadlineNanos == NO_DEADLINE || deadlineNanos > TIME_NANOS_MAX) {
            fail("every thread waits, and nothing is left to come", null);
        }
        nowNanos = Math.max(nowNanos, deadlineNanos);
    }

    /** Nobody is about to do anything. */
    private void lookAtSleepers() {
        for (TurnThread thread : threads) {
            String needless = thread.needlessWait();
            if (needless != null) {
                fail("nobody wakes " + thread.getName() + " although it has what it waits for: " + needless, null);
            }
        }
        for (Supplier<String> watch : watches) {
            String found = watch.get();
            if (found != null) {
                fail(found, null);
            }
        }
    }
}
