package io.weir.cli.stat;

import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.observation.CounterFile;
import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Subject;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What was seen, for people. */
final class StatText {
    private static final int PPM_OF_A_PERCENT = 10_000;

    private StatText() {}

    /** Prints all that there is at a glance, and what each needs more words for. */
    static void printGlance(PrintWriter out, Survey survey) {
        List<SeenTransport> transports = survey.of(Subject.TRANSPORT);
        if (!transports.isEmpty()) {
            printTransports(out, transports);
        }
        SwitchStatText.print(out, survey);
        for (SeenTransport seen : survey.of(Subject.BROKER)) {
            printBroker(out, seen);
        }
    }

    private static void printBroker(PrintWriter out, SeenTransport seen) {
        CounterFile.Facts facts = seen.counts().facts();
        out.println();
        out.println(seen.counts().processId() + " " + facts.interfaceName() + ": broker over " + facts.backend() + " "
                + facts.mode() + (facts.modeReason().isEmpty() ? "" : " (" + facts.modeReason() + ")"));
        out.println("  clients " + seen.gauge(GaugeId.CLIENTS) + " of " + seen.gauge(GaugeId.CLIENTS_SERVED)
                + " ever served, pairs between them " + seen.gauge(GaugeId.CLIENT_PAIRS) + ", duty "
                + percent(seen.dutyPpm()));
        out.println("  frames to clients " + seen.gauge(GaugeId.CLIENT_FRAMES_DELIVERED)
                + ", without room " + seen.gauge(GaugeId.CLIENT_FRAMES_NO_ROOM)
                + ", for nobody " + seen.gauge(GaugeId.CLIENT_FRAMES_UNCLAIMED)
                + "; of clients " + seen.gauge(GaugeId.CLIENT_FRAMES_SENT)
                + ", refused " + seen.gauge(GaugeId.CLIENT_FRAMES_REFUSED));
    }

    private static void printTransports(PrintWriter out, List<SeenTransport> transports) {
        TextTable table = TextTable.withHeadings(
                "process, program, user, interface, mode, connections, sends, receives, drops, resent, duty");
        for (SeenTransport seen : transports) {
            CounterSnapshot counts = seen.counts();
            table.row(
                    Long.toString(counts.processId()),
                    seen.program(),
                    seen.user(),
                    counts.facts().interfaceName(),
                    counts.facts().mode(),
                    Long.toString(seen.gauge(GaugeId.CONNECTIONS)),
                    Rates.print(seen.rate(GaugeId.SEND_RATE_BPS)),
                    Rates.print(seen.rate(GaugeId.RECEIVE_RATE_BPS)),
                    Long.toString(seen.dropCount()),
                    Long.toString(counts.counter(CounterId.FRAMES_RETRANSMITTED.name())),
                    percent(seen.dutyPpm()));
        }
        table.print(out);
        for (SeenTransport seen : transports) {
            printDetails(out, seen);
        }
    }

    private static void printDetails(PrintWriter out, SeenTransport seen) {
        CounterSnapshot counts = seen.counts();
        CounterFile.Facts facts = counts.facts();
        out.println();
        out.println(counts.processId() + " " + facts.interfaceName() + ": " + facts.backend() + " " + facts.mode()
                + (facts.modeReason().isEmpty() ? "" : " (" + facts.modeReason() + ")"));
        out.println("  speaks " + String.join(", ", seen.protocols()) + "; " + loops(counts) + ", link "
                + Rates.print(counts.gaugeMax(GaugeId.LINK_RATE_BPS.name())));
        out.println("  half open " + seen.gauge(GaugeId.HALF_OPEN) + ", buffers "
                + Sizes.print(seen.gauge(GaugeId.MEMORY_BYTES)) + " of "
                + Sizes.print(seen.gauge(GaugeId.MEMORY_BYTES_MAX)) + ", frames free "
                + seen.gauge(GaugeId.FRAMES_FREE) + " of " + seen.gauge(GaugeId.FRAMES));
        out.println("  credits sent " + counts.counter(CounterId.CREDITS_SENT.name())
                + ", received " + counts.counter(CounterId.CREDITS_RECEIVED.name())
                + ", used " + counts.counter(CounterId.CREDITS_USED.name())
                + ", wasted " + counts.counter(CounterId.CREDITS_WASTED.name())
                + ", expired " + counts.counter(CounterId.CREDITS_EXPIRED.name())
                + ", lost " + lostCredits(counts) + " (of open connections)");
        out.println("  pauses " + seen.gauge(GaugeId.PAUSE_COUNT) + ", together "
                + Durations.print(seen.gauge(GaugeId.PAUSE_NANOS)) + ", longest "
                + Durations.print(counts.gaugeMax(GaugeId.PAUSE_NANOS_MAX.name())) + ": a queue of "
                + Sizes.print(seen.pauseQueueBytes()) + " at the link's rate");
        printDrops(out, seen);
    }

    /** Prints each reason for which frames were dropped. */
    static void printDrops(PrintWriter out, SeenTransport seen) {
        seen.drops().forEach((name, count) -> out.println("  " + count + " x " + describe(name)));
    }

    /** Prints what went wrong, each kind once. */
    static void printErrors(PrintWriter out, SeenTransport seen) {
        for (CounterSnapshot.ErrorRecord error : seen.counts().errors()) {
            out.println(seen.counts().processId() + " " + seen.counts().facts().interfaceName() + ": " + error.count()
                    + " x, first " + Instant.ofEpochMilli(error.firstMillis()) + ", last "
                    + Instant.ofEpochMilli(error.lastMillis()));
            error.text().lines().forEach(line -> out.println("  " + line.strip()));
        }
    }

    private static String loops(CounterSnapshot counts) {
        return counts.loops().size() == 1 ? "1 loop" : counts.loops().size() + " loops";
    }

    static String percent(long ppm) {
        return ppm / PPM_OF_A_PERCENT + "%";
    }

    private static long lostCredits(CounterSnapshot counts) {
        long sum = 0;
        for (CounterSnapshot.Loop loop : counts.loops()) {
            for (CounterSnapshot.Flow flow : loop.flows()) {
                sum += flow.get(FlowField.CREDITS_LOST);
            }
        }
        return sum;
    }

    /** {@return a count's meaning; its name where another build counts what this one does not} */
    static String describe(String name) {
        try {
            return CounterId.valueOf(name).description();
        } catch (IllegalArgumentException e) {
            return name;
        }
    }

    /** Prints each connection of a transport that its file has a row for. */
    static void printFlows(PrintWriter out, SeenTransport seen) {
        TextTable table = TextTable.withHeadings("here, peer, protocol, state, way, sends, receives, rtt, credits sent,"
                + " used, lost, received, window, backlog, resent, idle");
        long omitted = 0;
        for (CounterSnapshot.Loop loop : seen.counts().loops()) {
            omitted += loop.omittedFlows();
            for (CounterSnapshot.Flow flow : loop.flows()) {
                table.row(flowCells(seen, flow));
            }
        }
        out.println(seen.counts().processId() + " " + seen.counts().facts().interfaceName());
        table.print(out);
        if (omitted > 0) {
            out.println("and " + omitted + " connections that the file has no rows for");
        }
    }

    private static String[] flowCells(SeenTransport seen, CounterSnapshot.Flow flow) {
        return new String[] {
            FlowAddresses.local(flow),
            FlowAddresses.remote(flow),
            seen.protocolOf(flow.get(FlowField.PROTOCOL)),
            name(FlowTable.STATES, flow.get(FlowField.STATE)),
            name(FlowTable.WAYS, flow.get(FlowField.WAY)),
            Rates.print(flow.get(FlowField.SEND_RATE_BPS)),
            Rates.print(flow.get(FlowField.RECEIVE_RATE_BPS)),
            Durations.print(flow.get(FlowField.RTT_NANOS)),
            Long.toString(flow.get(FlowField.CREDITS_SENT)),
            Long.toString(flow.get(FlowField.CREDITS_USED)),
            Long.toString(flow.get(FlowField.CREDITS_LOST)),
            Long.toString(flow.get(FlowField.CREDITS_RECEIVED)),
            Sizes.print(flow.get(FlowField.PEER_WINDOW_BYTES)),
            Sizes.print(flow.get(FlowField.BACKLOG_BYTES)),
            Long.toString(flow.get(FlowField.FRAMES_RETRANSMITTED)),
            Durations.print(flow.get(FlowField.IDLE_NANOS))
        };
    }

    /** {@return what a number stands for; the number itself where the file is damaged} */
    static String name(List<String> names, long number) {
        return number >= 0 && number < names.size() ? names.get((int) number) : Long.toString(number);
    }

    /** Prints what has changed between two looks at a transport. */
    static void printDifference(PrintWriter out, SeenTransport before, SeenTransport after) {
        long nanos = after.seenNanos() - before.seenNanos();
        out.println(after.counts().processId() + " " + after.counts().facts().interfaceName() + ", in "
                + Durations.print(nanos));
        Map<String, Long> earlier = before.counters();
        TextTable table = TextTable.withHeadings("count, change, per second");
        after.counters().forEach((name, value) -> {
            long change = value - earlier.getOrDefault(name, 0L);
            if (change != 0) {
                table.row(describe(name), Long.toString(change), Long.toString(perSecond(change, nanos)));
            }
        });
        table.print(out);
    }

    /** {@return a change as one of a second, rounded} */
    static long perSecond(long change, long nanos) {
        return Math.round(change * 1e9 / Math.max(1, nanos));
    }
}
