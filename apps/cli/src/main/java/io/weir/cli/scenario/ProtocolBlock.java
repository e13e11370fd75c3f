package io.weir.cli.scenario;

import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
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

    private static final List<ExpressPassConfig> PRESETS = List.of(
            ExpressPassConfig.weir(),
            ExpressPassConfig.paper(),
            ExpressPassConfig.authors(),
            ExpressPassConfig.naive());
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
        return PRESETS.get(0);
    }

    /**
     * {@return the protocol that a preset's name alone, or a block, describes}
     *
     * @param base what a block without a preset starts from
     */
    static ProtocolConfig read(YamlValue value, ProtocolConfig base) {
        if (value.isScalar()) {
            return value.choice(presets(), ProtocolConfig::preset);
        }
        Optional<Settings> named = SettingsBlock.named(value.map());
        if (named.isPresent()) {
            return SettingsBlock.read(value, named.get());
        }
        boolean namesExpressPass =
                value.map().find("id").isPresent() || value.map().find("preset").isPresent();
        if (base instanceof Settings settings && !namesExpressPass) {
            return SettingsBlock.read(value, settings);
        }
        return new ProtocolBlock(value).expressPass(base instanceof ExpressPassConfig config ? config : PRESETS.get(0));
    }

    /** {@return the presets of all protocols} */
    static List<ProtocolConfig> presets() {
        List<ProtocolConfig> presets = new ArrayList<>(PRESETS);
        presets.addAll(SettingsBlock.presets());
        return presets;
    }

    private static List<String> words() {
        List<String> words = new ArrayList<>(List.of(ExpressPass.ID.word()));
        Catalogue.KINDS.forEach(kind -> words.add(kind.id().word()));
        return words;
    }

    private static ExpressPassConfig preset(YamlValue value) {
        ProtocolConfig chosen = value.choice(presets(), ProtocolConfig::preset);
        return (ExpressPassConfig) chosen;
    }

    private ExpressPassConfig expressPass(ExpressPassConfig base) {
        FeedbackKeys.requireKnown(map, KEYS);
        map.find("id").ifPresent(id -> id.choice(words(), word -> word));
        ExpressPassConfig from = map.get("preset", ProtocolBlock::preset, base);
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
