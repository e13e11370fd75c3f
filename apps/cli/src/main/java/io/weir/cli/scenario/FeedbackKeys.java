package io.weir.cli.scenario;

import io.weir.cli.unit.Fractions;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.protocol.expresspass.FeedbackConfig;
import io.weir.transport.protocol.expresspass.FeedbackConfig.Algorithm1;
import io.weir.transport.protocol.expresspass.FeedbackConfig.Authors;
import io.weir.transport.protocol.expresspass.FeedbackConfig.LossPrice;
import io.weir.transport.protocol.expresspass.FeedbackConfig.Naive;
import java.util.ArrayList;
import java.util.List;

/** The keys of ExpressPass's feedback rule: which rule, and its parameters. A key of another rule is refused. */
final class FeedbackKeys {
    /** The parameters of all rules. */
    static final List<String> KEYS = List.of(
            "targetLoss",
            "wInit",
            "wMin",
            "wMax",
            "wStep",
            "currentRateOnly",
            "overshoot",
            "sensitivity",
            "steepness",
            "gainPerRtt",
            "samplesMin");

    private static final List<String> ALGORITHM1_KEYS =
            List.of("targetLoss", "wInit", "wMin", "wMax", "currentRateOnly");
    private static final List<String> AUTHORS_KEYS = List.of("targetLoss", "wInit", "wMin", "wMax", "wStep");
    private static final List<String> LOSS_PRICE_KEYS =
            List.of("overshoot", "sensitivity", "steepness", "gainPerRtt", "samplesMin");
    private static final int SENSITIVITY_MAX = 16;
    private static final int STEEPNESS_MAX = 100;
    private static final int SAMPLES_MAX = 1_000_000;

    private final YamlMap map;
    private final YamlValue place;

    private FeedbackKeys(YamlMap map, YamlValue place) {
        this.map = map;
        this.place = place;
    }

    /** A rule as files call it. */
    enum Rule {
        /** The paper's Algorithm 1. */
        ALGORITHM1("algorithm1"),
        /** That of the authors' simulator. */
        AUTHORS("authors"),
        /** Weir's own. */
        LOSS_PRICE("loss-price"),
        /** None. */
        NAIVE("naive");

        private final String word;

        Rule(String word) {
            this.word = word;
        }

        /** {@return what files call it} */
        String word() {
            return word;
        }

        /** {@return its parameters} */
        List<String> keys() {
            return switch (this) {
                case ALGORITHM1 -> ALGORITHM1_KEYS;
                case AUTHORS -> AUTHORS_KEYS;
                case LOSS_PRICE -> LOSS_PRICE_KEYS;
                case NAIVE -> List.of();
            };
        }

        /** {@return it with the parameters of the preset that has it} */
        private FeedbackConfig usual() {
            return switch (this) {
                case ALGORITHM1 -> ExpressPassConfig.paper().feedback();
                case AUTHORS -> ExpressPassConfig.authors().feedback();
                case LOSS_PRICE -> ExpressPassConfig.weir().feedback();
                case NAIVE -> new Naive();
            };
        }

        private static Rule of(FeedbackConfig config) {
            if (config instanceof Algorithm1) {
                return ALGORITHM1;
            }
            if (config instanceof Authors) {
                return AUTHORS;
            }
            return config instanceof LossPrice ? LOSS_PRICE : NAIVE;
        }
    }

    /** Refuses any key of a protocol that is neither one of {@code others} nor a parameter of a rule. */
    static void requireKnown(YamlMap map, List<String> others) {
        List<String> known = new ArrayList<>(others);
        known.addAll(KEYS);
        map.allowOnly(known);
    }

    /** {@return the rule that a protocol block names, or else {@code base}, with what differs} */
    static FeedbackConfig read(YamlMap map, YamlValue place, FeedbackConfig base) {
        Rule rule = map.get("feedback", value -> value.choice(List.of(Rule.values()), Rule::word), Rule.of(base));
        for (String key : KEYS) {
            if (!rule.keys().contains(key)) {
                map.find(key).ifPresent(unused -> {
                    throw unused.refused("means nothing with feedback: " + rule.word() + "; leave it out");
                });
            }
        }
        FeedbackConfig from = rule == Rule.of(base) ? base : rule.usual();
        return new FeedbackKeys(map, place).rule(from);
    }

    private FeedbackConfig rule(FeedbackConfig from) {
        if (from instanceof Algorithm1 usual) {
            return algorithm1(usual);
        }
        if (from instanceof Authors usual) {
            return authors(usual);
        }
        return from instanceof LossPrice usual ? lossPrice(usual) : from;
    }

    private FeedbackConfig algorithm1(Algorithm1 usual) {
        double targetLoss = share("targetLoss", usual.targetLossFraction());
        double initial = share("wInit", usual.aggressivenessInitial());
        double min = share("wMin", usual.aggressivenessMin());
        double max = share("wMax", usual.aggressivenessMax());
        boolean isCurrentOnly = map.get("currentRateOnly", YamlValue::bool, usual.currentRateOnly());
        return place.locate(() -> new Algorithm1(targetLoss, initial, min, max, isCurrentOnly));
    }

    private FeedbackConfig authors(Authors usual) {
        double targetLoss = share("targetLoss", usual.targetLossFraction());
        double initial = share("wInit", usual.aggressivenessInitial());
        double min = share("wMin", usual.aggressivenessMin());
        double max = share("wMax", usual.aggressivenessMax());
        double step = share("wStep", usual.aggressivenessStep());
        return place.locate(() -> new Authors(targetLoss, initial, min, max, step));
    }

    private FeedbackConfig lossPrice(LossPrice usual) {
        double overshoot = share("overshoot", usual.overshootFraction());
        int sensitivity = map.get("sensitivity", value -> (int) value.integer(1, SENSITIVITY_MAX), usual.sensitivity());
        int steepness = map.get("steepness", value -> (int) value.integer(0, STEEPNESS_MAX), usual.steepness());
        double gain = share("gainPerRtt", usual.gainPerRtt());
        int samples = map.get("samplesMin", value -> (int) value.integer(1, SAMPLES_MAX), usual.samplesMin());
        return place.locate(() -> new LossPrice(overshoot, sensitivity, steepness, gain, samples));
    }

    private double share(String key, double fallback) {
        return map.get(key, value -> value.parse(Fractions::parse), fallback);
    }
}
