package io.weir.transport.protocol.credit;

import io.weir.transport.node.ConfigException;

/**
 * How credits are asked for, given and kept, whatever rule sets their rate.
 *
 * @param stopNanos how long a sender without data waits before CREDIT_STOP
 * @param requestTimeoutNanos how long a sender waits for a credit before it asks again; doubles at each repetition
 * @param creditLifetimeNanos how long a credit that came may wait at the sender's own link before it expires
 * @param creditExpiryNanos how long a receiver waits for news of its credits, at least, before it gives them up
 * @param backlogLimited whether a receiver sends no more credits than the sender's backlog needs
 * @param standingCreditsMax how many idle flows of a host may hold one credit each for their first frame
 */
public record CreditConfig(
        long stopNanos,
        long requestTimeoutNanos,
        long creditLifetimeNanos,
        long creditExpiryNanos,
        boolean backlogLimited,
        int standingCreditsMax) {
    /** What is done when nothing is said. */
    public static final CreditConfig DEFAULT = new CreditConfig(100_000, 2_000_000, 1_000_000, 1_000_000, true, 8);

    /** Validates every parameter. */
    public CreditConfig {
        requirePositive("stopNanos", stopNanos);
        requirePositive("requestTimeoutNanos", requestTimeoutNanos);
        requirePositive("creditLifetimeNanos", creditLifetimeNanos);
        requirePositive("creditExpiryNanos", creditExpiryNanos);
        if (standingCreditsMax < 0) {
            throw new ConfigException("standingCreditsMax=" + standingCreditsMax + " must not be negative");
        }
    }

    /** {@return the same, but with another bound on credits for a backlog and for idle flows} */
    public CreditConfig withCredits(boolean newBacklogLimited, int newStandingCreditsMax) {
        return new CreditConfig(
                stopNanos,
                requestTimeoutNanos,
                creditLifetimeNanos,
                creditExpiryNanos,
                newBacklogLimited,
                newStandingCreditsMax);
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new ConfigException(name + "=" + value + " must be positive");
        }
    }
}
