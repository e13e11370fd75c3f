package io.weir.cli.lab;

import java.util.function.LongSupplier;

/**
 * A laboratory's time. Its hosts, switches and links are all moved by one loop: while that is away, nothing in the
 * laboratory moves, and so its time may stand still, too. A stall then does not affect results. By the
 * machine's clock, every link would have been idle and every time-out of a host would have run.
 *
 * <p>What is not moved by the loop, as the kernel's TCP, has the machine's time; next to such traffic the laboratory
 * must have it as well.
 */
final class LabClock implements LongSupplier {
    /**
     * No step of the loop counts for more: a third of a full frame's time at 200 Mbps. So slow code makes the
     * laboratory slow, and not its network.
     */
    static final long STEP_NANOS_MAX = 20_000;

    private final boolean standsStill;
    private final LongSupplier machine;
    private long machineNanos;
    private long nanos;
    private long awayNanos;
    private long awayCount;

    /**
     * Starts at 0.
     *
     * @param standsStill whether time stands still while the loop is away
     * @param machine the machine's time
     */
    LabClock(boolean standsStill, LongSupplier machine) {
        this.standsStill = standsStill;
        this.machine = machine;
        this.machineNanos = machine.getAsLong();
    }

    /** {@return the time, in nanoseconds; to be asked by the loop's thread, in every cycle} */
    @Override
    public long getAsLong() {
        long nowNanos = machine.getAsLong();
        long stepNanos = nowNanos - machineNanos;
        machineNanos = nowNanos;
        long lateNanos = Math.max(0, stepNanos - STEP_NANOS_MAX);
        if (lateNanos > 0) {
            awayNanos += lateNanos;
            awayCount++;
        }
        nanos += standsStill ? stepNanos - lateNanos : stepNanos;
        return nanos;
    }

    /** {@return whether it stands still while the loop is away} */
    boolean standsStill() {
        return standsStill;
    }

    /** {@return how long the loop was away beyond {@link #STEP_NANOS_MAX}, all times together} */
    long awayNanos() {
        return awayNanos;
    }

    /** {@return how often} */
    long awayCount() {
        return awayCount;
    }
}
