package io.weir.cli.port;

import io.weir.cli.unit.ExactQuantity;
import io.weir.cli.unit.Fractions;
import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.peers.PhantomQueueConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The phantom block of a file: HULL's phantom queue, or the word that says that there is none. */
public final class PhantomBlock {
    /** Its keys. */
    public static final List<String> KEYS = List.of("drain", "threshold");

    private PhantomBlock() {}

    static Optional<PhantomQueueConfig> read(YamlValue value) {
        if (value.isScalar()) {
            return value.choice(List.of(Optional.<PhantomQueueConfig>empty()), none -> EcnBlock.OFF);
        }
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        int drainPpm = block.require("drain").parse(Fractions::parsePpm);
        if (drainPpm == 0) {
            throw block.require("drain").refused("a queue that never drains marks everything; write more than 0%");
        }
        return Optional.of(new PhantomQueueConfig(drainPpm, Amounts.size(block.require("threshold"))));
    }

    /** {@return the block as the file has it} */
    static Map<String, Object> toDocument(PhantomQueueConfig config) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("drain", ExactQuantity.share(config.drainPpm()));
        block.put("threshold", ExactQuantity.size(config.thresholdBytes()));
        return block;
    }
}
