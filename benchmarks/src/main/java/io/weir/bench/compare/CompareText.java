package io.weir.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What findings say, as text in Markdown: it can be read where it is printed, and put into a page. */
final class CompareText {
    private static final double BYTES_PER_KB = 1e3;

    private final Findings findings;
    private final CompareOptions options;

    CompareText(Findings findings) {
        this.findings = findings;
        this.options = findings.options();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int spinners : options.spinners()) {
            for (Job job : options.jobs()) {
                job(text, job, spinners);
            }
        }
        holds(text);
        growths(text);
        gaps(text);
        return text.toString();
    }

    static String title(Job job, int spinners) {
        return job.label()
                + (spinners == 0 ? "" : ", " + spinners + " spinning " + (spinners == 1 ? "thread" : "threads"));
    }

    private void job(StringBuilder text, Job job, int spinners) {
        List<Findings.Row> rows = findings.rows(job, spinners);
        if (rows.isEmpty()) {
            return;
        }
        text.append("### ").append(title(job, spinners)).append("\n\n| measure | subject | median (min to max) |");
        options.bases().forEach(base -> text.append(" / ").append(base).append(" (min to max) |"));
        text.append("\n|---|---|---|")
                .append("---|".repeat(options.bases().size()))
                .append('\n');
        for (Findings.Row row : rows) {
            Measure measure = row.measure();
            text.append("| ").append(measure.label()).append(unit(measure.unit()));
            text.append(" | ").append(row.rival().label());
            text.append(" | ").append(value(measure, row.value())).append(" |");
            ratios(text, row.ratios());
        }
        text.append('\n');
    }

    private static String unit(String unit) {
        return unit.isEmpty() ? "" : ", " + unit;
    }

    private void ratios(StringBuilder text, Map<String, Spread> ratios) {
        for (String base : options.bases()) {
            Spread ratio = ratios.get(base);
            text.append(' ').append(ratio == null ? "" : ratio(ratio)).append(" |");
        }
        text.append('\n');
    }

    private void holds(StringBuilder text) {
        List<Findings.Hold> holds = findings.holds();
        if (holds.isEmpty()) {
            return;
        }
        text.append("### Goodput that spinning threads leave\n\n| threads | subject | with them / without |");
        options.bases().forEach(base -> text.append(" that / ").append(base).append("'s |"));
        text.append("\n|---|---|---|")
                .append("---|".repeat(options.bases().size()))
                .append('\n');
        for (Findings.Hold hold : holds) {
            text.append("| ")
                    .append(hold.spinners())
                    .append(" | ")
                    .append(hold.rival().label());
            text.append(" | ").append(ratio(hold.share())).append(" |");
            ratios(text, hold.ratios());
        }
        text.append('\n');
    }

    private void growths(StringBuilder text) {
        List<Findings.Growth> growths = findings.growths();
        if (growths.isEmpty()) {
            return;
        }
        text.append("### What open connections cost\n\n");
        text.append("| connections | subject | CPU per GB / with one connection | KB per connection, both ends |\n");
        text.append("|---|---|---|---|\n");
        for (Findings.Growth growth : growths) {
            String name =
                    title(new Job(io.weir.bench.compare.end.Task.MANY, 0, growth.connections()), growth.spinners());
            text.append("| ").append(name).append(" | ").append(growth.rival().label());
            text.append(" | ").append(ratio(growth.cost())).append(" | ");
            text.append(spread(growth.bytesPerConnection(), 1 / BYTES_PER_KB)).append(" |\n");
        }
        text.append('\n');
    }

    private void gaps(StringBuilder text) {
        List<Findings.Gap> gaps = findings.gaps();
        if (gaps.isEmpty()) {
            return;
        }
        text.append("### Without a value\n\n| job | subject | reason | rounds |\n|---|---|---|---|\n");
        for (Findings.Gap gap : gaps) {
            text.append("| ").append(title(gap.job(), gap.spinners()));
            text.append(" | ").append(gap.rival().label());
            text.append(" | ").append(gap.reason().replace("|", "\\|"));
            text.append(" | ")
                    .append(gap.count())
                    .append(" of ")
                    .append(options.pairs())
                    .append(" |\n");
        }
        text.append('\n');
    }

    static String value(Measure measure, Spread spread) {
        return spread(spread, measure.inUnit(1));
    }

    private static String spread(Spread spread, double factor) {
        String median = Measure.digits(spread.median() * factor);
        if (spread.count() == 1) {
            return median;
        }
        return median + " (" + Measure.digits(spread.min() * factor) + " to " + Measure.digits(spread.max() * factor)
                + ")";
    }

    static String ratio(Spread spread) {
        if (spread.count() == 1) {
            return String.format(Locale.ROOT, "%.2f", spread.median());
        }
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", spread.median(), spread.min(), spread.max());
    }
}
