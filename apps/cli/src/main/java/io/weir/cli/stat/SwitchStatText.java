package io.weir.cli.stat;

import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.IngressField;
import io.weir.transport.telemetry.Subject;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Switches as they were seen, for people. */
final class SwitchStatText {
    private SwitchStatText() {}

    /** Prints each switch: itself, its ports, and what came to each of them by which. */
    static void print(PrintWriter out, Survey survey) {
        for (SeenTransport seen : survey.of(Subject.SWITCH)) {
            CounterSnapshot counts = seen.counts();
            out.println();
            out.println(counts.processId() + " switch: duty " + StatText.percent(seen.dutyPpm()) + ", frames free "
                    + seen.gauge(GaugeId.FRAMES_FREE) + " of " + seen.gauge(GaugeId.FRAMES) + ", pauses "
                    + seen.gauge(GaugeId.PAUSE_COUNT) + ", longest "
                    + Durations.print(counts.gaugeMax(GaugeId.PAUSE_NANOS_MAX.name())) + ", flooded "
                    + counts.counter(CounterId.FRAMES_FLOODED.name()));
            StatText.printDrops(out, seen);
        }
        portsBySwitch(survey).values().forEach(ports -> {
            printPorts(out, ports);
            printIngress(out, ports);
        });
    }

    /** {@return the ports of each process in the order of their numbers} */
    private static Map<Long, List<SeenTransport>> portsBySwitch(Survey survey) {
        Map<Long, List<SeenTransport>> ports = new TreeMap<>();
        for (SeenTransport seen : survey.of(Subject.SWITCH_PORT)) {
            long processId = seen.counts().processId();
            ports.computeIfAbsent(processId, number -> survey.of(Subject.SWITCH_PORT).stream()
                    .filter(other -> other.counts().processId() == number)
                    .sorted(Comparator.comparingLong(other -> other.gauge(GaugeId.PORT_NUMBER)))
                    .toList());
        }
        return ports;
    }

    private static void printPorts(PrintWriter out, List<SeenTransport> ports) {
        TextTable table =
                TextTable.withHeadings("process, port, interface, mode, link, received, sent, data queue, most,"
                        + " credits wait, most, credits passed, credits dropped, drops, marked, lost");
        for (SeenTransport port : ports) {
            CounterSnapshot counts = port.counts();
            long creditDrops = counts.counter(CounterId.DROP_CREDIT_QUEUE.name())
                    + counts.counter(CounterId.DROP_CREDIT_LATE.name());
            table.row(
                    Long.toString(counts.processId()),
                    Long.toString(port.gauge(GaugeId.PORT_NUMBER)),
                    counts.facts().interfaceName(),
                    counts.facts().mode(),
                    Rates.print(port.gauge(GaugeId.LINK_RATE_BPS)),
                    Sizes.print(counts.counter(CounterId.WIRE_BYTES_RECEIVED.name())),
                    Sizes.print(counts.counter(CounterId.WIRE_BYTES_SENT.name())),
                    Sizes.print(port.gauge(GaugeId.DATA_QUEUE_BYTES)),
                    Sizes.print(port.gauge(GaugeId.DATA_QUEUE_BYTES_MAX)),
                    Long.toString(port.gauge(GaugeId.CREDIT_QUEUE_FRAMES)),
                    Long.toString(port.gauge(GaugeId.CREDIT_QUEUE_FRAMES_MAX)),
                    Long.toString(counts.counter(CounterId.CREDITS_SENT.name())),
                    Long.toString(creditDrops),
                    Long.toString(port.dropCount() - creditDrops),
                    Long.toString(counts.counter(CounterId.FRAMES_MARKED.name())),
                    Long.toString(port.gauge(GaugeId.FRAMES_LOST)));
        }
        out.println();
        table.print(out);
    }

    private static void printIngress(PrintWriter out, List<SeenTransport> ports) {
        TextTable table = TextTable.withHeadings("to, by, data queued, data dropped, credits offered, credits dropped");
        boolean isEmpty = true;
        for (SeenTransport port : ports) {
            List<CounterSnapshot.Flow> rows = port.counts().loops().get(0).flows();
            for (int i = 0; i < rows.size(); i++) {
                CounterSnapshot.Flow row = rows.get(i);
                long all = row.get(IngressField.DATA_QUEUED)
                        + row.get(IngressField.DATA_DROPPED)
                        + row.get(IngressField.CREDITS_OFFERED);
                if (all != 0) {
                    isEmpty = false;
                    table.row(
                            port.counts().facts().interfaceName(),
                            nameOf(ports, i),
                            Long.toString(row.get(IngressField.DATA_QUEUED)),
                            Long.toString(row.get(IngressField.DATA_DROPPED)),
                            Long.toString(row.get(IngressField.CREDITS_OFFERED)),
                            Long.toString(row.get(IngressField.CREDITS_DROPPED)));
                }
            }
        }
        if (!isEmpty) {
            out.println();
            table.print(out);
        }
    }

    /** {@return the interface of a port by its number; the number where its file is not there} */
    static String nameOf(List<SeenTransport> ports, int number) {
        return ports.stream()
                .filter(port -> port.gauge(GaugeId.PORT_NUMBER) == number)
                .map(port -> port.counts().facts().interfaceName())
                .findFirst()
                .orElse(Integer.toString(number));
    }
}
