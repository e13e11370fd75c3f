package io.weir.transport.scenario;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.Slack;
import io.weir.transport.node.ConfigException;

/**
 * That a host's or switch's loop loses its core at times, and what it does about it.
 *
 * @param trace when it loses its core; where in the trace a Node begins follows from the scenario's seed
 * @param ringFrames frames that wait for the loop at each port; what comes then is lost
 * @param workNanos the loop's time for each frame that it receives or sends, during which others wait in the ring
 * @param catchUpNanos how far pacers and links that are polled late catch up, after a pause as at any time
 * @param budgetBytes what a host, or each port of a switch, may add to queues on the path by making up for a pause
 */
public record Pauses(PauseTrace trace, int ringFrames, long workNanos, long catchUpNanos, long budgetBytes) {
    /** As many frames as a receive ring of AF_XDP has by default. */
    public static final int RING_FRAMES = 2048;

    /** The loop is prompt, and has time enough. */
    public static final Pauses NONE = new Pauses(PauseTrace.NONE, RING_FRAMES, 0, 0, 0);

    /** The most frames of a ring. */
    public static final int RING_FRAMES_MAX = 1 << 16;

    private static final long WORK_NANOS_MAX = 1_000_000;
    private static final long BUDGET_BYTES_MAX = 100_000_000;
    private static final long CATCH_UP_NANOS_MAX = 1_000_000_000;

    public Pauses {
        if (ringFrames < 1 || ringFrames > RING_FRAMES_MAX) {
            throw new ConfigException("a ring of " + ringFrames + " frames is outside 1.." + RING_FRAMES_MAX
                    + "; rings of devices have 256 to 4096");
        }
        if (workNanos < 0 || workNanos > WORK_NANOS_MAX) {
            throw new ConfigException(
                    "work of " + workNanos + " ns per frame is outside 0.." + WORK_NANOS_MAX + "; write 1ms or less");
        }
        if (catchUpNanos < 0 || catchUpNanos > CATCH_UP_NANOS_MAX) {
            throw new ConfigException("catching up by " + catchUpNanos + " ns is outside 0.." + CATCH_UP_NANOS_MAX
                    + "; write 1s or less");
        }
        if (budgetBytes < 0 || budgetBytes > BUDGET_BYTES_MAX) {
            throw new ConfigException("a pause budget of " + budgetBytes + " B is outside 0.." + BUDGET_BYTES_MAX
                    + "; a port's buffer is the most that is useful");
        }
    }

    /** {@return pauses of this trace, with rings and catching up as on real ports} */
    public static Pauses of(PauseTrace trace) {
        return NONE.withTrace(trace)
                .withCatchUpNanos(Slack.LIVE.catchUpNanos())
                .withBudgetBytes(PauseBudget.DEFAULT.bytes());
    }

    /** {@return the same with another trace} */
    public Pauses withTrace(PauseTrace newTrace) {
        return new Pauses(newTrace, ringFrames, workNanos, catchUpNanos, budgetBytes);
    }

    /** {@return the same with another number of frames in each ring} */
    public Pauses withRingFrames(int newRingFrames) {
        return new Pauses(trace, newRingFrames, workNanos, catchUpNanos, budgetBytes);
    }

    /** {@return the same with another time for each frame} */
    public Pauses withWorkNanos(long newWorkNanos) {
        return new Pauses(trace, ringFrames, newWorkNanos, catchUpNanos, budgetBytes);
    }

    /** {@return the same that catch up by another time} */
    public Pauses withCatchUpNanos(long newCatchUpNanos) {
        return new Pauses(trace, ringFrames, workNanos, newCatchUpNanos, budgetBytes);
    }

    /** {@return the same with another budget} */
    public Pauses withBudgetBytes(long newBudgetBytes) {
        return new Pauses(trace, ringFrames, workNanos, catchUpNanos, newBudgetBytes);
    }

    /** {@return what the Node may do about its pauses} */
    public PauseBudget budget() {
        return PauseBudget.DEFAULT.withBytes(budgetBytes);
    }

    /** {@return whether the loop is as prompt as the simulator} */
    public boolean isNone() {
        return equals(NONE);
    }
}
