package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import io.weir.cli.yaml.ParameterBlock;
import io.weir.cli.yaml.PortSchema;
import io.weir.cli.yaml.YamlKey;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests that the published schema and {@link ScenarioFile} say the same. */
class ScenarioSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonNode schema;
    private JsonSchema validator;

    @BeforeEach
    void load() throws IOException {
        schema = JSON.readTree(ScenarioSchema.text());
        validator = JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);
    }

    private Set<ValidationMessage> problems(String yaml) {
        Object document = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        return validator.validate(JSON.valueToTree(document));
    }

    @ParameterizedTest
    @MethodSource("io.weir.cli.scenario.Scenarios#all")
    void schema_fileOfTheRepository_isAccepted(Path file) throws IOException {
        assertEquals(Set.of(), problems(Files.readString(file)));
        assertEquals(Set.of(), problems(ScenarioFile.read(file, List.of()).yaml()));
    }

    static List<BadFiles.Bad> wrongShapes() {
        return BadFiles.all().stream().filter(BadFiles.Bad::isShape).toList();
    }

    @ParameterizedTest
    @MethodSource("wrongShapes")
    void schema_fileOfTheWrongShape_isRefusedToo(BadFiles.Bad bad) {
        assertFalse(problems(bad.text()).isEmpty());
    }

    static List<BadFiles.Bad> wrongMeanings() {
        return BadFiles.all().stream().filter(bad -> !bad.isShape()).toList();
    }

    @ParameterizedTest
    @MethodSource("wrongMeanings")
    void schema_fileOfTheWrongMeaning_isAccepted(BadFiles.Bad bad) {
        assertEquals(Set.of(), problems(bad.text()), "the table says that the schema cannot see it");
    }

    // ---- the same keys

    private JsonNode definition(String name) {
        JsonNode definition = schema.at("/$defs/" + name);
        assertFalse(definition.isMissingNode(), name);
        return definition;
    }

    private static void assertSameKeys(Collection<String> keys, JsonNode object) {
        Set<String> published = new TreeSet<>();
        object.path("properties").fieldNames().forEachRemaining(published::add);
        assertEquals(new TreeSet<>(keys), published, object.path("title").asText());
    }

    private static List<String> names(List<YamlKey<?>> keys, List<String> others) {
        List<String> names = new ArrayList<>(others);
        keys.forEach(key -> names.add(key.name()));
        return names;
    }

    @Test
    void schema_keysOfTheFile_areTheReaders() {
        assertSameKeys(ScenarioFile.KEYS, schema);
        assertSameKeys(MeasureBlock.KEYS, definition("measure"));
    }

    static List<ProtocolKind> kinds() {
        return Catalogue.KINDS;
    }

    private static String scenario(String protocol) {
        return "{duration: 1ms, topology: {kind: star, hosts: 2, rate: 1Gbps}, traffic: [{kind: shuffle, size: 1KB}], protocol: "
                + protocol + "}";
    }

    private static ProtocolConfig protocolOf(String yaml) {
        return ScenarioFile.parse("s.yaml", yaml).scenario().traffic().get(0).protocol();
    }

    private static boolean isRead(String yaml) {
        try {
            return protocolOf(yaml) != null;
        } catch (ConfigException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void schema_protocolOfTheCatalogue_hasTheReadersKeysAndPresets(ProtocolKind kind) {
        String word = kind.id().name();
        assertSameKeys(ProtocolBlock.keysOf(kind), definition(ScenarioSchema.definitionOf(kind)));
        for (Settings preset : kind.presets()) {
            String block = scenario("{id: " + word + ", preset: " + preset.preset() + "}");
            assertEquals(Set.of(), problems(block));
            assertEquals(preset, protocolOf(block));
            assertEquals(Set.of(), problems(scenario(preset.preset())));
            assertEquals(preset, protocolOf(scenario(preset.preset())));
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void schema_defaultsOfAProtocol_areTheReaders(ProtocolKind kind) {
        ObjectNode block = JSON.createObjectNode();
        fill(block, definition(ScenarioSchema.definitionOf(kind)));
        assertEquals(kind.parameters().size(), block.size());
        kind.parameters().stream()
                .filter(parameter -> !kind.usual().isUsed(parameter))
                .forEach(parameter -> block.remove(parameter.key()));
        block.put("id", kind.id().name());
        String written = scenario(block.toString());
        assertEquals(Set.of(), problems(written));
        assertEquals(kind.usual(), protocolOf(written));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void schema_valueOfAnotherType_isRefusedByBoth(ProtocolKind kind) {
        for (Parameter<?> parameter : kind.parameters()) {
            for (String wrong : List.of("[]", "{}", "1 parsec", "-1")) {
                String written = scenario("{id: " + kind.id().name() + ", " + parameter.key() + ": " + wrong + "}");
                assertFalse(isRead(written), written);
                assertFalse(problems(written).isEmpty(), written);
            }
        }
    }

    @Test
    void schema_names_areThoseOfTheCatalogue() {
        List<String> names = new ArrayList<>();
        definition("protocol").at("/anyOf/0/enum").forEach(name -> names.add(name.asText()));
        assertEquals(Catalogue.names(), names);
        names.forEach(name -> assertEquals(Catalogue.find(name).orElseThrow(), protocolOf(scenario(name))));
    }

    @Test
    void schema_keysOfTopologies_areTheReaders() {
        List<String> kinds = new ArrayList<>();
        for (JsonNode variant : schema.at("/properties/topology/oneOf")) {
            JsonNode object = schema.at(variant.path("$ref").asText().substring(1));
            String kind = object.at("/properties/kind/const").asText();
            kinds.add(kind);
            Shape shape = List.of(Shape.values()).stream()
                    .filter(candidate -> candidate.keyword().equals(kind))
                    .findFirst()
                    .orElseThrow();
            List<String> keys = names(LinkKeys.LINK, TopologyBlock.KEYS);
            keys.addAll(shape.counts());
            keys.addAll(shape.layers());
            assertSameKeys(keys, object);
        }
        assertEquals(List.of(Shape.values()).stream().map(Shape::keyword).toList(), kinds);
        assertSameKeys(names(LinkKeys.LINK, TopologyBlock.ENDS), definition("edgeLayer"));
        assertSameKeys(names(LinkKeys.LINK, TopologyBlock.ENDS), definition("layer"));
        assertSameKeys(names(LinkKeys.SWITCH_END, List.of()), definition("port"));
        assertSameKeys(names(LinkKeys.HOST_END, List.of()), definition("hostPort"));
        assertSameKeys(names(HostBlock.KEYS, List.of()), definition("host"));
        assertSameKeys(names(TopologyBlock.SWITCH_KEYS, List.of()), definition("switch"));
        assertSameKeys(PauseBlock.KEYS, definition("pauses").at("/oneOf/1"));
        assertSameKeys(HostBlock.POINT_KEYS, definition("point"));
        assertSameKeys(ParameterBlock.keysOf(CreditSettings.DEFAULT.parameters()), definition(CreditSettings.KEY));
        Catalogue.portParts()
                .forEach(part -> assertSameKeys(
                        ParameterBlock.keysOf(part.parameters()),
                        definition(PortSchema.definitionOf(part)).at("/oneOf/1")));
    }

    @Test
    void schema_keysOfNetworks_areTheReaders() {
        assertSameKeys(NetworkBlock.KEYS, definition("network"));
        assertSameKeys(names(LinkKeys.LINK, NetworkBlock.DEFAULT_KEYS), definition("networkDefaults"));
        assertSameKeys(names(LinkKeys.LINK, NetworkBlock.LINK_KEYS), definition("link"));
        assertSameKeys(names(HostBlock.KEYS, List.of("name")), definition("namedHost"));
        assertSameKeys(names(TopologyBlock.SWITCH_KEYS, List.of("name")), definition("namedSwitch"));
    }

    @Test
    void schema_keysOfTraffic_areTheReaders() {
        for (TrafficBlock.Kind kind : TrafficBlock.Kind.values()) {
            assertSameKeys(kind.keys(), definition(kind.keyword()));
        }
        assertSameKeys(TimeBlock.KEYS, definition("timeBlock"));
    }

    @Test
    void schema_keysOfFaults_areTheReaders() {
        assertSameKeys(FaultBlock.Kind.BAD_LINK.keys(), definition("badLink"));
        assertSameKeys(FaultBlock.Kind.LINK_DOWN.keys(), definition("linkDown"));
        assertSameKeys(FaultBlock.Kind.PAUSE.keys(), definition("pause"));
        assertSameKeys(FaultBlock.BURST_KEYS, definition("burst"));
    }

    @Test
    void schema_blocksThatSwitchesHaveToo_areTheSame() throws IOException {
        JsonNode other = JSON.readTree(PortSchema.of("switch-1").toString());
        List<String> shared =
                new ArrayList<>(List.of("credits", "ecn", "rateText", "sizeText", "durationText", "shareText"));
        Catalogue.portParts().forEach(part -> shared.add(PortSchema.definitionOf(part)));
        for (String name : shared) {
            assertEquals(other.at("/$defs/" + name), definition(name), name);
        }
    }

    // ---- the same defaults

    @Test
    void schema_defaults_areTheReaders() {
        String plain = """
                duration: 10ms
                topology: {kind: fat-tree, ports: 4, rate: 1Gbps}
                traffic:
                  - {kind: flows, from: h1, to: h2}
                  - {kind: poisson, sizes: xpass_webserver, load: 0.1}
                  - {kind: shuffle, size: 1KB}
                  - {kind: exchange, client: h1, servers: h2, request: 1B, response: 1B}
                faults:
                  - {kind: bad-link, link: [h1, tor1], loss: 1%}
                """;
        ObjectNode written = JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(plain));
        fill(written, schema);
        fill((ObjectNode) written.path("topology"), definition("fatTree"));
        ((ObjectNode) written.path("topology")).set("host", JSON.createObjectNode());
        fillTimers((ObjectNode) written.at("/topology/host"));
        for (JsonNode traffic : written.path("traffic")) {
            fill((ObjectNode) traffic, definition(traffic.path("kind").asText()));
        }
        fill((ObjectNode) written.at("/faults/0"), definition("badLink"));
        ((ObjectNode) written.at("/faults/0")).remove("reorderBy");
        ObjectNode measure = JSON.createObjectNode();
        fill(measure, definition("measure"));
        written.set("measure", measure);
        assertEquals(
                ScenarioFile.parse("s.yaml", plain).scenario(),
                ScenarioFile.parse("s.yaml", written.toString()).scenario());
    }

    /** Writes out every default of a block but those of keys that are there. */
    private void fill(ObjectNode object, JsonNode definition) {
        definition.path("properties").properties().forEach(property -> {
            JsonNode value = property.getValue().path("default");
            JsonNode referred =
                    schema.at(property.getValue().path("$ref").asText("#").substring(1));
            JsonNode chosen = value.isMissingNode() ? referred.path("default") : value;
            if (!object.has(property.getKey()) && !chosen.isMissingNode()) {
                object.set(property.getKey(), chosen);
            }
        });
    }

    @Test
    void schema_defaultsOfPauses_areTheReaders() {
        ObjectNode block = JSON.createObjectNode().put("trace", "spinner");
        fill(block, definition("pauses").at("/oneOf/1"));
        assertEquals(PauseBlock.KEYS.size(), block.size());
        String start = "{duration: 1ms, traffic: [{kind: shuffle, size: 1KB}],"
                + " topology: {kind: star, hosts: 2, rate: 1Gbps, switch: {pauses: ";
        assertEquals(
                ScenarioFile.parse("s.yaml", start + "spinner}}}").scenario(),
                ScenarioFile.parse("s.yaml", start + block + "}}}").scenario());
    }

    /** Acknowledgements apart: to say something of them is to say what buffers there are. */
    private void fillTimers(ObjectNode host) {
        fill(host, definition("host"));
        host.remove("ackFrames");
    }
}
