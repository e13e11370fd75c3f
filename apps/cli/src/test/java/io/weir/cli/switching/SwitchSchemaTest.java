package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.yaml.EcnBlock;
import io.weir.cli.yaml.ParameterBlock;
import io.weir.cli.yaml.PortSchema;
import io.weir.cli.yaml.YamlKey;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests that the published schema and {@link SwitchFile} say the same. */
class SwitchSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> CREDIT_KEYS = ParameterBlock.keysOf(CreditSettings.DEFAULT.parameters());

    private JsonNode schema;
    private JsonSchema validator;

    @BeforeEach
    void load() {
        schema = PortSchema.of("switch-1");
        validator = JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);
    }

    private Set<ValidationMessage> problems(String yaml) {
        Object document = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        return validator.validate(JSON.valueToTree(document));
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-hosts.yaml", "every-key.yaml"})
    void schema_example_isAcceptedAsWrittenAndAsResolved(String name) throws IOException {
        assertEquals(Set.of(), problems(Files.readString(SwitchFileTest.EXAMPLES.resolve(name))));
        SwitchPlan plan = SwitchFile.read(SwitchFileTest.EXAMPLES.resolve(name));
        assertEquals(Set.of(), problems(plan.toYaml()));
    }

    static List<SwitchFileTest.Bad> wrongShapes() throws IOException {
        return SwitchFileTest.files().stream()
                .filter(SwitchFileTest.Bad::isShape)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("wrongShapes")
    void schema_fileOfTheWrongShape_isRefusedToo(SwitchFileTest.Bad bad) {
        assertFalse(problems(bad.text()).isEmpty());
    }

    @Test
    void schema_keys_areTheReadersKeys() {
        JsonNode port = schema.at("/properties/ports/items");
        assertSameKeys(SwitchFile.KEYS, schema);
        assertSameKeys(PortKeys.ALL.stream().map(YamlKey::name).toList(), port);
        assertSameKeys(PortKeys.SHARED.stream().map(YamlKey::name).toList(), schema.at("/properties/defaults"));
        assertSameKeys(CREDIT_KEYS, schema.at("/$defs/credits"));
        Catalogue.portParts()
                .forEach(part -> assertSameKeys(
                        ParameterBlock.keysOf(part.parameters()),
                        schema.at("/$defs/" + PortSchema.definitionOf(part) + "/oneOf/1")));
        assertSameKeys(PortKeys.LINK_KEYS, schema.at("/$defs/link"));
        Set<String> ecn = new TreeSet<>();
        schema.at("/$defs/ecn/oneOf")
                .forEach(form -> form.path("properties").fieldNames().forEachRemaining(ecn::add));
        assertEquals(new TreeSet<>(EcnBlock.KEYS), ecn);
    }

    private static void assertSameKeys(Collection<String> keys, JsonNode object) {
        Set<String> published = new TreeSet<>();
        object.path("properties").fieldNames().forEachRemaining(published::add);
        assertEquals(new TreeSet<>(keys), published);
    }

    @Test
    void documentation_everyKey_isExplained() {
        String text = CommandRun.execute("schema", "switch", "--keys").out();
        List<String> keys = new ArrayList<>(SwitchFile.KEYS);
        PortKeys.ALL.forEach(key -> keys.add(key.name()));
        keys.addAll(CREDIT_KEYS);
        Catalogue.portParts().forEach(part -> keys.addAll(ParameterBlock.keysOf(part.parameters())));
        keys.addAll(EcnBlock.KEYS);
        keys.addAll(PortKeys.LINK_KEYS);
        for (String key : keys) {
            assertTrue(
                    Pattern.compile("\n  " + key + ": .+\n      \\S")
                            .matcher(text)
                            .find(),
                    key);
        }
    }

    @Test
    void schema_defaults_areTheReadersDefaults() throws IOException {
        String ports = "ports: [{interface: a, rate: 1Gbps}, {interface: b, rate: 1Gbps}]\n";
        StringBuilder written = new StringBuilder(ports);
        for (String key : SwitchFile.KEYS) {
            append(written, "", key, schema.at("/properties/" + key + "/default"));
        }
        written.append("defaults:\n");
        int given = 0;
        for (YamlKey<?> key : PortKeys.SHARED) {
            String definition = schema.at("/properties/defaults/properties/" + key.name() + "/$ref")
                    .asText();
            given += append(written, "  ", key.name(), schema.at(definition.substring(1) + "/default"));
        }
        assertEquals(6 + Catalogue.portParts().size(), given, "backend, mode, copy, rings, mtu, ecn and the parts");
        appendBlock(written, "credits", CREDIT_KEYS);
        written.append("  link:\n");
        for (String key : List.of("emulate", "catchUp", "pauseBudget")) {
            append(written, "    ", key, schema.at("/$defs/link/properties/" + key + "/default"));
        }
        assertEquals(SwitchFile.parse("plain", ports), SwitchFile.parse("written out", written.toString()));
    }

    private void appendBlock(StringBuilder yaml, String block, List<String> keys) throws IOException {
        yaml.append("  ").append(block).append(":\n");
        for (String key : keys) {
            append(yaml, "    ", key, schema.at("/$defs/" + block + "/properties/" + key + "/default"));
        }
    }

    private static int append(StringBuilder yaml, String indent, String key, JsonNode value) throws IOException {
        if (value.isMissingNode()) {
            return 0;
        }
        yaml.append(indent)
                .append(key)
                .append(": ")
                .append(JSON.writeValueAsString(value))
                .append('\n');
        return 1;
    }
}
