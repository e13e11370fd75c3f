package io.weir.nic.xdp;

/**
 * Tells from the times between polls whether another thread takes the polling thread's core: one that computes, or the
 * other end of a link on the same machine. A poll that found nothing is followed by the next one within microseconds,
 * unless the core went to somebody else meanwhile. While the queue is quiet the thread may sleep, and a gap tells
 * nothing.
 *
 * <p>Lost time adds up, and all time wears it off at a quarter of its speed. Compilers take as much as a computing
 * thread while a connection is young, but not for as long.
 *
 * <p>One owner; a few additions per poll, no allocation.
 */
final class PollGaps {
    /** Lost time from which on the core counts as shared, until all of it has worn off. */
    static final long SHARED_NANOS = 250_000_000;
    /** The most that adds up: then the core counts as shared for 1.2 s after the last loss. */
    static final long LOST_NANOS_MAX = 300_000_000;
    /** A gap after a poll that found nothing; with nobody else on the core it takes two or three microseconds. */
    static final long IDLE_GAP_NANOS_MIN = 20_000;
    /** A gap after a poll that found frames, whose handlers may take a while. */
    static final long BUSY_GAP_NANOS_MIN = 500_000;
    /** Without a frame for so long a queue is quiet: before loops sleep, which they do after 100 us. */
    static final long QUIET_NANOS = 50_000;

    private static final int WEAR = 4;

    /** When the latest poll was; written by each. */
    private long pollNanos;
    /** When the latest poll that found frames was; at most pollNanos. */
    private long frameNanos;
    /** Lost time that has not worn off, from 0 to LOST_NANOS_MAX, as of pollNanos. */
    private long lostNanos;
    /** Whether the core counts as shared; written by each poll. */
    private boolean isShared;

    /** A poll found frames or nothing. */
    void onPoll(boolean isEmpty, long nowNanos) {
        long gapNanos = nowNanos - pollNanos;
        boolean foundNothing = pollNanos > frameNanos;
        if (!isQuiet() && gapNanos >= (foundNothing ? IDLE_GAP_NANOS_MIN : BUSY_GAP_NANOS_MIN)) {
            lostNanos = Math.min(LOST_NANOS_MAX, lostNanos + gapNanos);
        }
        lostNanos = Math.max(0, lostNanos - gapNanos / WEAR);
        isShared = isShared ? lostNanos > 0 : lostNanos >= SHARED_NANOS;
        pollNanos = nowNanos;
        frameNanos = isEmpty ? frameNanos : nowNanos;
    }

    /** {@return whether no frame has come for a while, as of the latest poll} */
    boolean isQuiet() {
        return pollNanos - frameNanos >= QUIET_NANOS;
    }

    /** {@return whether another thread takes much of the core, as far as the polls until now tell} */
    boolean isCoreShared() {
        return isShared;
    }
}
