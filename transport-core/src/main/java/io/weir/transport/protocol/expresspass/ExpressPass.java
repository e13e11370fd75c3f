package io.weir.transport.protocol.expresspass;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.CreditConfig;
import io.weir.transport.protocol.credit.CreditProtocol;
import java.util.List;

/** ExpressPass: its parameters, presets and how one host's instance is made of them. */
public final class ExpressPass {
    /** The rule that turns credit loss into the next rate. */
    public enum Rule {
        /** The paper's Algorithm 1. */
        ALGORITHM1,
        /** That of the authors' simulator. */
        AUTHORS,
        /** Weir's own. */
        LOSS_PRICE,
        /** None: credits at the highest rate (section 2). */
        NAIVE
    }

    /** Which rule. */
    public static final Parameter<Rule> FEEDBACK =
            Parameter.choice("feedback", Rule.LOSS_PRICE, "the rule that turns credit loss into the next rate");
    /** Alpha. */
    public static final Parameter<Double> ALPHA =
            Parameter.fraction("alpha", 1, 1, "alpha, the first rate as a share of the highest (section 3.3)");
    /** The shortest credit. */
    public static final Parameter<Long> SMALLEST = Parameter.bytes(
                    "smallest", 84, "the shortest credit (section 3.1: 84 B)")
            .within(84, 1_538);
    /** The longest credit. */
    public static final Parameter<Long> LARGEST = Parameter.bytes(
                    "largest", 92, "the longest credit (section 3.1: 92 B)")
            .within(84, 1_538);
    /** Jitter. */
    public static final Parameter<Double> JITTER =
            Parameter.fraction("jitter", 0.1, 0.5, "random jitter of the gap between credits (section 3.1, Figure 6)");
    /** The small time-out before CREDIT_STOP. */
    public static final Parameter<Long> STOP =
            Parameter.nanos("stop", 100_000, "how long a sender without data waits before CREDIT_STOP (section 3.1)");
    /** When a sender asks for credits again. */
    public static final Parameter<Long> REQUEST_TIMEOUT = Parameter.nanos(
            "requestTimeout",
            2_000_000,
            "how long a sender waits for a credit before it asks again; doubles each time");
    /** How long a credit may wait at the sender's own link. */
    public static final Parameter<Long> CREDIT_LIFETIME = Parameter.nanos(
            "creditLifetime", 1_000_000, "how long a credit may wait at the sender's link before it expires");
    /** How long a receiver waits for news of its credits. */
    public static final Parameter<Long> CREDIT_EXPIRY =
            Parameter.nanos("creditExpiry", 1_000_000, "the shortest time after which a receiver gives up its credits");
    /** Whether credits end where the backlog does. */
    public static final Parameter<Boolean> BACKLOG_LIMITED =
            Parameter.flag("backlogLimited", true, "no more credits than the sender's backlog needs");
    /** Credits of idle flows. */
    public static final Parameter<Long> STANDING_BYTES = Parameter.bytes(
                    "standingBytes",
                    12_304,
                    "what first frames of idle flows, which hold a credit each, may add to the queue at the last hop; 0"
                            + " for no such credits")
            .within(0, 100_000_000);
    /** The loss up to which the rate rises. */
    public static final Parameter<Double> TARGET_LOSS = Parameter.fraction(
                    "targetLoss", 0.1, 1, "the loss up to which the rate rises (section 3.3: 0.1)")
            .onlyWith(FEEDBACK, Rule.ALGORITHM1, Rule.AUTHORS);
    /** The first weight. */
    public static final Parameter<Double> W_INIT = Parameter.fraction("wInit", 0.5, 1, "w_init, the first weight")
            .onlyWith(FEEDBACK, Rule.ALGORITHM1, Rule.AUTHORS);
    /** The least weight. */
    public static final Parameter<Double> W_MIN = Parameter.fraction(
                    "wMin", 0.01, 1, "w_min, the least weight (section 3.2: 0.01)")
            .onlyWith(FEEDBACK, Rule.ALGORITHM1, Rule.AUTHORS);
    /** The largest weight. */
    public static final Parameter<Double> W_MAX = Parameter.fraction("wMax", 0.5, 1, "w_max, the largest weight (0.5)")
            .onlyWith(FEEDBACK, Rule.ALGORITHM1, Rule.AUTHORS);
    /** By how much the weight rises. */
    public static final Parameter<Double> W_STEP = Parameter.fraction(
                    "wStep", 0.05, 1, "by how much w rises (the authors' code: 0.05)")
            .onlyWith(FEEDBACK, Rule.AUTHORS);
    /** Which losses count. */
    public static final Parameter<Boolean> CURRENT_RATE_ONLY = Parameter.flag(
                    "currentRateOnly",
                    false,
                    "only losses of credits sent since the rate changed count; not the letter")
            .onlyWith(FEEDBACK, Rule.ALGORITHM1);
    /** How far the rate may exceed what the link passes. */
    public static final Parameter<Double> OVERSHOOT = Parameter.fraction(
                    "overshoot", 0.1, 1, "how far the rate may exceed what the link passes when nothing is lost")
            .onlyWith(FEEDBACK, Rule.LOSS_PRICE);
    /** The power of the delivered share. */
    public static final Parameter<Long> SENSITIVITY = Parameter.count(
                    "sensitivity", 2, 1, 16, "higher loses fewer credits with many flows, and is less fair")
            .onlyWith(FEEDBACK, Rule.LOSS_PRICE);
    /** How steeply the first losses count. */
    public static final Parameter<Long> STEEPNESS = Parameter.count(
                    "steepness", 28, 0, 100, "higher loses fewer credits with few flows or several bottlenecks")
            .onlyWith(FEEDBACK, Rule.LOSS_PRICE);
    /** The weight of a round trip. */
    public static final Parameter<Double> GAIN_PER_RTT = Parameter.fraction(
                    "gainPerRtt",
                    0.022,
                    1,
                    "a round trip's weight in the smoothed loss; times (sensitivity + steepness) below 1")
            .onlyWith(FEEDBACK, Rule.LOSS_PRICE);
    /** The fewest credits of a whole weight. */
    public static final Parameter<Long> SAMPLES_MIN = Parameter.count(
                    "samplesMin", 24, 1, 1_000_000, "the fewest credits that get that whole weight")
            .onlyWith(FEEDBACK, Rule.LOSS_PRICE);

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(1, "expresspass"),
                    "ExpressPass, SIGCOMM 2017",
                    List.of(
                            FEEDBACK,
                            ALPHA,
                            SMALLEST,
                            LARGEST,
                            JITTER,
                            STOP,
                            REQUEST_TIMEOUT,
                            CREDIT_LIFETIME,
                            CREDIT_EXPIRY,
                            BACKLOG_LIMITED,
                            STANDING_BYTES,
                            TARGET_LOSS,
                            W_INIT,
                            W_MIN,
                            W_MAX,
                            W_STEP,
                            CURRENT_RATE_ONLY,
                            OVERSHOOT,
                            SENSITIVITY,
                            STEEPNESS,
                            GAIN_PER_RTT,
                            SAMPLES_MIN),
                    ExpressPass::newFactory)
            .checkedBy(ExpressPass::check)
            .withCredits(ExpressPass::creditShape)
            .waitingForMeter(settings -> settings.get(FEEDBACK) == Rule.LOSS_PRICE)
            .withUsualNamed("weir")
            .with("paper", settings -> withoutBacklog(settings)
                    .with(FEEDBACK, Rule.ALGORITHM1)
                    .with(ALPHA, 0.5)
                    .with(JITTER, 0.08))
            .with("authors", settings -> withoutBacklog(settings)
                    .with(FEEDBACK, Rule.AUTHORS)
                    .with(TARGET_LOSS, 0.125)
                    .with(ALPHA, 0.5)
                    .with(LARGEST, 84)
                    .with(STOP, 1))
            .with("naive", settings -> withoutBacklog(settings).with(FEEDBACK, Rule.NAIVE));

    private static final int PPM = 1_000_000;
    /** Any frame size, to check credits with. */
    private static final int DATA_WIRE_BYTES = 1538;

    private ExpressPass() {}

    /** {@return the default: utilisation of the better of the two others, at its fairness; see the protocol's page} */
    public static Settings weir() {
        return KIND.usual();
    }

    /** {@return the paper to the letter: Algorithm 1, section 3.3 and 6.1's micro-benchmark parameters} */
    public static Settings paper() {
        return KIND.presets().get(1);
    }

    /** {@return the authors' released simulator: its rule, 84 B credits, jitter of 10 %, stop without delay} */
    public static Settings authors() {
        return KIND.presets().get(2);
    }

    /** {@return credits at the highest rate and no feedback (section 2)} */
    public static Settings naive() {
        return KIND.presets().get(3);
    }

    private static Settings withoutBacklog(Settings settings) {
        return settings.with(BACKLOG_LIMITED, false).with(STANDING_BYTES, 0);
    }

    private static ProtocolFactory newFactory(Settings settings, SeededRandom random) {
        int smallestBytes = (int) settings.whole(SMALLEST);
        int largestBytes = (int) settings.whole(LARGEST);
        int jitterPpm = jitterPpm(settings);
        return new CreditProtocol(
                settings.id(),
                credits(settings),
                dataWireBytesMax -> CreditShape.permitting(dataWireBytesMax)
                        .withWireBytes(smallestBytes, largestBytes)
                        .withJitterPpm(jitterPpm),
                feedbacks(settings),
                random);
    }

    private static int jitterPpm(Settings settings) {
        return (int) Math.round(settings.fraction(JITTER) * PPM);
    }

    private static void check(Settings settings) {
        credits(settings);
        creditShape(settings, DATA_WIRE_BYTES);
        switch (settings.get(FEEDBACK)) {
            case ALGORITHM1 -> algorithm1(settings);
            case AUTHORS -> authorsRule(settings);
            case LOSS_PRICE -> lossPrice(settings);
            case NAIVE -> {
                // It has no parameters.
            }
        }
    }

    private static CreditConfig credits(Settings settings) {
        return CreditConfig.DEFAULT
                .withStopNanos(settings.whole(STOP))
                .withRequestTimeoutNanos(settings.whole(REQUEST_TIMEOUT))
                .withCreditLifetimeNanos(settings.whole(CREDIT_LIFETIME))
                .withCreditExpiryNanos(settings.whole(CREDIT_EXPIRY))
                .withBacklogLimited(settings.flag(BACKLOG_LIMITED))
                .withStandingBytesMax(settings.whole(STANDING_BYTES));
    }

    private static CreditShape creditShape(Settings settings, int dataWireBytesMax) {
        return CreditShape.permitting(dataWireBytesMax)
                .withWireBytes((int) settings.whole(SMALLEST), (int) settings.whole(LARGEST))
                .withJitterPpm(jitterPpm(settings));
    }

    /** {@return what makes the feedback of each connection; the settings are read here, once for all of them} */
    private static CreditProtocol.Feedbacks feedbacks(Settings settings) {
        double alpha = settings.fraction(ALPHA);
        return switch (settings.get(FEEDBACK)) {
            case ALGORITHM1 -> {
                FeedbackConfig.Algorithm1 config = algorithm1(settings);
                yield (rateBpsMax, costBytes) -> new Algorithm1Feedback(config, rateBpsMax, costBytes, alpha);
            }
            case AUTHORS -> {
                FeedbackConfig.Authors config = authorsRule(settings);
                yield (rateBpsMax, costBytes) -> new AuthorsFeedback(config, rateBpsMax, costBytes, alpha);
            }
            case LOSS_PRICE -> {
                FeedbackConfig.LossPrice config = lossPrice(settings);
                yield (rateBpsMax, costBytes) -> new LossPriceFeedback(config, rateBpsMax, costBytes, alpha);
            }
            case NAIVE -> (rateBpsMax, costBytes) -> new NaiveFeedback(rateBpsMax);
        };
    }

    static FeedbackConfig.Algorithm1 algorithm1(Settings settings) {
        return new FeedbackConfig.Algorithm1(
                settings.fraction(TARGET_LOSS),
                settings.fraction(W_INIT),
                settings.fraction(W_MIN),
                settings.fraction(W_MAX),
                settings.flag(CURRENT_RATE_ONLY));
    }

    static FeedbackConfig.Authors authorsRule(Settings settings) {
        return new FeedbackConfig.Authors(
                settings.fraction(TARGET_LOSS),
                settings.fraction(W_INIT),
                settings.fraction(W_MIN),
                settings.fraction(W_MAX),
                settings.fraction(W_STEP));
    }

    static FeedbackConfig.LossPrice lossPrice(Settings settings) {
        return new FeedbackConfig.LossPrice(
                settings.fraction(OVERSHOOT),
                (int) settings.whole(SENSITIVITY),
                (int) settings.whole(STEEPNESS),
                settings.fraction(GAIN_PER_RTT),
                (int) settings.whole(SAMPLES_MIN));
    }
}
