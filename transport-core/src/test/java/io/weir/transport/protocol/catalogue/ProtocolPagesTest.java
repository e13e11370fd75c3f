package io.weir.transport.protocol.catalogue;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.testing.Document;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each protocol of the catalogue has its page, with its parameters as the code has them. */
class ProtocolPagesTest {
    static List<ProtocolKind> kinds() {
        return Catalogue.KINDS;
    }

    private static Path pageOf(ProtocolKind kind) {
        return Document.root().resolve("docs/protocols/" + kind + ".md");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void page_ofEachProtocol_hasItsParameters(ProtocolKind kind) {
        String name = "docs/protocols/" + kind + ".md";
        assertTrue(Files.exists(pageOf(kind)), name + " is missing; docs/ADDING-A-PROTOCOL.md says what is in it");
        StringBuilder table = new StringBuilder("| key | usual | limits | meaning |\n|---|---|---|---|\n");
        for (Parameter parameter : kind.parameters()) {
            table.append("| `").append(parameter.key()).append("` | ");
            table.append(print(parameter, parameter.usual())).append(" | ");
            table.append(limits(parameter)).append(" | ");
            table.append(parameter.meaning()).append(" |\n");
        }
        Document.requireBlock(name, "parameters", table.toString());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void readme_documents_linkToThePage(ProtocolKind kind) {
        String link = "docs/protocols/" + kind + ".md";
        assertTrue(Document.read("README.md").contains(link), "README.md has no link to " + link);
    }

    private static String limits(Parameter parameter) {
        return switch (parameter.unit()) {
            case FRACTION, COUNT -> plain(parameter.min()) + " to " + plain(parameter.max());
            case NANOS, BYTES, BPS, FLAG -> "";
        };
    }

    private static String print(Parameter parameter, double value) {
        return switch (parameter.unit()) {
            case NANOS -> scaled(value, List.of("ns", "us", "ms", "s"), 1_000);
            case BPS -> scaled(value, List.of("bps", "kbps", "Mbps", "Gbps"), 1_000);
            case BYTES -> plain(value) + " B";
            case FLAG -> value == 0 ? "false" : "true";
            case FRACTION, COUNT -> plain(value);
        };
    }

    private static String scaled(double value, List<String> units, int factor) {
        int unit = 0;
        double rest = value;
        while (unit < units.size() - 1 && rest >= factor && rest % factor == 0) {
            rest /= factor;
            unit++;
        }
        return plain(rest) + " " + units.get(unit);
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
