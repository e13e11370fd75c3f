package io.weir.transport.runtime;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets ordinary threads have a real-time loop's core for 60 us of each millisecond, in addition to what another idle
 * strategy does. The kernel stops real-time threads for 50 ms of each second unless ordinary ones got as much by
 * themselves: here they get 6 percent, in pieces that links and pacers make up for.
 *
 * <p>Rests begin at whole milliseconds of the machine's monotonic clock, so that several real-time loops of one core
 * rest at the same time; one after the other, they would leave ordinary threads nothing. A loop that slept that long
 * since its last rest needs none. Costs two readings of the clock per cycle without work, and one per cycle with work.
 */
final class RealTimeRest implements IdleStrategy {
    static final long EVERY_NANOS = 1_000_000;
    static final long REST_NANOS = 60_000;

    /** What takes less was a poll: a real-time thread is not interrupted by ordinary ones. */
    private static final long SLEEP_NANOS_MIN = 10_000;

    /** Sleeping ends early for a wake-up that somebody left; the rest of the rest is slept then, this often at most. */
    private static final int SLEEPS_MAX = 4;

    private final IdleStrategy idle;
    private final LongSupplier monotonicClock;
    private final Sleeper sleeper;
    private final Runnable onRested;

    /** Whether there is anything to do at all; written once by the loop's thread, before its first cycle. */
    private boolean isOn;
    /** When the next rest is due, in the monotonic clock's nanoseconds. */
    private long nextNanos;
    /** How long the loop slept since the last rest because it had nothing to do. */
    private long sleptNanos;

    /** Sleeps the calling thread, or returns early. */
    interface Sleeper {
        void sleep(long nanos);
    }

    /**
     * Creates one that does nothing until {@link #turnOn}.
     *
     * @param idle what the loop does when there is nothing to do
     * @param onRested called after each rest, by the loop's thread: the loop chose to sleep
     */
    RealTimeRest(IdleStrategy idle, Runnable onRested) {
        this(idle, System::nanoTime, LockSupport::parkNanos, onRested);
    }

    RealTimeRest(IdleStrategy idle, LongSupplier monotonicClock, Sleeper sleeper, Runnable onRested) {
        this.idle = idle;
        this.monotonicClock = monotonicClock;
        this.sleeper = sleeper;
        this.onRested = onRested;
    }

    /** The thread runs before every ordinary one from now on. */
    void turnOn() {
        isOn = true;
        nextNanos = after(monotonicClock.getAsLong());
    }

    private static long after(long nowNanos) {
        return (Math.floorDiv(nowNanos, EVERY_NANOS) + 1) * EVERY_NANOS;
    }

    @Override
    public void idle(int workCount) {
        if (!isOn) {
            idle.idle(workCount);
            return;
        }
        long beforeNanos = monotonicClock.getAsLong();
        idle.idle(workCount);
        long afterNanos = workCount > 0 ? beforeNanos : monotonicClock.getAsLong();
        if (afterNanos - beforeNanos >= SLEEP_NANOS_MIN) {
            sleptNanos += afterNanos - beforeNanos;
        }
        restIfDue(afterNanos);
    }

    private void restIfDue(long nowNanos) {
        if (nowNanos - nextNanos < 0) {
            return;
        }
        if (sleptNanos < REST_NANOS) {
            rest(nowNanos + REST_NANOS);
        }
        sleptNanos = 0;
        nextNanos = after(nowNanos);
    }

    private void rest(long untilNanos) {
        long leftNanos = REST_NANOS;
        for (int sleeps = 0; sleeps < SLEEPS_MAX && leftNanos > 0; sleeps++) {
            sleeper.sleep(leftNanos);
            leftNanos = untilNanos - monotonicClock.getAsLong();
        }
        onRested.run();
    }

    @Override
    public void idle() {
        idle(0);
    }

    @Override
    public void reset() {
        idle.reset();
    }
}
