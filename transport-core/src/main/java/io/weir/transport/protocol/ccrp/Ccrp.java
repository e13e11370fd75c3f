package io.weir.transport.protocol.ccrp;

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

/**
 * CCRP: ExpressPass's credits, given at a rate that {@link EcnFeedback} sets.
 *
 * <p>Source: Bai, Hu, Dong, Huang, Liao, "CCRP: Converging Credit-Based and Reactive Protocols in Datacenters", NPC
 * 2020. The printed Algorithm 1 leaves gaps; each is a parameter here, and docs/protocols/ccrp.md says which reading is
 * the default, and why.
 */
public final class Ccrp {
    static final Parameter<Double> TARGET_LOSS = Parameter.fraction(
            "targetLoss", 0, 1, "target_loss: up to this share of lost credits the rate rises (section 3.3: 0)");
    static final Parameter<Double> TARGET_ECN_RATIO = Parameter.fraction(
            "targetEcnRatio", 0, 1, "target_ECN_ratio: the share of marked frames that is tolerated (section 3.3: 0)");
    static final Parameter<Double> OMEGA_MAX =
            Parameter.fraction("omegaMax", 0.06, 1, "w_max, the aggression factor (section 3.3: 0.06; 0.04 to 0.07)");
    static final Parameter<Double> OMEGA_MIN =
            Parameter.fraction("omegaMin", 0.01, 1, "w_min: the paper has no number, the authors' code has 0.01");
    static final Parameter<Double> GAIN =
            Parameter.fraction("gain", 1 / 256.0, 1, "g: the paper has no number, the authors' code has 1/256");
    static final Parameter<Double> INITIAL_RATE =
            Parameter.fraction("initialRate", 1, 1, "the first rate as a share of the highest (section 3.2)");
    static final Parameter<Boolean> CUT_AT_TARGET =
            Parameter.flag("cutAtTarget", false, "line 5 as printed: a ratio equal to the target cuts");
    static final Parameter<Boolean> CREDITS_NEED_MARKS = Parameter.flag(
            "creditsNeedMarks", false, "line 5's block ends at line 19: without marks the rate stays as it is");
    static final Parameter<Boolean> KEEP_TMP_RATE = Parameter.flag(
            "keepTmpRate", false, "where line 5 fails, lines 14 and 17 use the last cut's tmp_rate, not cur_rate");
    static final Parameter<Long> RECOVERY = Parameter.count(
            "recovery",
            1,
            0,
            2,
            "lines 8 to 10: 0 does nothing, 1 raises the rate by time and bytes since a cut, 2 by quiet periods");
    static final Parameter<Long> QUIET_PERIODS = Parameter.count(
            "quietPeriods", 5, 1, 1_000, "with recovery 2: periods without a mark that make DCQCN_Timer true");
    static final Parameter<Long> RATE_TIMER =
            Parameter.nanos("rateTimer", 400_000, "time between two raises: the authors' code has 400 us");
    static final Parameter<Long> BYTE_COUNTER =
            Parameter.bytes("byteCounter", 200_000, "bytes between two raises: the authors' code has 200 KB");
    static final Parameter<Long> ALPHA_TIMER = Parameter.nanos(
            "alphaTimer", 400_000, "without a cut for this long ECN_alpha falls: the authors' code has 400 us");
    static final Parameter<Boolean> ALPHA_DECAYS =
            Parameter.flag("alphaDecays", false, "ECN_alpha also falls with time: DCQCN and the authors' code");
    static final Parameter<Long> RECOVERY_STEPS =
            Parameter.count("recoverySteps", 5, 1, 100, "raises that go half of the way back to the target rate");
    static final Parameter<Boolean> TOWARDS_HIGHEST = Parameter.flag(
            "towardsHighest",
            true,
            "later raises go half of the way to max_rate: the authors' code; DCQCN raises the target rate");
    static final Parameter<Long> ADDITIVE = Parameter.bps(
            "additiveIncrease", 40_000_000, "by how much, where not towardsHighest (DCQCN section 3.1: 40 Mb/s)");
    static final Parameter<Boolean> TARGET_EACH_PERIOD = Parameter.flag(
            "targetEachPeriod",
            true,
            "the target rate is that before the last period: the authors' code; DCQCN's is that before a cut");
    static final Parameter<Long> SMALLEST = Parameter.bytes("smallest", 84, "the shortest credit (section 3.4: 84 B)")
            .within(84, 1_538);
    static final Parameter<Long> LARGEST = Parameter.bytes(
                    "largest", 92, "the longest credit (ExpressPass section 3.1: 92 B)")
            .within(84, 1_538);
    static final Parameter<Double> JITTER =
            Parameter.fraction("jitter", 0.1, 0.5, "random jitter of the gap between credits (ExpressPass: 10 %)");
    static final Parameter<Boolean> BACKLOG_LIMITED =
            Parameter.flag("backlogLimited", true, "no more credits than the sender's backlog needs");
    static final Parameter<Long> STANDING_BYTES = Parameter.bytes(
                    "standingBytes",
                    12_304,
                    "what first frames of idle flows, which hold a credit each, may add to the queue at the last hop; 0"
                            + " for no such credits")
            .within(0, 100_000_000);

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(4, "ccrp"),
                    "Bai and others, NPC 2020",
                    List.of(
                            TARGET_LOSS,
                            TARGET_ECN_RATIO,
                            OMEGA_MAX,
                            OMEGA_MIN,
                            GAIN,
                            INITIAL_RATE,
                            CUT_AT_TARGET,
                            CREDITS_NEED_MARKS,
                            KEEP_TMP_RATE,
                            RECOVERY,
                            QUIET_PERIODS,
                            RATE_TIMER,
                            BYTE_COUNTER,
                            ALPHA_TIMER,
                            ALPHA_DECAYS,
                            RECOVERY_STEPS,
                            TOWARDS_HIGHEST,
                            ADDITIVE,
                            TARGET_EACH_PERIOD,
                            SMALLEST,
                            LARGEST,
                            JITTER,
                            BACKLOG_LIMITED,
                            STANDING_BYTES),
                    Ccrp::newFactory)
            .with("ccrp-authors", settings -> settings.with(ALPHA_DECAYS, true)
                    .with(BACKLOG_LIMITED, false)
                    .with(STANDING_BYTES, 0))
            .with("ccrp-paper", settings -> settings.with(TOWARDS_HIGHEST, false)
                    .with(TARGET_EACH_PERIOD, false))
            .with("ccrp-literal", settings -> settings.with(CUT_AT_TARGET, true).with(RECOVERY, 0));

    private static final int PPM = 1_000_000;

    private Ccrp() {}

    private static ProtocolFactory newFactory(Settings settings, SeededRandom random) {
        CreditConfig credits = CreditConfig.DEFAULT
                .withBacklogLimited(settings.flag(BACKLOG_LIMITED))
                .withStandingBytesMax(settings.whole(STANDING_BYTES));
        return new CreditProtocol(
                settings.id(),
                credits,
                dataWireBytesMax -> creditShape(settings, dataWireBytesMax),
                (rateBpsMax, costBytes) -> new EcnFeedback(settings, rateBpsMax, costBytes),
                random);
    }

    private static CreditShape creditShape(Settings settings, int dataWireBytesMax) {
        int smallest = (int) settings.whole(SMALLEST);
        int largest = (int) Math.max(smallest, settings.whole(LARGEST));
        return CreditShape.permitting(dataWireBytesMax)
                .withWireBytes(smallest, largest)
                .withJitterPpm((int) Math.round(settings.fraction(JITTER) * PPM));
    }
}
