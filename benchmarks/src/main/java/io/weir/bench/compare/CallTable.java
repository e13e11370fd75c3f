package io.weir.bench.compare;

import io.weir.bench.compare.end.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One table of all calls: medians, of which there are too many for a spread in each cell. */
final class CallTable {
    private static final String NOTE =
            "A request, a response of the same size, the next request; medians. Payload counts both; bulk is one stream"
                    + " for one connection, and one each way together for more. Credits are the client's: sent for"
                    + " responses, used and expired for requests.";

    private final CompareFindings findings;
    private final CompareOptions options;
    private final int spinners;

    CallTable(CompareFindings findings, int spinners) {
        this.findings = findings;
        this.options = findings.options();
        this.spinners = spinners;
    }

    /** Adds the table, where there are calls. */
    void addTo(List<CompareSection> sections) {
        List<Job> jobs =
                options.jobs().stream().filter(job -> job.task() == Task.CALLS).toList();
        if (!jobs.isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            jobs.forEach(job -> addRows(rows, job));
            String title = "Calls"
                    + (spinners == 0 ? "" : ", " + spinners + " spinning " + (spinners == 1 ? "thread" : "threads"));
            sections.add(new CompareSection(title, NOTE, headers(), rows, List.of()));
        }
    }

    private List<String> headers() {
        List<String> headers =
                new ArrayList<>(List.of("bytes", "connections", "outstanding", "subject", "payload / bulk"));
        for (Measure measure : Measure.columns(Task.CALLS)) {
            headers.add(measure.labelWithUnit());
            if (Measure.divided(Task.CALLS).contains(measure)) {
                options.bases().forEach(base -> headers.add(measure.label() + " / " + base));
            }
        }
        return headers;
    }

    private void addRows(List<List<String>> rows, Job job) {
        Map<Rival, Map<Measure, CompareFindings.Row>> byRival = new LinkedHashMap<>();
        options.rivals().forEach(rival -> byRival.put(rival, new LinkedHashMap<>()));
        findings.rows(job, spinners).forEach(row -> byRival.get(row.rival()).put(row.measure(), row));
        byRival.forEach((rival, values) -> {
            if (!values.isEmpty()) {
                rows.add(row(job, rival, values));
            }
        });
    }

    private List<String> row(Job job, Rival rival, Map<Measure, CompareFindings.Row> values) {
        Spread share = findings.shareOfStream(job, spinners, rival);
        List<String> cells = new ArrayList<>(List.of(
                Integer.toString(job.sizeBytes()),
                Integer.toString(job.connections()),
                Integer.toString(job.outstanding()),
                rival.label(),
                share == null ? "" : Measure.digits(share.median())));
        for (Measure measure : Measure.columns(Task.CALLS)) {
            CompareFindings.Row row = values.get(measure);
            cells.add(row == null ? "" : measure.text(row.value().median()));
            if (Measure.divided(Task.CALLS).contains(measure)) {
                for (String base : options.bases()) {
                    Spread ratio = row == null ? null : row.ratios().get(base);
                    cells.add(ratio == null ? "" : Measure.digits(ratio.median()));
                }
            }
        }
        return cells;
    }
}
