package io.weir.transport.protocol.expresspass;

import io.weir.pacer.CreditShape;

/**
 * Every parameter of ExpressPass. Start from a preset and change what differs.
 *
 * @param preset the name under which results report these parameters
 * @param feedback the rule that turns credit loss into the next rate
 * @param targetLossFraction credit loss that the rule aims for (section 3.3: 0.1)
 * @param initialRateFraction alpha: the first rate as a fraction of the highest (section 3.3)
 * @param aggressivenessInitial w_init of Algorithm 1
 * @param aggressivenessMin w_min of Algorithm 1 (section 3.2: 0.01)
 * @param aggressivenessMax w_max of Algorithm 1 (0.5)
 * @param creditWireBytesMin the shortest credit (section 3.1: 84)
 * @param creditWireBytesMax the longest credit (section 3.1: 92)
 * @param jitterPpm random jitter of the gap between credits, in parts per million (section 3.1, Figure 6)
 * @param stopNanos how long a sender without data waits before CREDIT_STOP (section 3.1, "a small timeout period")
 * @param requestTimeoutNanos how long a sender waits for a credit before it asks again; doubles at each repetition
 * @param creditLifetimeNanos how long a credit that came may wait at the sender's own link before it expires
 * @param creditExpiryNanos how long a receiver waits for news of its credits, at least, before it gives them up
 * @param backlogLimited whether a receiver sends no more credits than the sender's backlog needs
 * @param standingCreditsMax how many idle flows of a host may hold one credit each for their first frame
 */
public record ExpressPassConfig(
        String preset,
        Feedback feedback,
        double targetLossFraction,
        double initialRateFraction,
        double aggressivenessInitial,
        double aggressivenessMin,
        double aggressivenessMax,
        int creditWireBytesMin,
        int creditWireBytesMax,
        int jitterPpm,
        long stopNanos,
        long requestTimeoutNanos,
        long creditLifetimeNanos,
        long creditExpiryNanos,
        boolean backlogLimited,
        int standingCreditsMax) {

    /** The rules that turn credit loss into the next rate. */
    public enum Feedback {
        /** Algorithm 1 to the letter. */
        ALGORITHM_1,
        /** The rule of the authors' released simulator. */
        AUTHORS,
        /** Algorithm 1, holding against a rate only losses of credits that were sent at it. */
        WEIR,
        /** No feedback: credits at the highest rate (section 2, "naive"). */
        NAIVE
    }

    /** Validates every parameter. */
    public ExpressPassConfig {
        requireFraction("targetLossFraction", targetLossFraction);
        requireFraction("initialRateFraction", initialRateFraction);
        requireFraction("aggressivenessInitial", aggressivenessInitial);
        requireFraction("aggressivenessMin", aggressivenessMin);
        requireFraction("aggressivenessMax", aggressivenessMax);
        if (aggressivenessMin > aggressivenessMax) {
            throw new IllegalArgumentException("aggressivenessMin=" + aggressivenessMin + " exceeds aggressivenessMax="
                    + aggressivenessMax + "; lower the one or raise the other");
        }
        if (standingCreditsMax < 0) {
            throw new IllegalArgumentException("standingCreditsMax=" + standingCreditsMax + " must not be negative");
        }
        requirePositive("stopNanos", stopNanos);
        requirePositive("requestTimeoutNanos", requestTimeoutNanos);
        requirePositive("creditLifetimeNanos", creditLifetimeNanos);
        requirePositive("creditExpiryNanos", creditExpiryNanos);
    }

    /** {@return the default: utilisation of the better of the two others, at its fairness; see the protocol's page} */
    public static ExpressPassConfig weir() {
        return new Builder().build();
    }

    /** {@return the paper to the letter: Algorithm 1, section 3.3 and 6.1's micro-benchmark parameters} */
    public static ExpressPassConfig paper() {
        return new Builder()
                .preset("paper")
                .feedback(Feedback.ALGORITHM_1)
                .jitterPpm(80_000)
                .backlogLimited(false)
                .standingCreditsMax(0)
                .build();
    }

    /** {@return the authors' released simulator: its rule, 84 B credits, jitter of 10 %, stop without delay} */
    public static ExpressPassConfig authors() {
        return new Builder()
                .preset("authors")
                .feedback(Feedback.AUTHORS)
                .targetLossFraction(0.125)
                .creditWireBytes(84, 84)
                .stopNanos(1)
                .backlogLimited(false)
                .standingCreditsMax(0)
                .build();
    }

    /** {@return credits at the highest rate and no feedback (section 2)} */
    public static ExpressPassConfig naive() {
        return new Builder()
                .preset("naive")
                .feedback(Feedback.NAIVE)
                .initialRateFraction(1)
                .backlogLimited(false)
                .standingCreditsMax(0)
                .build();
    }

    /** {@return what the flow's credits look like to a link whose longest frame is {@code dataWireBytesMax}} */
    public CreditShape creditShape(int dataWireBytesMax) {
        return new CreditShape(creditWireBytesMin, creditWireBytesMax, jitterPpm, dataWireBytesMax);
    }

    /** {@return a builder that starts from these parameters} */
    public Builder toBuilder() {
        return new Builder(this);
    }

    private static void requireFraction(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + "=" + value + " is outside 0..1");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + "=" + value + " must be positive");
        }
    }

    /** Collects parameters; what is not set is the default preset's. */
    public static final class Builder {
        private String preset = "weir";
        private Feedback feedback = Feedback.WEIR;
        private double targetLossFraction = 0.1;
        private double initialRateFraction = 0.5;
        private double aggressivenessInitial = 0.5;
        private double aggressivenessMin = 0.01;
        private double aggressivenessMax = 0.5;
        private int creditWireBytesMin = 84;
        private int creditWireBytesMax = 92;
        private int jitterPpm = 100_000;
        private long stopNanos = 100_000;
        private long requestTimeoutNanos = 2_000_000;
        private long creditLifetimeNanos = 1_000_000;
        private long creditExpiryNanos = 1_000_000;
        private boolean backlogLimited = true;
        private int standingCreditsMax = 8;

        /** Starts from the default preset. */
        public Builder() {}

        private Builder(ExpressPassConfig from) {
            preset = from.preset;
            feedback = from.feedback;
            targetLossFraction = from.targetLossFraction;
            initialRateFraction = from.initialRateFraction;
            aggressivenessInitial = from.aggressivenessInitial;
            aggressivenessMin = from.aggressivenessMin;
            aggressivenessMax = from.aggressivenessMax;
            creditWireBytesMin = from.creditWireBytesMin;
            creditWireBytesMax = from.creditWireBytesMax;
            jitterPpm = from.jitterPpm;
            stopNanos = from.stopNanos;
            requestTimeoutNanos = from.requestTimeoutNanos;
            creditLifetimeNanos = from.creditLifetimeNanos;
            creditExpiryNanos = from.creditExpiryNanos;
            backlogLimited = from.backlogLimited;
            standingCreditsMax = from.standingCreditsMax;
        }

        /** Sets the name under which results report the parameters. */
        public Builder preset(String value) {
            preset = value;
            return this;
        }

        /** Sets the rule that turns credit loss into the next rate. */
        public Builder feedback(Feedback value) {
            feedback = value;
            return this;
        }

        /** Sets the credit loss that the rule aims for. */
        public Builder targetLossFraction(double value) {
            targetLossFraction = value;
            return this;
        }

        /** Sets alpha. */
        public Builder initialRateFraction(double value) {
            initialRateFraction = value;
            return this;
        }

        /** Sets w_init. */
        public Builder aggressivenessInitial(double value) {
            aggressivenessInitial = value;
            return this;
        }

        /** Sets w_min and w_max. */
        public Builder aggressiveness(double min, double max) {
            aggressivenessMin = min;
            aggressivenessMax = max;
            return this;
        }

        /** Sets the range from which credit sizes are drawn. */
        public Builder creditWireBytes(int min, int max) {
            creditWireBytesMin = min;
            creditWireBytesMax = max;
            return this;
        }

        /** Sets the jitter of the gap between credits. */
        public Builder jitterPpm(int value) {
            jitterPpm = value;
            return this;
        }

        /** Sets the small time-out before CREDIT_STOP. */
        public Builder stopNanos(long value) {
            stopNanos = value;
            return this;
        }

        /** Sets how long a sender waits for a credit before it asks again. */
        public Builder requestTimeoutNanos(long value) {
            requestTimeoutNanos = value;
            return this;
        }

        /** Sets how long a credit may wait at the sender's own link. */
        public Builder creditLifetimeNanos(long value) {
            creditLifetimeNanos = value;
            return this;
        }

        /** Sets how long a receiver waits for news of its credits. */
        public Builder creditExpiryNanos(long value) {
            creditExpiryNanos = value;
            return this;
        }

        /** Sets whether credits stop where the backlog does. */
        public Builder backlogLimited(boolean value) {
            backlogLimited = value;
            return this;
        }

        /** Sets how many idle flows of a host may hold a credit. */
        public Builder standingCreditsMax(int value) {
            standingCreditsMax = value;
            return this;
        }

        /** {@return the parameters} */
        public ExpressPassConfig build() {
            return new ExpressPassConfig(
                    preset,
                    feedback,
                    targetLossFraction,
                    initialRateFraction,
                    aggressivenessInitial,
                    aggressivenessMin,
                    aggressivenessMax,
                    creditWireBytesMin,
                    creditWireBytesMax,
                    jitterPpm,
                    stopNanos,
                    requestTimeoutNanos,
                    creditLifetimeNanos,
                    creditExpiryNanos,
                    backlogLimited,
                    standingCreditsMax);
        }
    }
}
