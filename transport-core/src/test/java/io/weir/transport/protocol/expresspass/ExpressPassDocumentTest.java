package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.testing.Document;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that docs/protocols/expresspass.md shows the presets and their figures as the code has them. */
class ExpressPassDocumentTest {
    private static final String NAME = "docs/protocols/expresspass.md";
    private static final String PRESETS = "transport-core/src/test/resources/ExpressPassPresets.txt";

    private static final List<String> SCENARIO_COLUMNS = List.of(
            "flows",
            "preset",
            "utilisation",
            "Jain, 10 ms",
            "Jain, 2 ms",
            "round trips",
            "queue, B",
            "credit loss",
            "data drops");

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String header(List<String> cells) {
        return row(cells) + "|" + "---|".repeat(cells.size()) + "\n";
    }

    @Test
    void scenarios_printed_areTheGoldenTable() {
        for (String drop : List.of("RANDOM", "TAIL")) {
            String rows = Document.read(PRESETS)
                    .lines()
                    .filter(line -> line.contains(" " + drop + " "))
                    .map(line -> row(List.of(line.replace(drop, "").strip().split(" +"))))
                    .collect(Collectors.joining());
            Document.requireBlock(NAME, "scenarios " + drop, header(SCENARIO_COLUMNS) + rows);
        }
    }

    @Test
    void presets_printed_haveEveryParameter() throws ReflectiveOperationException {
        List<ExpressPassConfig> presets = List.of(
                ExpressPassConfig.weir(),
                ExpressPassConfig.paper(),
                ExpressPassConfig.authors(),
                ExpressPassConfig.naive());
        StringBuilder text =
                new StringBuilder(header(List.of("`ExpressPassConfig`", "weir", "paper", "authors", "naive")));
        for (RecordComponent parameter : ExpressPassConfig.class.getRecordComponents()) {
            List<String> cells = new ArrayList<>(List.of("`" + parameter.getName() + "`"));
            for (ExpressPassConfig preset : presets) {
                Object value = parameter.getAccessor().invoke(preset);
                cells.add(
                        value instanceof FeedbackConfig rule
                                ? "`" + rule.getClass().getSimpleName() + "`"
                                : print(value));
            }
            text.append(row(cells));
        }
        Document.requireBlock(NAME, "presets", text.toString());
    }

    @Test
    void rules_printed_haveEveryParameter() throws ReflectiveOperationException {
        StringBuilder text = new StringBuilder(header(List.of("`FeedbackConfig`", "parameter", "value")));
        List<Class<?>> printed = new ArrayList<>();
        for (ExpressPassConfig preset :
                List.of(ExpressPassConfig.weir(), ExpressPassConfig.paper(), ExpressPassConfig.authors())) {
            FeedbackConfig rule = preset.feedback();
            printed.add(rule.getClass());
            for (RecordComponent parameter : rule.getClass().getRecordComponents()) {
                String name = rule.getClass().getSimpleName();
                String value = print(parameter.getAccessor().invoke(rule));
                text.append(row(List.of("`" + name + "`", "`" + parameter.getName() + "`", value)));
            }
        }
        printed.add(FeedbackConfig.Naive.class);
        assertEquals(List.of(FeedbackConfig.class.getPermittedSubclasses()).size(), printed.size());
        Document.requireBlock(NAME, "rules", text.toString());
    }

    /** Groups digits: 2000000 is hard to read, and a unit stands in the parameter's name. */
    private static String print(Object value) {
        return value instanceof Number number && !(value instanceof Double)
                ? String.format(Locale.ROOT, "%,d", number.longValue())
                : value.toString();
    }
}
