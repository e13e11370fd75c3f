package io.weir.transport.runtime;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A limit for a wait, in time that this process had: on a machine that is busy with other things, what takes a second
 * elsewhere takes a minute, and nothing is wrong. Of each interval only the share counts that a thread got which wanted
 * to run. For waits for this process, or for another one of this machine; not for those of a protocol. One thread's.
 *
 * <p>A wait shorter than {@link #LOOK_NANOS} costs two looks at the clock; a longer one reads a file for each thread of
 * the process that often.
 */
public final class OwnTimeLimit {
    /** How often to look: several turns of a thread, of which the kernel gives one each few milliseconds. */
    static final long LOOK_NANOS = 100_000_000L;
    /**
     * No wait gets longer by more than this factor, so that it ends even if one thread never runs: the share of a core
     * among as many threads is a few per cent, too little to be of use.
     */
    static final int STRETCH_MAX = 64;
    /** So long a wait that counting it costs little in comparison. */
    private static final long WAIT_NANOS_MIN = 1_000_000L;

    private static final MachineLoad LOAD = MachineLoad.ofThisMachine();

    private final long limitNanos;
    private final LongSupplier clock;
    /** Null where all of the time counts. */
    private final MachineLoad load;
    /** When the wait began, by the clock; moved by {@link #restart}. */
    private long startNanos;
    /** Up to when {@link #hadNanos} counts. */
    private long countedNanos;
    /** What this process had of the time since {@link #startNanos}. */
    private long hadNanos;
    /** What share of the time counted when it was counted last. */
    private double share;
    /** What {@link MachineLoad#waitNanos} was at {@link #countedNanos}, or null before the first look. */
    private Map<String, Long> waits;

    OwnTimeLimit(long limitNanos, LongSupplier clock, MachineLoad load) {
        this.limitNanos = limitNanos;
        this.clock = clock;
        this.load = load;
        restart();
    }

    /** {@return a limit that begins now} */
    public static OwnTimeLimit ofNanos(long limitNanos) {
        return new OwnTimeLimit(limitNanos, System::nanoTime, LOAD);
    }

    /** {@return a limit by a clock that the application has, all of whose time counts} */
    public static OwnTimeLimit ofNanos(long limitNanos, LongSupplier clock) {
        return new OwnTimeLimit(limitNanos, clock, null);
    }

    /** {@return a limit that begins now} */
    public static OwnTimeLimit ofSeconds(long limitSeconds) {
        return ofNanos(TimeUnit.SECONDS.toNanos(limitSeconds));
    }

    /** There is progress: the wait begins again. */
    public void restart() {
        startNanos = clock.getAsLong();
        countedNanos = startNanos;
        hadNanos = 0;
        share = 1;
        waits = null;
    }

    /** {@return how long to wait until this is asked again, in nanoseconds; 0 when the limit is reached} */
    public long leftNanos() {
        long elapsedNanos = clock.getAsLong() - countedNanos;
        if (elapsedNanos >= LOOK_NANOS || elapsedNanos >= limitNanos - hadNanos) {
            count(elapsedNanos);
            elapsedNanos = 0;
        }
        if (hadNanos >= limitNanos) {
            return 0;
        }
        double expectedNanos = (limitNanos - hadNanos) / share;
        return Math.max(WAIT_NANOS_MIN, (long) Math.min(expectedNanos, LOOK_NANOS) - elapsedNanos);
    }

    private void count(long elapsedNanos) {
        countedNanos += elapsedNanos;
        long had = load == null ? elapsedNanos : hadOf(elapsedNanos);
        hadNanos += had;
        share = elapsedNanos == 0 ? 1 : Math.max(1.0 / STRETCH_MAX, (double) had / elapsedNanos);
    }

    private long hadOf(long elapsedNanos) {
        Map<String, Long> before = waits;
        waits = load.waitNanos();
        long waitedNanosMax = 0;
        if (before != null) {
            for (Map.Entry<String, Long> thread : waits.entrySet()) {
                long waitedNanos = thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
                waitedNanosMax = Math.max(waitedNanosMax, waitedNanos);
            }
        }
        // Before the second look, what the threads waited is not known, but whether this one came late.
        long knownNanos = before == null ? Math.min(elapsedNanos, LOOK_NANOS) : elapsedNanos;
        long sharedNanos = (long) (knownNanos * load.share());
        return Math.max(knownNanos / STRETCH_MAX, Math.min(knownNanos - waitedNanosMax, sharedNanos));
    }

    /** {@return the answer, for which the calling thread waits until the limit at most} */
    public <T> T get(Future<T> answer) throws InterruptedException, ExecutionException, TimeoutException {
        while (true) {
            long nanos = leftNanos();
            try {
                return answer.get(nanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (nanos == 0) {
                    throw e;
                }
            }
        }
    }

    /** {@return whether the wait ended before the limit} The calling thread waits. */
    public boolean await(TimedWait wait) throws InterruptedException {
        while (true) {
            long nanos = leftNanos();
            if (wait.await(nanos, TimeUnit.NANOSECONDS)) {
                return true;
            }
            if (nanos == 0) {
                return false;
            }
        }
    }

    /** {@return whether the thread ended before the limit} The calling thread waits. */
    public boolean join(Thread thread) throws InterruptedException {
        return await((time, unit) -> {
            unit.timedJoin(thread, time);
            return !thread.isAlive();
        });
    }

    /**
     * {@return how long the wait was and how busy the machine is, for a message behind the limit's value; empty if the
     * machine has nothing to do with it}
     */
    public String remark() {
        String busy = load == null ? "" : load.text();
        long elapsedNanos = countedNanos - startNanos;
        if (busy.isEmpty() && hadNanos >= elapsedNanos / 2) {
            return "";
        }
        return String.format(
                Locale.ROOT, " of core time (%.0f s passed%s%s)", elapsedNanos / 1e9, busy.isEmpty() ? "" : ": ", busy);
    }

    /** A wait for a given time, such as that of a latch or of a process. */
    @FunctionalInterface
    public interface TimedWait {
        /** {@return whether what is waited for has come} */
        boolean await(long time, TimeUnit unit) throws InterruptedException;
    }
}
