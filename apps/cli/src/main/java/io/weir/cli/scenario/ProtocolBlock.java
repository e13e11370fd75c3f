package io.weir.cli.scenario;

import io.weir.cli.yaml.ParameterBlock;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a file says of a protocol: a name, or a block with what differs from a preset. */
final class ProtocolBlock {
    /** The keys besides the parameters. */
    private static final List<String> KEYS = List.of("id", "preset", "name");

    private ProtocolBlock() {}

    /** {@return the protocol of flows that name none} */
    static Settings usual() {
        return Catalogue.KINDS.get(0).usual();
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
        Settings start = start(map, base);
        refuseKeysOfOthers(map, start.kind());
        map.allowOnly(keysOf(start.kind()));
        Settings settings = ParameterBlock.read(map, start);
        Settings named = settings.named(map.get("name", YamlValue::string, settings.preset()));
        value.locate(() -> {
            named.requireConsistent();
            return named;
        });
        return named;
    }

    /** {@return the keys of the protocol's block} */
    static List<String> keysOf(ProtocolKind kind) {
        List<String> keys = new ArrayList<>(KEYS);
        keys.addAll(ParameterBlock.keysOf(kind.parameters()));
        return keys;
    }

    private static Settings start(YamlMap map, ProtocolConfig base) {
        String name = map.get("id", id -> id.choice(Catalogue.protocolNames(), known -> known), "");
        Optional<YamlValue> preset = map.find("preset");
        if (preset.isPresent()) {
            Settings chosen = preset.get().choice(Catalogue.presets(), Settings::preset);
            String chosenName = chosen.id().name();
            if (!name.isEmpty() && !name.equals(chosenName)) {
                throw preset.get()
                        .refused("\"" + chosen.preset() + "\" is a preset of " + chosenName + ", and id says " + name
                                + "; leave one of the two out");
            }
            return chosen;
        }
        if (base instanceof Settings settings
                && (name.isEmpty() || name.equals(base.id().name()))) {
            return settings;
        }
        return Catalogue.find(name).orElse(usual());
    }

    private static void refuseKeysOfOthers(YamlMap map, ProtocolKind kind) {
        List<String> own = keysOf(kind);
        for (ProtocolKind other : Catalogue.KINDS) {
            for (String key : keysOf(other)) {
                if (!own.contains(key)) {
                    map.find(key).ifPresent(value -> {
                        throw value.refused("is a parameter of " + other + ", not of " + kind
                                + "; leave it out, or write id: " + other);
                    });
                }
            }
        }
    }
}
