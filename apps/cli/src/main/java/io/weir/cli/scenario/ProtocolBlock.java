package io.weir.cli.scenario;

import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The protocol block: a preset, and what differs from it, in the paper's terms. */
final class ProtocolBlock {
    /** The keys, besides those of the feedback rule. */
    static final List<String> KEYS = List.of(
            "id",
            "preset",
            "name",
            "feedback",
            "alpha",
            "smallest",
            "largest",
            "jitter",
            "stop",
            "requestTimeout",
            "creditLifetime",
            "creditExpiry",
            "backlogLimited",
            "standingCredits");

    private static final int CREDIT_BYTES_MIN = 84;
    private static final int CREDIT_BYTES_MAX = 1_538;
    private static final int JITTER_PPM_MAX = 500_000;
    private static final int STANDING_MAX = 1_000_000;

    private final YamlValue place;
    private final YamlMap map;

    private ProtocolBlock(YamlValue place) {
        this.place = place;
        this.map = place.map();
    }

    /** {@return what flows are scheduled by of which nothing is said} */
    static ProtocolConfig usual() {
        return ExpressPassConfig.weir();
    }

    /**
     * {@return the protocol that a name alone, or a block, describes}
     *
     * @param base what a block starts from that names neither a preset nor another protocol
     */
    static ProtocolConfig read(YamlValue value, ProtocolConfig base) {
        if (value.isScalar()) {
            return Catalogue.find(value.choice(Catalogue.names(), name -> name)).orElseThrow();
        }
        YamlMap map = value.map();
        ProtocolConfig start = start(map, base);
        refuseKeysOfOthers(map, start.id().word());
        return start instanceof Settings settings
                ? SettingsBlock.read(map, settings)
                : new ProtocolBlock(value).expressPass((ExpressPassConfig) start);
    }

    private static ProtocolConfig start(YamlMap map, ProtocolConfig base) {
        String word = map.get("id", id -> id.choice(Catalogue.words(), known -> known), "");
        Optional<YamlValue> preset = map.find("preset");
        if (preset.isPresent()) {
            ProtocolConfig chosen = preset.get().choice(Catalogue.presets(), ProtocolConfig::preset);
            String chosenWord = chosen.id().word();
            if (!word.isEmpty() && !word.equals(chosenWord)) {
                throw preset.get()
                        .refused("\"" + chosen.preset() + "\" is a preset of " + chosenWord + ", and id says " + word
                                + "; leave one of the two out");
            }
            return chosen;
        }
        boolean isBase = word.isEmpty() || word.equals(base.id().word());
        return isBase ? base : Catalogue.find(word).orElseThrow();
    }

    private static void refuseKeysOfOthers(YamlMap map, String word) {
        List<String> own = keysOf(word);
        for (String other : Catalogue.words()) {
            for (String key : keysOf(other)) {
                if (!own.contains(key)) {
                    map.find(key).ifPresent(value -> {
                        throw value.refused("is a parameter of " + other + ", not of " + word
                                + "; leave it out, or write id: " + other);
                    });
                }
            }
        }
    }

    /** {@return the keys of the block of a protocol} */
    static List<String> keysOf(String word) {
        for (ProtocolKind kind : Catalogue.KINDS) {
            if (kind.id().word().equals(word)) {
                return SettingsBlock.keysOf(kind);
            }
        }
        List<String> keys = new ArrayList<>(KEYS);
        keys.addAll(FeedbackKeys.KEYS);
        return keys;
    }

    private ExpressPassConfig expressPass(ExpressPassConfig from) {
        FeedbackKeys.requireKnown(map, KEYS);
        ExpressPassConfig.Builder builder = from.toBuilder()
                .feedback(FeedbackKeys.read(map, place, from.feedback()))
                .preset(map.get("name", YamlValue::string, from.preset()));
        set("alpha", value -> builder.initialRateFraction(value.parse(Fractions::parse)));
        set("jitter", value -> builder.jitterPpm(jitterPpm(value)));
        set("stop", value -> builder.stopNanos(TimeBlock.positive(value)));
        set("requestTimeout", value -> builder.requestTimeoutNanos(TimeBlock.positive(value)));
        set("creditLifetime", value -> builder.creditLifetimeNanos(TimeBlock.positive(value)));
        set("creditExpiry", value -> builder.creditExpiryNanos(TimeBlock.positive(value)));
        set("backlogLimited", value -> builder.backlogLimited(value.bool()));
        set("standingCredits", value -> builder.standingCreditsMax((int) value.integer(0, STANDING_MAX)));
        builder.creditWireBytes(
                map.get("smallest", ProtocolBlock::creditBytes, from.creditWireBytesMin()),
                map.get("largest", ProtocolBlock::creditBytes, from.creditWireBytesMax()));
        return place.locate(builder::build);
    }

    private void set(String key, Consumer<YamlValue> setter) {
        map.find(key).ifPresent(setter);
    }

    private static int jitterPpm(YamlValue value) {
        int ppm = value.parse(Fractions::parsePpm);
        if (ppm > JITTER_PPM_MAX) {
            throw value.refused("\"" + value.text() + "\" is more than half of the gap; write 50% or less");
        }
        return ppm;
    }

    private static int creditBytes(YamlValue value) {
        long bytes = value.parse(Sizes::parse);
        if (bytes < CREDIT_BYTES_MIN || bytes > CREDIT_BYTES_MAX) {
            throw value.refused("\"" + value.text() + "\" is outside " + CREDIT_BYTES_MIN + ".." + CREDIT_BYTES_MAX
                    + " bytes on the wire");
        }
        return (int) bytes;
    }
}
