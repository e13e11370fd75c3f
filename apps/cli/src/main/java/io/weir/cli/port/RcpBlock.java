package io.weir.cli.port;

import io.weir.cli.unit.ExactQuantity;
import io.weir.cli.unit.Fractions;
import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.peers.RcpPortConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rcp block of a file: how a port finds the rate that it tells, or the word that says that it tells none. */
public final class RcpBlock {
    /** Its keys. */
    public static final List<String> KEYS = List.of("alpha", "beta", "interval");

    private RcpBlock() {}

    static Optional<RcpPortConfig> read(YamlValue value) {
        if (value.isScalar()) {
            return value.choice(List.of(Optional.<RcpPortConfig>empty()), none -> EcnBlock.OFF);
        }
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        RcpPortConfig usual = RcpPortConfig.DEFAULT;
        RcpPortConfig config = usual.withAlpha(block.get("alpha", RcpBlock::alpha, usual.alphaPpm()))
                .withBeta(block.get("beta", beta -> beta.parse(Fractions::parsePpm), usual.betaPpm()));
        return Optional.of(block.find("interval")
                .map(interval -> {
                    long nanos = Amounts.delay(interval);
                    return interval.locate(() -> config.withInterval(nanos));
                })
                .orElse(config));
    }

    private static int alpha(YamlValue value) {
        int ppm = value.parse(Fractions::parsePpm);
        if (ppm == 0) {
            throw value.refused("with an alpha of 0 the rate never rises; write more than 0");
        }
        return ppm;
    }

    /** {@return the block as the file has it} */
    static Map<String, Object> toDocument(RcpPortConfig config) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("alpha", ExactQuantity.share(config.alphaPpm()));
        block.put("beta", ExactQuantity.share(config.betaPpm()));
        block.put("interval", ExactQuantity.duration(config.intervalNanosMax()));
        return block;
    }
}
