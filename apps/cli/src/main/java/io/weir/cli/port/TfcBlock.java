package io.weir.cli.port;

import io.weir.cli.unit.ExactQuantity;
import io.weir.cli.unit.Fractions;
import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.tfc.TfcPortConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tfc block of a file: how a port shares out its link as tokens, or the word that says that it does not. */
public final class TfcBlock {
    /** Its keys. */
    public static final List<String> KEYS = List.of("rho0", "alpha", "gain", "rtt", "window", "misses", "held", "hold");

    private static final int PPM = 1_000_000;
    private static final int GAIN_MAX = 16;
    private static final int MISSES_MAX = 16;
    private static final int HELD_MAX = 1 << 20;

    private TfcBlock() {}

    static Optional<TfcPortConfig> read(YamlValue value) {
        if (value.isScalar()) {
            return value.choice(List.of(Optional.<TfcPortConfig>empty()), none -> EcnBlock.OFF);
        }
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        TfcPortConfig usual = TfcPortConfig.DEFAULT;
        return Optional.of(new TfcPortConfig(
                tokens(block, usual.tokens()), baseRtt(block, usual.baseRtt()), arbiter(block, usual.arbiter())));
    }

    private static TfcPortConfig.Tokens tokens(YamlMap block, TfcPortConfig.Tokens usual) {
        return new TfcPortConfig.Tokens(
                block.get("rho0", TfcBlock::rho0, usual.rho0Ppm()),
                block.get("alpha", alpha -> alpha.parse(Fractions::parsePpm), usual.alphaPpm()),
                block.get("gain", gain -> (int) gain.integer(1, GAIN_MAX) * PPM, usual.gainPpmMax()));
    }

    private static int rho0(YamlValue value) {
        int ppm = value.parse(Fractions::parsePpm);
        if (ppm == 0) {
            throw value.refused("a port that expects no utilization gives no tokens; write more than 0");
        }
        return ppm;
    }

    private static TfcPortConfig.BaseRtt baseRtt(YamlMap block, TfcPortConfig.BaseRtt usual) {
        int misses = block.get("misses", value -> (int) value.integer(1, MISSES_MAX), usual.missesMax());
        TfcPortConfig.BaseRtt config = new TfcPortConfig.BaseRtt(usual.nanosInitial(), usual.windowNanos(), misses);
        TfcPortConfig.BaseRtt withRtt = block.find("rtt")
                .map(value -> {
                    long nanos = Amounts.delay(value);
                    return value.locate(() -> config.withInitial(nanos));
                })
                .orElse(config);
        return block.find("window")
                .map(value -> {
                    long nanos = Amounts.delay(value);
                    return value.locate(() -> withRtt.withWindow(nanos));
                })
                .orElse(withRtt);
    }

    private static TfcPortConfig.Arbiter arbiter(YamlMap block, TfcPortConfig.Arbiter usual) {
        int held = block.get("held", value -> (int) value.integer(0, HELD_MAX), usual.framesMax());
        return block.find("hold")
                .map(value -> {
                    long nanos = Amounts.delay(value);
                    return value.locate(() -> new TfcPortConfig.Arbiter(held, nanos));
                })
                .orElse(new TfcPortConfig.Arbiter(held, usual.holdNanosMax()));
    }

    /** {@return the block as the file has it} */
    static Map<String, Object> toDocument(TfcPortConfig config) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("rho0", ExactQuantity.share(config.tokens().rho0Ppm()));
        block.put("alpha", ExactQuantity.share(config.tokens().alphaPpm()));
        block.put("gain", config.tokens().gainPpmMax() / PPM);
        block.put("rtt", ExactQuantity.duration(config.baseRtt().nanosInitial()));
        block.put("window", ExactQuantity.duration(config.baseRtt().windowNanos()));
        block.put("misses", config.baseRtt().missesMax());
        block.put("held", config.arbiter().framesMax());
        block.put("hold", ExactQuantity.duration(config.arbiter().holdNanosMax()));
        return block;
    }
}
