package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.Slack;
import io.weir.transport.host.HostConfig;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.runtime.CpuSet;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.testing.Document;
import io.weir.transport.wire.IpAddress;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests {@link TransportConfig}, and that docs/CONFIGURATION.md has every option of every record with its default. */
class TransportConfigTest {
    private static final String REQUIRED = "required";
    private static final Pattern SECTION = Pattern.compile("(?ms)^#+ `([\\w.]+)`\\n(.*?)(?=^#|\\z)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");

    /** Each record with its defaults. */
    private static Map<String, Record> defaults() {
        HostConfig host =
                HostConfig.builder(1, List.of(IpAddress.v4(1)), 1_000_000_000L).build();
        SwitchPortConfig port = SwitchPortConfig.builder(1_000_000_000L).build();
        Map<String, Record> defaults = new LinkedHashMap<>();
        defaults.put("TransportConfig", TransportConfig.DEFAULT);
        defaults.put("PortConfig", PortConfig.DEFAULT);
        defaults.put("SchedulingConfig", SchedulingConfig.DEFAULT);
        defaults.put("Slack", Slack.LIVE);
        defaults.put("HostConfig", host);
        defaults.put("HostLinkConfig", host.link());
        defaults.put("HostConfig.Peers", TransportConfig.DEFAULT.peers());
        defaults.put("StreamLimits", host.streams());
        defaults.put("ConnectionTimers", host.timers());
        defaults.put("HostConfig.Liveness", TransportConfig.DEFAULT.liveness());
        defaults.put("CreditPortConfig", host.link().credits());
        defaults.put("SwitchPortConfig", port);
        defaults.put("SwitchPortConfig.LinkEmulation", port.link());
        defaults.put("EcnConfig", EcnConfig.step(1));
        return defaults;
    }

    private static boolean isRequired(String record, String option) {
        return record.equals("EcnConfig")
                || (record.equals("HostConfig") && List.of("mac", "addresses").contains(option))
                || (record.equals("HostLinkConfig")
                        && List.of("rateBps", "deviceRateBps").contains(option))
                || (record.equals("SwitchPortConfig") && option.equals("linkRateBps"))
                || (record.equals("CreditPortConfig")
                        && List.of("rateBps", "creditShape").contains(option));
    }

    private static String print(Object value) {
        if (value == null) {
            return "none";
        }
        if (value instanceof List<?> list
                && list.stream().allMatch(ProtocolConfig.class::isInstance)
                && !list.isEmpty()) {
            return "weir, and the usual preset of every other";
        }
        if (value instanceof CpuSet cpus) {
            return cpus.isAny() ? "empty" : cpus.toString();
        }
        if (value instanceof Record record) {
            return "`" + nameOf(record) + "`";
        }
        if (value instanceof Integer || value instanceof Long) {
            return String.format(Locale.ROOT, "%,d", ((Number) value).longValue());
        }
        return value.toString().isEmpty() ? "empty" : value.toString();
    }

    private static String nameOf(Record record) {
        Class<?> outer = record.getClass().getEnclosingClass();
        String name = record.getClass().getSimpleName();
        return outer == null ? name : outer.getSimpleName() + "." + name;
    }

    @Test
    void document_sections_haveEveryOptionWithItsDefaultUnitAndLimits() throws ReflectiveOperationException {
        Map<String, String> sections = new LinkedHashMap<>();
        for (MatchResult section : SECTION.matcher(Document.read("docs/CONFIGURATION.md"))
                .results()
                .toList()) {
            sections.put(section.group(1), section.group(2));
        }
        for (Map.Entry<String, Record> entry : defaults().entrySet()) {
            String name = entry.getKey();
            assertTrue(sections.containsKey(name), "no section for " + name + " in " + sections.keySet());
            Map<String, String> rows = new LinkedHashMap<>();
            ROW.matcher(sections.get(name)).results().forEach(row -> rows.put(row.group(1), row.group(2)));
            Map<String, String> expected = new LinkedHashMap<>();
            for (RecordComponent option : entry.getValue().getClass().getRecordComponents()) {
                Object value = option.getAccessor().invoke(entry.getValue());
                expected.put(option.getName(), isRequired(name, option.getName()) ? REQUIRED : print(value));
            }
            assertEquals(expected, rows, name);
        }
    }

    @Test
    void document_idleModes_areAllThere() {
        String document = Document.read("docs/CONFIGURATION.md");
        Arrays.stream(IdleMode.values())
                .forEach(mode -> assertTrue(document.contains("`" + mode + "`"), mode + " is missing"));
        Arrays.stream(CreditPortConfig.Drop.values())
                .forEach(drop -> assertTrue(document.contains("`" + drop + "`"), drop + " is missing"));
    }

    @Test
    void build_outOfRange_isRefusedWithTheLimit() {
        requireRefused("linkRateBps", TransportConfig.builder().linkRateBps(-1));
        requireRefused("creditlessPpm", TransportConfig.builder().creditlessPpm(1_000_000));
        ConfigException frames = assertThrows(
                ConfigException.class, () -> TransportConfig.builder().frameCount(1));
        assertTrue(frames.getMessage().contains("frameCount=1"), frames.getMessage());
        requireRefused("connectionsMax", TransportConfig.builder().connections(0, 1));
        requireRefused("backlogMax", TransportConfig.builder().connections(1, 0));
    }

    @Test
    void build_protocolsThatCannotBe_areRefusedWithTheRemedy() {
        requireRefused("protocols is empty", TransportConfig.builder().protocols(List.of()));
        requireRefused(
                "protocols has expresspass as weir and as paper",
                TransportConfig.builder().protocols(List.of(ExpressPass.weir(), ExpressPass.paper())));
        ProtocolKind oracle = new ProtocolKind(
                        new ProtocolId(15, "oracle"),
                        "nowhere",
                        List.of(Parameter.flag("x", true, "x")),
                        (s, r) -> null)
                .simulatedOnly("it knows every flow of the network");
        requireRefused(
                "oracle cannot run on real ports: it knows every flow of the network; run it in a simulation",
                TransportConfig.builder().prefer(oracle.usual()));
    }

    @Test
    void prefer_protocolThatIsThere_replacesItAndComesFirst() {
        TransportConfig config =
                TransportConfig.builder().prefer(ExpressPass.paper()).build();
        assertEquals(
                TransportConfig.DEFAULT.protocols().size(), config.protocols().size());
        assertEquals("paper", config.protocols().get(0).preset());
    }

    private static void requireRefused(String option, TransportConfig.Builder builder) {
        ConfigException refused = assertThrows(ConfigException.class, builder::build);
        assertTrue(refused.getMessage().contains(option), refused.getMessage());
    }
}
