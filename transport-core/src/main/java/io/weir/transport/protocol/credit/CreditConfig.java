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
 * @param standingBytesMax what first frames of idle flows, which hold a credit each, may add to the queue at the last
 *     hop; 0 for no such credits
 */
public record CreditConfig(
        long stopNanos,
        long requestTimeoutNanos,
        long creditLifetimeNanos,
        long creditExpiryNanos,
        boolean backlogLimited,
        long standingBytesMax) {
    /** The defaults. */
    public static final CreditConfig DEFAULT =
            new CreditConfig(100_000, 2_000_000, 1_000_000, 1_000_000, true, 8 * 1_538);

    public CreditConfig {
        requirePositive("stopNanos", stopNanos);
        requirePositive("requestTimeoutNanos", requestTimeoutNanos);
        requirePositive("creditLifetimeNanos", creditLifetimeNanos);
        requirePositive("creditExpiryNanos", creditExpiryNanos);
        if (standingBytesMax < 0) {
            throw new ConfigException("standingBytesMax=" + standingBytesMax + " must not be negative");
        }
    }

    /** {@return the same with another wait before CREDIT_STOP} */
    public CreditConfig withStopNanos(long newStopNanos) {
        return new CreditConfig(
                newStopNanos,
                requestTimeoutNanos,
                creditLifetimeNanos,
                creditExpiryNanos,
                backlogLimited,
                standingBytesMax);
    }

    /** {@return the same with another wait before a request is repeated} */
    public CreditConfig withRequestTimeoutNanos(long newRequestTimeoutNanos) {
        return new CreditConfig(
                stopNanos,
                newRequestTimeoutNanos,
                creditLifetimeNanos,
                creditExpiryNanos,
                backlogLimited,
                standingBytesMax);
    }

    /** {@return the same with another lifetime of credits at the sender} */
    public CreditConfig withCreditLifetimeNanos(long newCreditLifetimeNanos) {
        return new CreditConfig(
                stopNanos,
                requestTimeoutNanos,
                newCreditLifetimeNanos,
                creditExpiryNanos,
                backlogLimited,
                standingBytesMax);
    }

    /** {@return the same with another expiry of credits at the receiver} */
    public CreditConfig withCreditExpiryNanos(long newCreditExpiryNanos) {
        return new CreditConfig(
                stopNanos,
                requestTimeoutNanos,
                creditLifetimeNanos,
                newCreditExpiryNanos,
                backlogLimited,
                standingBytesMax);
    }

    /** {@return the same with another choice of whether credits follow the backlog} */
    public CreditConfig withBacklogLimited(boolean newBacklogLimited) {
        return new CreditConfig(
                stopNanos,
                requestTimeoutNanos,
                creditLifetimeNanos,
                creditExpiryNanos,
                newBacklogLimited,
                standingBytesMax);
    }

    /** {@return the same with another bound on what standing credits add to queues} */
    public CreditConfig withStandingBytesMax(long newStandingBytesMax) {
        return new CreditConfig(
                stopNanos,
                requestTimeoutNanos,
                creditLifetimeNanos,
                creditExpiryNanos,
                backlogLimited,
                newStandingBytesMax);
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new ConfigException(name + "=" + value + " must be positive");
        }
    }
}
