package io.weir.bench.compare;

import io.weir.bench.compare.end.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns findings into sections: tables of text, and charts. The JSON document has what tables leave out. */
final class CompareSections {
    private static final double BYTES_PER_KB = 1e3;
    /** With fewer connections, the noise of two heaps hides what one takes. */
    private static final int MEMORY_CONNECTIONS_MIN = 1000;

    private final CompareFindings findings;
    private final CompareOptions options;

    CompareSections(CompareFindings findings) {
        this.findings = findings;
        this.options = findings.options();
    }

    List<CompareSection> all() {
        List<CompareSection> sections = new ArrayList<>();
        for (int spinners : options.spinners()) {
            for (Job job : options.jobs()) {
                if (job.task() != Task.CALLS) {
                    addJob(sections, job, spinners);
                }
            }
            new CallTable(findings, spinners).addTo(sections);
        }
        addHolds(sections);
        addGrowths(sections);
        addSavings(sections);
        addGaps(sections);
        return sections;
    }

    static String title(Job job, int spinners) {
        return job.label()
                + (spinners == 0 ? "" : ", " + spinners + " spinning " + (spinners == 1 ? "thread" : "threads"));
    }

    private void addJob(List<CompareSection> sections, Job job, int spinners) {
        List<CompareFindings.Row> rows = findings.rows(job, spinners);
        Map<Rival, String> reasons = new LinkedHashMap<>();
        findings.gaps().stream()
                .filter(gap -> gap.job().equals(job) && gap.spinners() == spinners)
                .forEach(gap -> reasons.putIfAbsent(gap.rival(), gap.reason()));
        Map<Rival, Map<Measure, CompareFindings.Row>> byRival = new LinkedHashMap<>();
        rows.forEach(row -> byRival.computeIfAbsent(row.rival(), rival -> new LinkedHashMap<>())
                .put(row.measure(), row));
        List<Measure> measures = Measure.columns(job.task()).stream()
                .filter(measure -> measure == Measure.columns(job.task()).get(0)
                        || rows.stream().anyMatch(row -> row.measure() == measure))
                .toList();
        List<String> headers = new ArrayList<>(List.of("subject"));
        for (Measure measure : measures) {
            headers.add(measure.labelWithUnit());
            if (Measure.divided(job.task()).contains(measure)) {
                options.bases().forEach(base -> headers.add(measure.label() + " / " + base));
            }
        }
        List<List<String>> cells = new ArrayList<>();
        for (Rival rival : options.rivals()) {
            if (byRival.containsKey(rival)) {
                cells.add(cells(job, rival, measures, byRival.get(rival)));
            } else if (reasons.containsKey(rival)) {
                cells.add(withoutValue(rival, reasons.get(rival), headers.size()));
            }
        }
        sections.add(new CompareSection(
                title(job, spinners), note(job.task()), headers, cells, charts(job, spinners, rows)));
    }

    private List<String> cells(Job job, Rival rival, List<Measure> measures, Map<Measure, CompareFindings.Row> rows) {
        List<String> cells = new ArrayList<>(List.of(rival.label()));
        for (Measure measure : measures) {
            CompareFindings.Row row = rows.get(measure);
            cells.add(row == null ? "" : value(measure, row.value()));
            if (Measure.divided(job.task()).contains(measure)) {
                for (String base : options.bases()) {
                    Spread ratio = row == null ? null : row.ratios().get(base);
                    cells.add(ratio == null ? "" : ratio(ratio));
                }
            }
        }
        return cells;
    }

    private static List<String> withoutValue(Rival rival, String reason, int columns) {
        List<String> cells = new ArrayList<>(List.of(rival.label(), reason));
        while (cells.size() < columns) {
            cells.add("");
        }
        return cells;
    }

    private static String note(Task task) {
        return switch (task) {
            case BULK -> "One stream from client to server. The first second begins when the client's port is open.";
            case DUPLEX -> "A stream each way over one connection; goodput is that of both together.";
            case CALLS -> throw new IllegalArgumentException("calls share a table");
            case ROUND_TRIPS -> "A message goes to the server and comes back before the next is sent.";
            case CONNECTS -> "One connection after the other: open, one byte to the server and back, close.";
            case MANY -> "So many connections are opened, 32 at a time. Then one of them carries a stream.";
            case IDLE -> "One open connection without traffic. Clock ticks of 10 ms are the resolution.";
        };
    }

    private List<String> charts(Job job, int spinners, List<CompareFindings.Row> rows) {
        List<String> charts = new ArrayList<>();
        if (rows.isEmpty()) {
            return charts;
        }
        Measure first = Measure.columns(job.task()).get(0);
        if (job.task() == Task.ROUND_TRIPS) {
            charts.add(CompareCharts.percentiles(rows));
        } else {
            charts.add(CompareCharts.bars(
                    first, rows.stream().filter(row -> row.measure() == first).toList()));
        }
        if (job.task() == Task.BULK) {
            Map<String, List<Double>> ramps = new LinkedHashMap<>();
            for (Rival rival : options.rivals()) {
                List<Double> ramp = findings.ramp(spinners, rival);
                if (!ramp.isEmpty()) {
                    ramps.put(rival.label(), ramp);
                }
            }
            charts.add(CompareCharts.ramps(ramps));
        }
        return charts;
    }

    private void addHolds(List<CompareSection> sections) {
        List<CompareFindings.Hold> holds = findings.holds();
        if (holds.isEmpty()) {
            return;
        }
        List<String> headers = new ArrayList<>(List.of("spinning threads", "subject", "goodput with them / without"));
        options.bases().forEach(base -> headers.add("that / " + base + "'s"));
        List<List<String>> rows = new ArrayList<>();
        for (CompareFindings.Hold hold : holds) {
            List<String> cells = new ArrayList<>(
                    List.of(Integer.toString(hold.spinners()), hold.rival().label(), ratio(hold.share())));
            options.bases()
                    .forEach(base -> cells.add(
                            hold.ratios().containsKey(base)
                                    ? ratio(hold.ratios().get(base))
                                    : ""));
            rows.add(cells);
        }
        sections.add(new CompareSection(
                "Goodput that spinning threads leave",
                "Threads that compute all the time take turns with everybody on the same cores.",
                headers,
                rows,
                List.of()));
    }

    private void addGrowths(List<CompareSection> sections) {
        List<List<String>> rows = new ArrayList<>();
        for (CompareFindings.Growth growth : findings.growths()) {
            boolean isLarge = growth.connections() >= MEMORY_CONNECTIONS_MIN;
            rows.add(List.of(
                    title(new Job(Task.MANY, 0, growth.connections()), growth.spinners()),
                    growth.rival().label(),
                    ratio(growth.cost()),
                    isLarge ? spread(growth.bytesPerConnection(), 1 / BYTES_PER_KB) : ""));
        }
        if (!rows.isEmpty()) {
            sections.add(new CompareSection(
                    "What open connections cost",
                    "Memory is that of the processes; what the kernel holds for its sockets is not in it.",
                    List.of(
                            "connections",
                            "subject",
                            "CPU per GB / with one connection",
                            "KB per connection, both ends"),
                    rows,
                    List.of()));
        }
    }

    private void addSavings(List<CompareSection> sections) {
        List<List<String>> rows = new ArrayList<>();
        for (CompareFindings.Saving saving : findings.savings()) {
            rows.add(List.of(
                    title(saving.job(), saving.spinners()),
                    value(Measure.P50, saving.echoNanos()),
                    value(Measure.P50, saving.unaryNanos()),
                    ratio(saving.kept())));
        }
        if (!rows.isEmpty()) {
            sections.add(new CompareSection(
                    "What gRPC keeps of it",
                    "The median over epoll less the median over Weir.",
                    List.of("job", "Netty's echo saves, us", "gRPC's unary call saves, us", "call / echo"),
                    rows,
                    List.of()));
        }
    }

    private void addGaps(List<CompareSection> sections) {
        List<List<String>> rows = new ArrayList<>();
        for (CompareFindings.Gap gap : findings.gaps()) {
            rows.add(List.of(
                    title(gap.job(), gap.spinners()),
                    gap.rival().label(),
                    gap.reason(),
                    gap.count() + " of " + options.pairs()));
        }
        if (!rows.isEmpty()) {
            sections.add(new CompareSection(
                    "Runs without a value", "", List.of("job", "subject", "reason", "rounds"), rows, List.of()));
        }
    }

    private static String value(Measure measure, Spread spread) {
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

    private static String ratio(Spread spread) {
        if (spread.count() == 1) {
            return String.format(Locale.ROOT, "%.2f", spread.median());
        }
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", spread.median(), spread.min(), spread.max());
    }
}
