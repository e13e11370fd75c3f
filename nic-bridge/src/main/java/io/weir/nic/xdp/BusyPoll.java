package io.weir.nic.xdp;

import io.weir.transport.node.ConfigException;

/**
 * Lets the owning thread run the device's receive work itself when it polls, instead of an interrupt on some other
 * core. Costs one system call for each poll that finds nothing.
 *
 * @param microseconds how long a poll may look at the device; 0 turns busy polling off
 * @param budgetFrames how many frames one poll may process
 */
public record BusyPoll(int microseconds, int budgetFrames) {
    /** No busy polling: the kernel delivers by itself. */
    public static final BusyPoll OFF = new BusyPoll(0, 0);

    private static final int MICROSECONDS_MAX = 1000;
    private static final int BUDGET_FRAMES_MAX = 65_535;

    /** Checks the values. */
    public BusyPoll {
        if (microseconds < 0 || microseconds > MICROSECONDS_MAX) {
            throw new ConfigException("busyPoll.microseconds=" + microseconds + " must be 0.." + MICROSECONDS_MAX);
        }
        if (budgetFrames < 0 || budgetFrames > BUDGET_FRAMES_MAX || (microseconds > 0 && budgetFrames == 0)) {
            throw new ConfigException("busyPoll.budgetFrames=" + budgetFrames + " must be 1.." + BUDGET_FRAMES_MAX);
        }
    }

    /** {@return whether busy polling is asked for} */
    public boolean isOn() {
        return microseconds > 0;
    }
}
