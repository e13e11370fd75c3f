package io.weir.transport.protocol.catalogue;

import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.testing.Document;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the pages of protocols show their parameters and presets as the code has them. */
class ParameterTablesTest {
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final String[] SIZES = {"B", "KB", "MB", "GB"};
    private static final String[] RATES = {"bps", "kbps", "Mbps", "Gbps", "Tbps"};

    static List<ProtocolKind> kinds() {
        return Catalogue.KINDS;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void page_parameters_areTheCodes(ProtocolKind kind) {
        List<String> head = new ArrayList<>(List.of("parameter"));
        kind.presets().forEach(preset -> head.add("`" + preset.preset() + "`"));
        head.add("meaning");
        StringBuilder text = new StringBuilder(row(head) + "|" + "---|".repeat(head.size()) + "\n");
        for (Parameter<?> parameter : kind.parameters()) {
            List<String> cells = new ArrayList<>(List.of("`" + parameter.key() + "`"));
            kind.presets().forEach(preset -> cells.add(value(preset, parameter)));
            cells.add(parameter.meaning());
            text.append(row(cells));
        }
        Document.requireBlock(
                ProtocolPagesTest.pageOf(kind), "parameters " + kind.id().word(), text.toString());
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String value(Settings settings, Parameter<?> parameter) {
        if (!settings.isUsed(parameter)) {
            return "";
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
            case COUNT -> plain(value);
            case FLAG -> set.toString();
            case CHOICE -> "`" + Parameter.word(set) + "`";
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
