package io.weir.cli.perf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.output.Iperf3Error;
import io.weir.cli.output.Json;
import java.io.PrintWriter;
import org.HdrHistogram.Histogram;

/** Prints tests as iperf3 does: a document when one is over, or, as its 3.17 does, an event a line. */
final class Iperf3Reporter implements PerfListener {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final PrintWriter out;
    private final boolean isStream;
    private final String host;
    private final int port;
    private final int intervalSeconds;
    /** Of the test at hand; null before the first. */
    private Iperf3Json json;

    private ObjectNode start = NODES.objectNode();
    private ArrayNode intervals = NODES.arrayNode();

    /**
     * Creates a reporter.
     *
     * @param isStream whether to print an event a line
     * @param host the server as it was typed, or null at the server
     */
    Iperf3Reporter(PrintWriter out, boolean isStream, String host, int port, long intervalNanos) {
        this.out = out;
        this.isStream = isStream;
        this.host = host;
        this.port = port;
        this.intervalSeconds = (int) (intervalNanos / NANOS_PER_SECOND);
    }

    @Override
    public void onStart(TestStart begun) {
        json = new Iperf3Json(begun, host, port);
        start = json.start(intervalSeconds);
        intervals = NODES.arrayNode();
        ObjectNode first = start.deepCopy();
        Iperf3Json.putTexts(first, begun.test());
        event("start", first);
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        ObjectNode node = json.interval(interval);
        intervals.add(node);
        event("interval", node);
    }

    private void event(String name, ObjectNode data) {
        if (isStream) {
            Json.printLine(out, NODES.objectNode().put("event", name).set("data", data));
        }
    }

    /** Prints what was found, and why it ended before its end, if it did. */
    void finish(PerfResult result, String problem) {
        ObjectNode end = json.end(result);
        String text = result.role() == Role.CLIENT && result.server() != null
                ? result.server().text()
                : null;
        if (isStream) {
            if (problem != null) {
                Json.printLine(out, Iperf3Error.event(problem));
            }
            if (text != null) {
                Json.printLine(
                        out,
                        NODES.objectNode().put("event", "server_output_text").put("data", text));
            }
            event("end", end);
            return;
        }
        ObjectNode document = NODES.objectNode();
        document.set("start", start);
        document.set("intervals", intervals);
        document.set("end", end);
        Iperf3Json.putTexts(document, result.test());
        if (text != null) {
            document.put("server_output_text", text);
        }
        if (problem != null) {
            document.put("error", Iperf3Error.text(problem));
        }
        Json.print(out, document);
    }
}
