package io.weir.transport.protocol.catalogue;

import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.Parameter.Presence;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.Tunable;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.testing.Document;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the pages show the parameters and presets of protocols, their parts at ports, and of credit meters as the
 * code has them. */
class ParameterTablesTest {
    private static final double PPM_PER_PERCENT = 10_000;
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final String[] SIZES = {"B", "KB", "MB", "GB"};
    private static final String[] RATES = {"bps", "kbps", "Mbps", "Gbps", "Tbps"};

    static List<ProtocolKind> kinds() {
        return Catalogue.KINDS;
    }

    static List<ProtocolKind> kindsWithPortParts() {
        return Catalogue.KINDS.stream()
                .filter(kind -> !kind.portParts().isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void page_parameters_areTheCodes(ProtocolKind kind) {
        List<String> names = kind.presets().stream().map(Settings::preset).toList();
        requireTable(ProtocolPagesTest.pageOf(kind), kind.id().name(), names, kind.presets());
    }

    @ParameterizedTest
    @MethodSource("kindsWithPortParts")
    void page_parametersOfPorts_areTheCodes(ProtocolKind kind) {
        for (PortPart part : kind.portParts()) {
            requireTable(ProtocolPagesTest.pageOf(kind), "port " + part, List.of(part.key()), List.of(part.usual()));
        }
    }

    @Test
    void page_parametersOfCredits_areTheCodes() {
        List<CreditSettings> presets = CreditSettings.DEFAULT.presets();
        List<String> models =
                presets.stream().map(preset -> Parameter.nameOf(preset.model())).toList();
        requireTable("docs/SWITCH.md", CreditSettings.KEY, models, presets);
    }

    private static void requireTable(
            String page, String block, List<String> names, List<? extends Tunable<?>> presets) {
        List<String> head = new ArrayList<>(List.of("parameter"));
        names.forEach(name -> head.add("`" + name + "`"));
        head.add("meaning");
        StringBuilder text = new StringBuilder(row(head) + "|" + "---|".repeat(head.size()) + "\n");
        for (Parameter<?> parameter : presets.get(0).parameters()) {
            List<String> cells = new ArrayList<>(List.of("`" + parameter.key() + "`"));
            presets.forEach(preset -> cells.add(value(preset, parameter)));
            cells.add(parameter.meaning());
            text.append(row(cells));
        }
        Document.requireBlock(page, "parameters " + block, text.toString());
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String value(Tunable<?> settings, Parameter<?> parameter) {
        if (!settings.isUsed(parameter)) {
            return "";
        }
        if (parameter.presence() != Presence.USUAL) {
            return parameter.presence() == Presence.REQUIRED ? "(needed)" : "(none)";
        }
        Object set = settings.get(parameter);
        double value = set instanceof Number number ? number.doubleValue() : 0;
        return switch (parameter.unit()) {
            case NANOS -> quantity(value, TIMES);
            case BYTES -> quantity(value, SIZES);
            case BPS -> quantity(value, RATES);
            case FRACTION ->
                value > 0 && value < 0.1 && 1 / value == Math.rint(1 / value) && 1 / value < 1_000
                        ? "1/" + Math.round(1 / value)
                        : plain(value);
            case PPM -> plain(value / PPM_PER_PERCENT) + " %";
            case COUNT -> plain(value);
            case FLAG -> set.toString();
            case CHOICE -> "`" + Parameter.nameOf(set) + "`";
        };
    }

    private static String quantity(double value, String[] units) {
        double amount = value;
        int unit = 0;
        while (amount >= 1_000 && unit < units.length - 1) {
            amount /= 1_000;
            unit++;
        }
        return plain(amount) + " " + units[unit];
    }

    private static String plain(double value) {
        return value == 0 ? "0" : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
