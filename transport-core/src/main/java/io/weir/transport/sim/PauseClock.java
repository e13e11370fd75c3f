package io.weir.transport.sim;

import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.time.Deadline;

/**
 * When a loop loses its core, by a recorded trace that is played in a cycle. It stands at one pause, the present one or
 * the next, and moves on when it is told. Pauses of length 0 are left out. Allocates nothing once it is made.
 */
final class PauseClock {
    private final long[] awakeNanos;
    private final long[] pausedNanos;
    private final boolean isSilent;
    /** The span of the trace whose pause comes after the present one. */
    private int next;

    private long startNanos = Deadline.NO_DEADLINE;
    private long endNanos = Deadline.NO_DEADLINE;

    /**
     * Creates a clock whose time 0 is {@code phaseNanos} into the trace's cycle. A pause that goes on there begins at
     * 0.
     */
    PauseClock(PauseTrace trace, long phaseNanos) {
        awakeNanos =
                trace.spans().stream().mapToLong(PauseTrace.Span::awakeNanos).toArray();
        pausedNanos =
                trace.spans().stream().mapToLong(PauseTrace.Span::pausedNanos).toArray();
        isSilent = trace.pausedNanos() == 0;
        if (!isSilent) {
            endNanos = -phaseNanos;
            while (endNanos <= 0) {
                advance();
            }
            startNanos = Math.max(0, startNanos);
        }
    }

    /** {@return when the present or next pause begins, or NO_DEADLINE} */
    long startNanos() {
        return startNanos;
    }

    /** {@return when the loop runs again, or NO_DEADLINE} */
    long endNanos() {
        return endNanos;
    }

    /** Goes on to the pause after this one. */
    void advance() {
        if (isSilent) {
            return;
        }
        startNanos = endNanos;
        long length = 0;
        while (length == 0) {
            startNanos += awakeNanos[next];
            length = pausedNanos[next];
            next = next + 1 == awakeNanos.length ? 0 : next + 1;
        }
        endNanos = startNanos + length;
    }
}
