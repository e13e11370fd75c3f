package io.weir.bench.compare;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.output.Json;
import io.weir.cli.unit.Rates;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What findings say, as JSON: every run, every ratio, the machine, and the command. Values are in base units. */
final class CompareDocument {
    private final CompareFindings findings;
    private final List<String> arguments;
    private final Fingerprint environment = Fingerprint.take();

    CompareDocument(CompareFindings findings, List<String> arguments) {
        this.findings = findings;
        this.arguments = arguments;
    }

    /** {@return what was run where, for readers} */
    String introduction() {
        CompareOptions options = findings.options();
        String command = "java -jar benchmarks/target/weir-benchmarks-" + environment.weirVersion() + ".jar compare "
                + String.join(" ", arguments);
        String machine = environment.cpuModel() + ", " + environment.coreCount() + " cores, " + environment.os()
                + ", Linux " + environment.kernel() + ", JDK "
                + environment.jdk().version() + ", Weir "
                + environment.weirVersion() + " (" + environment.commit() + ").";
        return "    " + command.strip() + "\n\n" + machine + "\n\n" + how(options) + others();
    }

    private static String how(CompareOptions options) {
        String rounds = options.pairs() == 1
                ? "One round: a first look, not a measurement."
                : "Medians of " + options.pairs() + " rounds, with the smallest and the largest value.";
        String links = "MTU " + options.mtuBytes()
                + (options.rateBps() == 0 ? "" : ", links of " + Rates.print(options.rateBps())) + ".";
        return rounds
                + " In each round every subject has its turn, with fresh processes. Ratios are made within a round. "
                + plain(options.warmSeconds()) + " s of traffic come before the " + plain(options.seconds())
                + " s that count. " + links
                + (options.hasArchives() ? " Processes start with archives of their classes." : "");
    }

    /** A busy machine makes every figure worse, and not all by the same factor. */
    private String others() {
        return findings.others()
                .map(spread -> " Meanwhile everything else on the machine used " + Measure.digits(spread.median())
                        + " % of a core (median of all runs without spinning threads; at most "
                        + Measure.digits(spread.max()) + " %).")
                .orElse("");
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    String json() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", "weir-compare/1");
        document.put("arguments", arguments);
        document.put("environment", environment);
        document.put("options", options());
        document.put("rows", rows());
        document.put("holds", holds());
        document.put("growths", growths());
        document.put("gaps", gaps());
        document.put("runs", runs());
        StringWriter text = new StringWriter();
        Json.print(new PrintWriter(text, true), document);
        return text.toString();
    }

    private Map<String, Object> options() {
        CompareOptions options = findings.options();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("pairs", options.pairs());
        map.put("warmSeconds", options.warmSeconds());
        map.put("seconds", options.seconds());
        map.put("spinners", options.spinners());
        map.put("mtuBytes", options.mtuBytes());
        map.put("rateBps", options.rateBps());
        map.put("hasArchives", options.hasArchives());
        map.put("bases", options.bases());
        return map;
    }

    private static Map<String, Object> place(Job job, int spinners, Rival rival) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("job", job.label());
        map.put("spinners", spinners);
        map.put("subject", rival.name());
        return map;
    }

    private List<Object> rows() {
        List<Object> list = new ArrayList<>();
        for (int spinners : findings.options().spinners()) {
            for (Job job : findings.options().jobs()) {
                for (CompareFindings.Row row : findings.rows(job, spinners)) {
                    Map<String, Object> map = place(job, spinners, row.rival());
                    map.put("measure", row.measure().name());
                    map.put("value", row.value());
                    map.put("ratios", row.ratios());
                    list.add(map);
                }
            }
        }
        return list;
    }

    private List<Object> holds() {
        List<Object> list = new ArrayList<>();
        for (CompareFindings.Hold hold : findings.holds()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("spinners", hold.spinners());
            map.put("subject", hold.rival().name());
            map.put("share", hold.share());
            map.put("ratios", hold.ratios());
            list.add(map);
        }
        return list;
    }

    private List<Object> growths() {
        List<Object> list = new ArrayList<>();
        for (CompareFindings.Growth growth : findings.growths()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("spinners", growth.spinners());
            map.put("subject", growth.rival().name());
            map.put("connections", growth.connections());
            map.put("cost", growth.cost());
            map.put("bytesPerConnection", growth.bytesPerConnection());
            list.add(map);
        }
        return list;
    }

    private List<Object> gaps() {
        List<Object> list = new ArrayList<>();
        for (CompareFindings.Gap gap : findings.gaps()) {
            Map<String, Object> map = place(gap.job(), gap.spinners(), gap.rival());
            map.put("reason", gap.reason());
            map.put("count", gap.count());
            list.add(map);
        }
        return list;
    }

    private List<Object> runs() {
        List<Object> list = new ArrayList<>();
        findings.outcomes().forEach((turn, outcome) -> {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("round", turn.round());
            map.putAll(place(turn.job(), turn.spinners(), turn.rival()));
            Map<String, Double> values = new LinkedHashMap<>();
            outcome.values().forEach((measure, value) -> values.put(measure.name(), value));
            map.put("values", values);
            map.put("rampBps", outcome.ramp());
            map.put("failure", outcome.isFailure() ? outcome.failureText() : null);
            list.add(map);
        });
        return list;
    }
}
