package io.weir.transport.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How a loop's own thread sleeps, and which threads poll the loop's ports meanwhile because they wait for it.
 *
 * <p>Two threads that poll the same ports only take turns on a core: each yields to the other, and a frame waits for
 * the one whose turn it is not. So the loop's thread stands by while helpers poll: it sleeps for a slice, and frames do
 * not wake it. A helper that has what it waited for leaves silently, and is mostly back after a microsecond. If
 * it is not, the loop's thread takes over at the end of the slice. That costs no system call per message.
 *
 * <p>Slices begin short and double while helpers ran the loop to the end of each. A loop's thread that was needed, or
 * was woken, goes on polling for a while, which doubles too. Bursts keep it awake: with them one thread can move frames
 * while another one uses the bytes.
 */
final class LoopSleep {
    /** A helper that left, and others' frames since, wait at most so long. */
    static final long SLICE_NANOS_MAX = 200_000;

    static final long SLICE_NANOS_MIN = 50_000;
    /** Helpers that have run no cycle for so long have left, or have lost their cores. */
    static final long ABSENT_NANOS = 30_000;
    /** Work of a cycle from which on there is enough for two threads. */
    private static final int BURST_WORK_MIN = 8;
    /** For how long a burst is expected to go on. */
    private static final long BURST_NANOS = 100_000;

    /** A slice that ends sooner was ended by a wake-up of before, for what has been done since. */
    private static final long WOKEN_BEFORE_NANOS = 5_000;

    private static final long NEEDED_NANOS_MIN = 100_000;
    private static final long NEEDED_NANOS_MAX = 12_800_000;
    private static final long AWAKE = Long.MIN_VALUE;
    private static final long STANDING_BY = Long.MIN_VALUE + 1;

    private final Waiter waiter;
    private final AtomicInteger helperCount = new AtomicInteger();
    /** Until when the loop's thread sleeps if nothing wakes it, or one of the above. That thread writes. */
    private volatile long asleepUntilNanos = AWAKE;
    /** Whether threads that wait may run the loop. Any thread clears it. */
    private volatile boolean isHelpAllowed;
    /** Whether the last helper has left since a helper ran a cycle last. */
    private volatile boolean isAbsent;
    /**
     * Until when a burst keeps the loop's thread awake. Written with the cycle lock, each cycle of a burst: without the
     * fence of a volatile write, which would wait for all that the cycle wrote.
     */
    private final AtomicLong burstUntilNanos = new AtomicLong();
    /** Until when the loop's thread does not stand by, since it was needed. Loop thread. */
    private long neededUntilNanos;
    /** For how long it will be awake when it is needed again. Loop thread. */
    private long neededNanos = NEEDED_NANOS_MIN;
    /** How long it stands by next time. Loop thread. */
    private long sliceNanos = SLICE_NANOS_MIN;

    /**
     * Creates one of a loop's thread that is awake.
     *
     * @param isHelpAllowed whether threads that wait may run the loop; otherwise it never stands by for them
     */
    LoopSleep(Waiter waiter, boolean isHelpAllowed) {
        this.waiter = waiter;
        this.isHelpAllowed = isHelpAllowed;
    }

    // ---- helpers; any thread

    /** The calling thread polls from now on, until it leaves. */
    void enter() {
        helperCount.incrementAndGet();
    }

    /** The calling thread polls no more. */
    void leave() {
        if (helperCount.decrementAndGet() == 0) {
            isAbsent = true;
        }
    }

    /** {@return whether helpers have left since the last call, so that nobody ran the loop} With the cycle lock. */
    boolean takeAbsence() {
        if (isAbsent) {
            isAbsent = false;
            return isOwnerAway();
        }
        return false;
    }

    /** Nobody runs the loop any more but its own thread. */
    void refuseHelp() {
        isHelpAllowed = false;
        waiter.wake();
    }

    /** {@return whether the loop's thread sleeps or stands by} */
    boolean isOwnerAway() {
        return asleepUntilNanos != AWAKE;
    }

    /** {@return whether the loop's thread sleeps until a deadline that was right before} */
    boolean isAsleep() {
        return asleepUntilNanos >= 0;
    }

    /** {@return whether the loop's thread stands by for helpers of which none is left} */
    boolean isStandingByForNobody() {
        return asleepUntilNanos == STANDING_BY && helperCount.get() == 0;
    }

    /** {@return until when the loop's thread sleeps, or a negative number} */
    long asleepUntilNanos() {
        return asleepUntilNanos;
    }

    /** Takes note of a cycle's work. With the cycle lock. */
    void noteWork(int workCount, long nowNanos) {
        if (workCount >= BURST_WORK_MIN) {
            burstUntilNanos.setRelease(nowNanos + BURST_NANOS);
        }
    }

    // ---- the loop's thread

    /** The loop's thread is about to sleep until then. With the cycle lock. */
    void setAsleep(long untilNanos) {
        asleepUntilNanos = untilNanos;
    }

    void setAwake() {
        asleepUntilNanos = AWAKE;
    }

    void await(long nanos) {
        waiter.await(nanos);
    }

    /** {@return for how long the loop's thread may stand by, or 0 if it may not} */
    long standByNanos(long nowNanos) {
        boolean mayStandBy = helperCount.get() > 0
                && isHelpAllowed
                && nowNanos >= neededUntilNanos
                && nowNanos >= burstUntilNanos.getAcquire();
        return mayStandBy ? sliceNanos : 0;
    }

    /** Stands by for a slice. */
    void standBy(long nanos) {
        asleepUntilNanos = STANDING_BY;
        // Looked at after the line above: who leaves to sleep sees that, and wakes this thread.
        if (helperCount.get() > 0) {
            waiter.standBy(nanos);
        }
        asleepUntilNanos = AWAKE;
    }

    /**
     * Judges a slice that is over.
     *
     * @param wasWoken whether it ended early
     * @param startNanos when it began
     * @param cycleNanos when the latest cycle began, of whatever thread
     * @param nowNanos the time by the clock
     */
    void onStoodBy(boolean wasWoken, long startNanos, long cycleNanos, long nowNanos) {
        if (nowNanos - startNanos < WOKEN_BEFORE_NANOS) {
            // By what another thread had said before.
            return;
        }
        boolean isNeeded = wasWoken && helperCount.get() > 0;
        boolean isLate = nowNanos - cycleNanos >= ABSENT_NANOS;
        if (isNeeded) {
            neededUntilNanos = nowNanos + neededNanos;
            neededNanos = Math.min(NEEDED_NANOS_MAX, 2 * neededNanos);
        } else if (!isLate && sliceNanos == SLICE_NANOS_MAX) {
            neededNanos = NEEDED_NANOS_MIN;
        }
        // A helper that has lost its core gets it back sooner if this thread does not poll there.
        sliceNanos = isLate || isNeeded ? SLICE_NANOS_MIN : Math.min(SLICE_NANOS_MAX, 2 * sliceNanos);
    }
}
