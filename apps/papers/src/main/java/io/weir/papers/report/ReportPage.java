package io.weir.papers.report;

import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.loader.ClasspathLoader;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.output.ResultDocument;
import io.weir.papers.Claim;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page: one file without scripts that loads nothing. Everything in it is escaped but the drawings, which are this
 * program's.
 */
final class ReportPage {
    private static final String TEMPLATE = "io/weir/papers/report/report.peb";

    private static final Pattern NUMBER_AND_UNIT =
            Pattern.compile("(?<=\\d) (?=%|[KMG]?B\\b|[kMG]bps|[num]?s\\b|RTTs|times|points)");

    private ReportPage() {}

    /**
     * A figure on the page.
     *
     * @param result what it found
     * @param drawings its charts as elements
     */
    public record Section(FigureResult result, List<String> drawings) {
        /** {@return its claims} */
        public List<Row> rows() {
            return result.claims().stream().map(claim -> Row.of(result, claim)).toList();
        }
    }

    /**
     * A row of the first table.
     *
     * @param figure the figure's name
     * @param anchor where on the page it is
     * @param claim the claim
     */
    public record Row(String figure, String anchor, Claim claim) {
        static Row of(FigureResult figure, Claim claim) {
            return new Row(figure.id(), figure.fileName(), typeset(claim));
        }

        /** {@return the claim with numbers that are not parted from their units at the end of a line} */
        private static Claim typeset(Claim claim) {
            return new Claim(
                    claim.id(),
                    claim.statement(),
                    together(claim.paperValue()),
                    together(claim.measured()),
                    together(claim.criterion()),
                    claim.verdict(),
                    together(claim.distance()),
                    claim.page());
        }

        private static String together(String text) {
            return NUMBER_AND_UNIT.matcher(text).replaceAll("\u00a0");
        }
    }

    /** {@return the page} */
    static String of(ResultDocument document, PaperResult result, List<Section> sections) throws IOException {
        List<Row> rows = new ArrayList<>();
        Map<String, Long> counts = new LinkedHashMap<>();
        for (FigureResult figure : result.figures()) {
            for (Claim claim : figure.claims()) {
                rows.add(Row.of(figure, claim));
                counts.merge(claim.verdict().label(), 1L, Long::sum);
            }
        }
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("ok", document.ok());
        model.put("result", result);
        model.put("rows", rows);
        model.put("counts", counts(counts));
        model.put(
                "failed",
                result.figures().stream()
                        .filter(figure -> !figure.failure().isEmpty())
                        .toList());
        model.put("sections", sections);
        model.put("environment", environment(document.environment()));
        StringWriter page = new StringWriter();
        engine().getTemplate(TEMPLATE).evaluate(page, model, Locale.ROOT);
        return page.toString();
    }

    private static PebbleEngine engine() {
        return new PebbleEngine.Builder()
                .loader(new ClasspathLoader(ReportPage.class.getClassLoader()))
                .strictVariables(true)
                .cacheActive(false)
                .build();
    }

    private static String counts(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    private static Map<String, String> environment(Fingerprint environment) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("Weir", environment.weirVersion() + ", commit " + environment.commit());
        lines.put(
                "Java",
                environment.jdk().vendor() + " " + environment.jdk().version() + ", "
                        + environment.jdk().vm());
        lines.put("System", environment.os() + ", kernel " + environment.kernel() + ", " + environment.architecture());
        lines.put("Processor", environment.cpuModel() + ", " + environment.coreCount() + " cores");
        return lines;
    }
}
