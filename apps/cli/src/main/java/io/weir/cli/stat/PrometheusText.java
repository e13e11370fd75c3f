package io.weir.cli.stat;

import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.GaugeId;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What was seen, in Prometheus's text format. A transport is told from others by process and interface; drops are one
 * metric with a label for their reason. Times are seconds, rates bytes per second and shares ratios, as Prometheus's
 * conventions demand.
 */
final class PrometheusText {
    /** What {@link #of} gives. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final String DROP = "DROP_";
    private static final double NANOS_OF_A_SECOND = 1e9;
    private static final double MILLIS_OF_A_SECOND = 1e3;
    private static final double BITS_OF_A_BYTE = Byte.SIZE;
    private static final double MILLION = 1e6;

    /** By name, each with its kind and samples in order: those of one metric must stand together. */
    private final Map<String, StringBuilder> metrics = new LinkedHashMap<>();

    private PrometheusText() {}

    /** {@return all that the survey has} */
    static String of(Survey survey) {
        PrometheusText text = new PrometheusText();
        for (SeenTransport seen : survey.transports()) {
            text.addInfo(seen);
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
        metric("weir_transport_info", "gauge", "what a transport is")
                .append("weir_transport_info{")
                .append(labels(seen))
                .append(label("program", seen.program()))
                .append(label("user", seen.user()))
                .append(label("backend", seen.counts().facts().backend()))
                .append(label("mode", seen.counts().facts().mode()))
                .append(label("protocols", String.join(" ", seen.protocols())))
                .append("} 1\n");
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
        String metric = metricOf(name);
        metric(metric, metric.endsWith("_total") ? "counter" : "gauge", describe(name))
                .append(metric)
                .append('{')
                .append(labels(seen))
                .append(label("loop", Integer.toString(loop)))
                .append("} ")
                .append(inBaseUnit(name, value))
                .append('\n');
    }

    private static String describe(String name) {
        try {
            return GaugeId.valueOf(name).description();
        } catch (IllegalArgumentException e) {
            return name;
        }
    }

    /** {@return the name of a gauge's metric, in its base unit; what only grows is a counter there} */
    private static String metricOf(String name) {
        boolean isGrowing = name.equals(GaugeId.BUSY_NANOS.name())
                || name.equals(GaugeId.LOOP_NANOS.name())
                || name.equals(GaugeId.PAUSE_NANOS.name())
                || name.equals(GaugeId.PAUSE_COUNT.name());
        String based = name.replace("PAUSE_COUNT", "PAUSES_OF_THREAD")
                .replace("_NANOS_MAX", "_MAX_SECONDS")
                .replace("_BYTES_MAX", "_MAX_BYTES")
                .replace("_NANOS", "_SECONDS")
                .replace("_MILLIS", "_SECONDS")
                .replace("_PPM", "_RATIO")
                .replace("_BPS", "_BYTES_PER_SECOND");
        return "weir_" + based.toLowerCase(Locale.ROOT) + (isGrowing ? "_total" : "");
    }

    private static String inBaseUnit(String name, long value) {
        if (name.contains("_NANOS")) {
            return Double.toString(value / NANOS_OF_A_SECOND);
        }
        if (name.endsWith("_MILLIS")) {
            return Double.toString(value / MILLIS_OF_A_SECOND);
        }
        if (name.endsWith("_BPS")) {
            return Double.toString(value / BITS_OF_A_BYTE);
        }
        return name.endsWith("_PPM") ? Double.toString(value / MILLION) : Long.toString(value);
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
