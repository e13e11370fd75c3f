package io.weir.cli.port;

import io.weir.cli.unit.ExactQuantity;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.protocol.credit.CreditSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The credits block of a file. */
public final class CreditBlock {
    /** Its keys. */
    public static final List<String> KEYS =
            List.of("model", "creditless", "burst", "queue", "drop", "smallest", "largest", "rate");

    private static final long METER_RATE_BPS_MIN = 1_000;
    private static final int CREDIT_BYTES_MIN = 84;
    private static final int CREDIT_BYTES_MAX = 1_538;
    private static final int CREDITS_MAX = 10_000;

    private CreditBlock() {}

    static CreditSettings read(YamlValue value) {
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        CreditModel model = block.get(
                "model", word -> word.choice(List.of(CreditModel.values()), CreditModel::word), CreditModel.EXACT);
        for (String key : KEYS) {
            if (!model.uses(key)) {
                block.find(key).ifPresent(unused -> {
                    throw unused.refused("means nothing with model: " + model.word() + "; leave it out");
                });
            }
        }
        int smallest = creditBytes(block, "smallest", CREDIT_BYTES_MIN, CreditSettings.SMALLEST_BYTES);
        int largest = creditBytes(block, "largest", smallest, Math.max(smallest, CreditSettings.LARGEST_BYTES));
        return new CreditSettings(
                model,
                block.get("creditless", CreditBlock::creditless, CreditSettings.CREDITLESS_PPM),
                block.get("burst", burst -> (int) burst.integer(1, CREDITS_MAX), CreditSettings.BURST_CREDITS),
                block.get("queue", queue -> queue(queue, smallest, largest), CreditSettings.QUEUE_CREDITS),
                block.get(
                        "drop",
                        drop -> drop.choice(List.of(Drop.values()), CreditBlock::word),
                        model == CreditModel.EXACT ? Drop.RANDOM : Drop.TAIL),
                smallest,
                largest,
                block.get("rate", CreditBlock::meterRate, 0L));
    }

    private static String word(Drop drop) {
        return drop.name().toLowerCase(Locale.ROOT);
    }

    private static int creditBytes(YamlMap block, String key, int min, int fallback) {
        Optional<YamlValue> value = block.find(key);
        if (value.isEmpty()) {
            return fallback;
        }
        long bytes = value.get().parse(Sizes::parse);
        if (bytes < min || bytes > CREDIT_BYTES_MAX) {
            throw value.get()
                    .refused("\"" + value.get().text() + "\" is outside " + min + ".." + CREDIT_BYTES_MAX
                            + " bytes on the wire");
        }
        return (int) bytes;
    }

    private static int creditless(YamlValue value) {
        int ppm = value.parse(Fractions::parsePpm);
        if (ppm == 1_000_000) {
            throw value.refused("\"" + value.text() + "\" leaves nothing to credits; write less than 100%");
        }
        return ppm;
    }

    private static int queue(YamlValue value, int smallest, int largest) {
        int needed = (largest + smallest - 1) / smallest;
        int credits = (int) value.integer(1, CREDITS_MAX);
        if (credits < needed) {
            throw value.refused(credits + " (of " + smallest + " B) holds no credit of " + largest + " B; write "
                    + needed + " or more");
        }
        return credits;
    }

    private static long meterRate(YamlValue value) {
        long rateBps = value.parse(Rates::parse);
        if (rateBps < METER_RATE_BPS_MIN) {
            throw value.refused("\"" + value.text() + "\" is below 1kbps");
        }
        return rateBps;
    }

    /** {@return the block as the file has it, with nothing left to defaults but the model's rate} */
    public static Map<String, Object> toDocument(CreditSettings credits) {
        Map<String, Object> block = new LinkedHashMap<>();
        CreditModel model = credits.model();
        block.put("model", model.word());
        if (model == CreditModel.OFF) {
            return block;
        }
        if (model == CreditModel.EXACT) {
            block.put("creditless", ExactQuantity.share(credits.creditlessPpm()));
        }
        block.put("burst", credits.burstCredits());
        block.put("queue", credits.queueCredits());
        block.put("drop", word(credits.drop()));
        block.put("smallest", ExactQuantity.size(credits.smallestBytes()));
        block.put("largest", ExactQuantity.size(credits.largestBytes()));
        if (credits.rateBps() > 0) {
            block.put("rate", ExactQuantity.rate(credits.rateBps()));
        }
        return block;
    }
}
