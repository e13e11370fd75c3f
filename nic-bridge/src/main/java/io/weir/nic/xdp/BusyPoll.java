package io.weir.nic.xdp;

import io.weir.transport.node.ConfigException;
import java.util.Objects;

/**
 * Lets the owning thread run the device's receive work itself when it polls, instead of an interrupt on some other
 * core, or the thread that sends. Costs one system call for each poll that finds nothing.
 *
 * @param when whether the thread does so
 * @param microseconds how long a poll may look at the device
 * @param budgetFrames how many frames one round of the work may take; a poll is two rounds at most
 */
public record BusyPoll(When when, int microseconds, int budgetFrames) {
    /** The default. */
    public static final BusyPoll DEFAULT = new BusyPoll(When.BULK, 20, 8);
    /** No busy polling: the kernel delivers by itself. */
    public static final BusyPoll OFF = new BusyPoll(When.NEVER, 0, 0);

    private static final int MICROSECONDS_MAX = 1000;
    private static final int BUDGET_FRAMES_MAX = 65_535;

    /** Whether the owning thread runs the receive work. */
    public enum When {
        /** The kernel always does. */
        NEVER,
        /**
         * In bulk, on a core that no other thread shares, on a veth with one queue, an MTU up to 1500 and the program
         * in its driver; elsewhere never.
         */
        BULK,
        /** Always, on the AF_XDP socket: for drivers that do without copies. */
        ALWAYS
    }

    public BusyPoll {
        Objects.requireNonNull(when, "when");
        boolean isOn = when != When.NEVER;
        if (microseconds < (isOn ? 1 : 0) || microseconds > MICROSECONDS_MAX) {
            throw new ConfigException("busyPoll.microseconds=" + microseconds + " must be 1.." + MICROSECONDS_MAX);
        }
        if (budgetFrames < (isOn ? 1 : 0) || budgetFrames > BUDGET_FRAMES_MAX) {
            throw new ConfigException("busyPoll.budgetFrames=" + budgetFrames + " must be 1.." + BUDGET_FRAMES_MAX);
        }
    }

    /** {@return busy polling on the AF_XDP socket itself, always} */
    public static BusyPoll always(int microseconds, int budgetFrames) {
        return new BusyPoll(When.ALWAYS, microseconds, budgetFrames);
    }

    boolean isAlways() {
        return when == When.ALWAYS;
    }
}
