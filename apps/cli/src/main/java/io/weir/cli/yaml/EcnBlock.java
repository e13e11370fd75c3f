package io.weir.cli.yaml;

import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.QuantityPrinter;
import io.weir.transport.switching.EcnConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ecn block of a file: a step, a ramp, or the value that turns marking off. */
public final class EcnBlock {
    /** Its keys. */
    public static final List<String> KEYS = List.of("threshold", "min", "max", "probability", "on");

    /** The value for no marking. */
    public static final String OFF = "off";

    private EcnBlock() {}

    static Optional<EcnConfig> read(YamlValue value) {
        if (value.isScalar()) {
            return value.choice(List.of(Optional.<EcnConfig>empty()), none -> OFF);
        }
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        Optional<YamlValue> threshold = block.find("threshold");
        if (threshold.isPresent()) {
            for (String key : List.of("min", "max", "probability")) {
                block.find(key).ifPresent(other -> {
                    throw other.refused("means nothing next to threshold; give threshold, or min, max and probability");
                });
            }
            return Optional.of(at(block, EcnConfig.step(Amounts.size(threshold.get()))));
        }
        long min = Amounts.size(block.require("min"));
        long max = Amounts.size(block.require("max"));
        if (max < min) {
            throw block.require("max")
                    .refused("\"" + block.require("max").text() + "\" is below min, \""
                            + block.require("min").text() + "\"");
        }
        return Optional.of(
                at(block, new EcnConfig(min, max, block.require("probability").parse(Fractions::parsePpm))));
    }

    /** {@return the same marking at the time that the block names} */
    private static EcnConfig at(YamlMap block, EcnConfig config) {
        boolean isOnDeparture = block.get("on", value -> value.choice(List.of(false, true), EcnBlock::whenWord), false);
        return isOnDeparture ? config.onDeparture() : config;
    }

    private static String whenWord(boolean isOnDeparture) {
        return isOnDeparture ? "departure" : "arrival";
    }

    /** {@return the block as the file has it; null is no marking} */
    public static Object toDocument(EcnConfig ecn) {
        if (ecn == null) {
            return OFF;
        }
        Map<String, Object> block = new LinkedHashMap<>();
        EcnConfig step = EcnConfig.step(ecn.minBytes());
        if (ecn.equals(step) || ecn.equals(step.onDeparture())) {
            block.put("threshold", QuantityPrinter.size(ecn.minBytes()));
        } else {
            block.put("min", QuantityPrinter.size(ecn.minBytes()));
            block.put("max", QuantityPrinter.size(ecn.maxBytes()));
            block.put("probability", QuantityPrinter.share(ecn.probabilityPpm()));
        }
        if (ecn.isOnDeparture()) {
            block.put("on", whenWord(true));
        }
        return block;
    }
}
