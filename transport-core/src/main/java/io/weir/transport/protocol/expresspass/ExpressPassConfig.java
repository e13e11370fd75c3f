package io.weir.transport.protocol.expresspass;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.credit.CreditConfig;

/**
 * Every parameter of ExpressPass. Start from a preset and change what differs.
 *
 * @param preset the name under which results report these parameters
 * @param feedback the rule that turns credit loss into the next rate
 * @param initialRateFraction alpha: the first rate as a fraction of the highest (section 3.3)
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
        FeedbackConfig feedback,
        double initialRateFraction,
        int creditWireBytesMin,
        int creditWireBytesMax,
        int jitterPpm,
        long stopNanos,
        long requestTimeoutNanos,
        long creditLifetimeNanos,
        long creditExpiryNanos,
        boolean backlogLimited,
        int standingCreditsMax)
        implements ProtocolConfig {

    /** Any frame size, to validate the credits with. */
    private static final int DATA_WIRE_BYTES = 1538;

    /** Validates every parameter. */
    public ExpressPassConfig {
        requireFraction("initialRateFraction", initialRateFraction);
        new CreditShape(creditWireBytesMin, creditWireBytesMax, jitterPpm, DATA_WIRE_BYTES);
        new CreditConfig(
                stopNanos,
                requestTimeoutNanos,
                creditLifetimeNanos,
                creditExpiryNanos,
                backlogLimited,
                standingCreditsMax);
    }

    @Override
    public boolean waitsForMeter() {
        return feedback instanceof FeedbackConfig.LossPrice;
    }

    @Override
    public ProtocolId id() {
        return ExpressPass.ID;
    }

    @Override
    public ProtocolFactory newFactory(SeededRandom random) {
        return new ExpressPass(this, random);
    }

    /** {@return the default: utilisation of the better of the two others, at its fairness; see the protocol's page} */
    public static ExpressPassConfig weir() {
        return new Builder().build();
    }

    /** {@return the paper to the letter: Algorithm 1, section 3.3 and 6.1's micro-benchmark parameters} */
    public static ExpressPassConfig paper() {
        return new Builder()
                .preset("paper")
                .feedback(new FeedbackConfig.Algorithm1(0.1, 0.5, 0.01, 0.5, false))
                .initialRateFraction(0.5)
                .jitterPpm(80_000)
                .backlogLimited(false)
                .standingCreditsMax(0)
                .build();
    }

    /** {@return the authors' released simulator: its rule, 84 B credits, jitter of 10 %, stop without delay} */
    public static ExpressPassConfig authors() {
        return new Builder()
                .preset("authors")
                .feedback(new FeedbackConfig.Authors(0.125, 0.5, 0.01, 0.5, 0.05))
                .initialRateFraction(0.5)
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
                .feedback(new FeedbackConfig.Naive())
                .backlogLimited(false)
                .standingCreditsMax(0)
                .build();
    }

    /** {@return what the flow's credits look like to a link whose longest frame is {@code dataWireBytesMax}} */
    public CreditShape creditShape(int dataWireBytesMax) {
        return new CreditShape(creditWireBytesMin, creditWireBytesMax, jitterPpm, dataWireBytesMax);
    }

    CreditConfig credits() {
        return new CreditConfig(
                stopNanos,
                requestTimeoutNanos,
                creditLifetimeNanos,
                creditExpiryNanos,
                backlogLimited,
                standingCreditsMax);
    }

    /** {@return a builder that starts from these parameters} */
    public Builder toBuilder() {
        return new Builder(this);
    }

    private static void requireFraction(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new ConfigException(name + "=" + value + " is outside 0..1");
        }
    }

    /** Collects parameters; what is not set is the default preset's. */
    public static final class Builder {
        private String preset = "weir";
        private FeedbackConfig feedback = new FeedbackConfig.LossPrice(0.1, 2, 28, 0.022, 24);
        private double initialRateFraction = 1;
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
            initialRateFraction = from.initialRateFraction;
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
        public Builder feedback(FeedbackConfig value) {
            feedback = value;
            return this;
        }

        /** Sets alpha. */
        public Builder initialRateFraction(double value) {
            initialRateFraction = value;
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
                    initialRateFraction,
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
