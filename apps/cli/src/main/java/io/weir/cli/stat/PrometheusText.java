package io.weir.cli.stat;

import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.MetricName;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What was seen, in Prometheus's text format. A transport, a switch's port or a broker is told from others by process
 * and interface; drops are one metric with a label for their reason.
 */
final class PrometheusText {
    /** What {@link #of} gives. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final String DROP = "DROP_";

    /** By name, each with its kind and samples in order: those of one metric must stand together. */
    private final Map<String, StringBuilder> metrics = new LinkedHashMap<>();

    private PrometheusText() {}

    /** {@return all that the survey has} */
    static String of(Survey survey) {
        PrometheusText text = new PrometheusText();
        for (SeenTransport seen : survey.transports()) {
            text.addInfo(seen);
            text.addErrors(seen);
            seen.counters().forEach((name, value) -> text.addCounter(seen, name, value));
            for (int i = 0; i < seen.counts().loops().size(); i++) {
                CounterSnapshot.Loop loop = seen.counts().loops().get(i);
                int index = i;
                loop.gauges().forEach((name, value) -> text.addGauge(seen, index, name, value));
            }
        }
        text.metric("weir_stat_notes", "gauge", "files and folders that could not be read or were removed")
                .append("weir_stat_notes ")
                .append(survey.notes().size())
                .append('\n');
        return String.join("", text.metrics.values());
    }

    private StringBuilder metric(String name, String type, String help) {
        return metrics.computeIfAbsent(
                name,
                made -> new StringBuilder("# HELP " + made + " " + help + "\n# TYPE " + made + " " + type + "\n"));
    }

    private void addInfo(SeenTransport seen) {
        String metric = "weir_" + seen.counts().facts().subject().name().toLowerCase(Locale.ROOT) + "_info";
        metric(metric, "gauge", "what it is")
                .append(metric)
                .append('{')
                .append(labels(seen))
                .append(label("program", seen.program()))
                .append(label("user", seen.user()))
                .append(label("backend", seen.counts().facts().backend()))
                .append(label("mode", seen.counts().facts().mode()))
                .append(label("protocols", String.join(" ", seen.protocols())))
                .append("} 1\n");
    }

    private void addErrors(SeenTransport seen) {
        long count = 0;
        for (CounterSnapshot.ErrorRecord error : seen.counts().errors()) {
            count += error.count();
        }
        metric("weir_errors_total", "counter", "problems that weir stat --errors shows")
                .append("weir_errors_total{")
                .append(labels(seen))
                .append("} ")
                .append(count)
                .append('\n');
    }

    private void addCounter(SeenTransport seen, String name, long value) {
        boolean isDrop = name.startsWith(DROP);
        String metric = isDrop ? "weir_drops_total" : "weir_" + name.toLowerCase(Locale.ROOT) + "_total";
        StringBuilder samples = metric(metric, "counter", isDrop ? "frames dropped" : StatText.describe(name))
                .append(metric)
                .append('{')
                .append(labels(seen));
        if (isDrop) {
            samples.append(label("reason", name.substring(DROP.length()).toLowerCase(Locale.ROOT)));
        }
        samples.append("} ").append(value).append('\n');
    }

    private void addGauge(SeenTransport seen, int loop, String name, long value) {
        MetricName named = MetricName.of(name);
        String metric = named.prometheus();
        metric(metric, named.isGrowing() ? "counter" : "gauge", describe(name))
                .append(metric)
                .append('{')
                .append(labels(seen))
                .append(label("loop", Integer.toString(loop)))
                .append("} ")
                .append(named.hasFractions() ? Double.toString(named.inUnit(value)) : Long.toString(value))
                .append('\n');
    }

    private static String describe(String name) {
        try {
            return GaugeId.valueOf(name).description();
        } catch (IllegalArgumentException e) {
            return name;
        }
    }

    private static String labels(SeenTransport seen) {
        return label("process", Long.toString(seen.counts().processId()))
                + label("interface", seen.counts().facts().interfaceName())
                + label("file", seen.file().getFileName().toString());
    }

    /** {@return a label with a comma behind it, which the format allows also at the end} */
    private static String label(String name, String value) {
        String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return name + "=\"" + escaped + "\",";
    }
}
