package io.weir.cli.scenario;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The block of a protocol that the catalogue describes: a preset, and the parameters that differ from it. */
final class SettingsBlock {
    /** The keys besides the parameters. */
    static final List<String> KEYS = List.of("id", "preset", "name");

    private SettingsBlock() {}

    /** {@return the presets of all such protocols} */
    static List<Settings> presets() {
        List<Settings> presets = new ArrayList<>();
        Catalogue.KINDS.forEach(kind -> presets.addAll(kind.presets()));
        return presets;
    }

    /** {@return the protocol that a block names by its {@code id} or {@code preset}, if it is one of these} */
    static Optional<Settings> named(YamlMap map) {
        Optional<Settings> byPreset = map.find("preset").flatMap(value -> presetOf(value.text()));
        return byPreset.isPresent()
                ? byPreset
                : map.find("id").flatMap(value -> presetOf(value.text())).map(preset -> preset.kind()
                        .usual());
    }

    /** {@return the preset of this name, if one of these protocols has it} */
    static Optional<Settings> presetOf(String name) {
        return presets().stream().filter(preset -> preset.preset().equals(name)).findFirst();
    }

    /** {@return {@code from} with what the block changes} */
    static Settings read(YamlValue place, Settings from) {
        YamlMap map = place.map();
        ProtocolKind kind = from.kind();
        List<String> keys = new ArrayList<>(KEYS);
        kind.parameters().forEach(parameter -> keys.add(parameter.key()));
        map.allowOnly(keys);
        map.find("id").ifPresent(id -> requireSame(id, kind));
        Settings settings = from;
        for (Parameter parameter : kind.parameters()) {
            Optional<YamlValue> value = map.find(parameter.key());
            if (value.isPresent()) {
                double amount = amount(value.get(), parameter);
                Settings before = settings;
                settings = value.get().locate(() -> before.with(parameter, amount));
            }
        }
        return settings.named(map.get("name", YamlValue::string, settings.preset()));
    }

    private static void requireSame(YamlValue id, ProtocolKind kind) {
        if (!id.text().equals(kind.id().word())) {
            throw id.refused("\"" + id.text() + "\" is another protocol than the preset's, "
                    + kind.id().word() + "; leave one of the two out");
        }
    }

    private static double amount(YamlValue value, Parameter parameter) {
        return switch (parameter.unit()) {
            case NANOS -> value.parse(Durations::parse);
            case BYTES -> value.parse(Sizes::parse);
            case BPS -> value.parse(Rates::parse);
            case FRACTION -> value.parse(Fractions::parse);
            case COUNT -> value.integer((long) parameter.min(), (long) parameter.max());
            case FLAG -> value.bool() ? 1 : 0;
        };
    }
}
