package io.weir.transport.protocol;

import io.weir.pacer.CatchUp;
import io.weir.pacer.PauseBudget;
import io.weir.pacer.RateMath;
import io.weir.transport.time.PauseMeter;
import io.weir.transport.wire.PauseCode;

/**
 * The pauses of a host's driver, and what the host may do about them: one policy for everything that waits for time or
 * makes up for it.
 *
 * <ul>
 *   <li>Time-outs count only time in which the host ran: each is moved by {@link #totalNanos}.
 *   <li>Peers are told how long the pauses are ({@link #code}), and add that to what they wait for.
 *   <li>Links, meters and pacers make up for a pause as far as the {@link PauseBudget} reaches. So do credits that were
 *       too old.
 * </ul>
 *
 * <p>Owned by the host's thread; its flows read it. No allocation; O(1) per call, but for a percentile once in
 * {@value #REFRESH_NANOS} ns.
 */
public final class HostPauses {
    private static final long REFRESH_NANOS = 10_000_000L;
    private static final int ANNOUNCED_PERCENT = 99;

    /** What is shorter is made up for, and no peer need know of it. */
    public static final long ANNOUNCED_NANOS_MIN = 100_000L;

    private final PauseBudget budget;
    private final long linkRateBps;
    private final CatchUp catchUp;
    private final PauseMeter meter = new PauseMeter();
    /** All pauses together, in nanoseconds; only grows. */
    private long totalNanos;
    /** Bytes of data that may still leave for credits that are too old; added by pauses, at most the budget. */
    private long lateBytes;
    /** What peers are told, a {@link PauseCode} as of {@link #announcedAtNanos}. */
    private int code;
    /** When {@link #code} was computed. */
    private long announcedAtNanos = -REFRESH_NANOS;

    /** Creates the policy of a host that has not paused. */
    public HostPauses(PauseBudget budget, long linkRateBps, long catchUpNanos) {
        this.budget = budget;
        this.linkRateBps = linkRateBps;
        this.catchUp = new CatchUp(catchUpNanos);
    }

    /** The driver did not run the host for {@code pauseNanos}. */
    public void onPause(long pauseNanos, long nowNanos) {
        totalNanos += pauseNanos;
        if (pauseNanos >= ANNOUNCED_NANOS_MIN) {
            meter.record(pauseNanos, nowNanos);
            announcedAtNanos = nowNanos - REFRESH_NANOS;
        }
        long bytes = budget.makeUpBytes(pauseNanos, linkRateBps);
        lateBytes = Math.min(budget.bytes(), lateBytes + bytes);
        catchUp.onPause(RateMath.serializationNanosCeil(bytes, linkRateBps), nowNanos);
    }

    /** {@return whether data of so many link bytes may leave for a credit that is too old; then that is used up} */
    public boolean takeLate(int wireBytes) {
        if (lateBytes < wireBytes) {
            return false;
        }
        lateBytes -= wireBytes;
        return true;
    }

    /** {@return all pauses together: a time-out that was set at a smaller total is moved by the difference} */
    public long totalNanos() {
        return totalNanos;
    }

    /**
     * {@return how long peers should expect this host not to answer, as a {@link PauseCode}: the 99th percentile of its
     * latest pauses}
     */
    public int code(long nowNanos) {
        if (nowNanos - announcedAtNanos >= REFRESH_NANOS) {
            announcedAtNanos = nowNanos;
            code = PauseCode.of(meter.percentileNanos(ANNOUNCED_PERCENT, nowNanos));
        }
        return code;
    }

    /** {@return the lengths of its latest pauses} */
    public PauseMeter meter() {
        return meter;
    }

    /** {@return how far its pacers may make up for being polled late} */
    public CatchUp catchUp() {
        return catchUp;
    }

    /** {@return what it may add to queues} */
    public PauseBudget budget() {
        return budget;
    }
}
