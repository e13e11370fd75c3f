package io.weir.cli.scenario;

import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.HostResult;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.scenario.result.Percentiles;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Summary;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/** What a scenario found, for people: the flows and ports that stand out, and the whole in a few figures. */
final class SimText {
    private static final int ROWS_MAX = 20;
    private static final int HOST_ROWS_MAX = 5;
    private static final String NONE = "-";

    private final PrintWriter out;
    private final Scenario scenario;
    private final ScenarioResult result;

    SimText(PrintWriter out, Scenario scenario, ScenarioResult result) {
        this.out = out;
        this.scenario = scenario;
        this.result = result;
    }

    void print() {
        printHead();
        printFlows();
        printExchanges();
        printMessages();
        printCalls();
        printPorts();
        printHosts();
        printPauses();
        printSummary();
        result.problems().forEach(problem -> out.println("doubtful: " + problem));
        out.flush();
    }

    private void printHead() {
        Network network = scenario.network();
        out.println(scenario.name() + ": " + count(network.hosts().size(), "host") + ", "
                + count(network.switches().size(), "switch") + ", "
                + count(network.links().size(), "link") + ", seed "
                + result.run().seed());
        ScenarioResult.Run run = result.run();
        out.println((result.complete() ? "" : "INTERRUPTED, partial results: ") + Durations.print(run.virtualNanos())
                + " in " + Durations.print(run.wallNanos()) + "; "
                + (run.traceHash() == null ? "" : grouped(run.events()) + " events, ")
                + grouped(run.packetHops()) + " frames on links"
                + (run.traceHash() == null ? ", on real ports" : ", trace " + run.traceHash()));
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : noun.endsWith("ch") ? "es" : "s");
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void printFlows() {
        List<FlowResult> flows = result.flows();
        if (flows.size() > ROWS_MAX) {
            List<FlowResult> sorted = flows.stream()
                    .sorted(Comparator.comparingDouble(FlowResult::goodputBps))
                    .toList();
            flows = new ArrayList<>(sorted.subList(0, ROWS_MAX / 2));
            flows.addAll(sorted.subList(sorted.size() - ROWS_MAX / 2, sorted.size()));
        }
        printTable(
                flows, SimText::addFlow, "flow, from, to, protocol, bytes, start, took, goodput, again, credits, used");
        printOthers(
                flows, result.flows(), "the " + ROWS_MAX / 2 + " slowest and the " + ROWS_MAX / 2 + " fastest of %s");
    }

    private static void addFlow(TextTable table, FlowResult flow) {
        FlowResult.Credits credits = flow.credits();
        table.row(
                flow.id(),
                flow.source(),
                flow.destination(),
                flow.protocol(),
                Sizes.print(flow.bytes()),
                Durations.print(flow.startNanos()),
                flow.completionNanos() == null ? NONE : Durations.print(flow.completionNanos()),
                Rates.print(flow.goodputBps()),
                Sizes.print(flow.retransmittedBytes()),
                credits == null ? NONE : grouped(credits.received()),
                credits == null ? NONE : grouped(credits.used()));
    }

    /** Prints a table below an empty line, or nothing without rows. */
    private <T> void printTable(List<T> rows, BiConsumer<TextTable, T> addRow, String headings) {
        if (!rows.isEmpty()) {
            TextTable table = TextTable.withHeadings(headings);
            rows.forEach(row -> addRow.accept(table, row));
            out.println();
            table.print(out);
        }
    }

    /** Prints which rows were printed, if not all; {@code %s} in the sentence is how many there are. */
    private void printOthers(List<?> printed, List<?> all, String sentence) {
        if (printed.size() < all.size()) {
            out.println(String.format(Locale.ROOT, sentence, grouped(all.size())) + "; --json and --out have all");
        }
    }

    private void printExchanges() {
        printTable(
                result.exchanges(),
                (table, exchange) -> table.row(
                        exchange.id(),
                        exchange.client(),
                        Integer.toString(exchange.servers()),
                        grouped(exchange.rounds()),
                        Rates.print(exchange.goodputBps()),
                        Durations.print(exchange.roundNanos().p50()),
                        Durations.print(exchange.roundNanos().p99()),
                        Durations.print(exchange.roundNanos().max())),
                "exchange, client, servers, rounds, goodput, p50, p99, max");
    }

    private void printMessages() {
        printTable(
                result.messages(),
                (table, messages) -> table.row(
                        messages.id(),
                        grouped(messages.connections()),
                        grouped(messages.messages()),
                        grouped(messages.completionNanos().count()),
                        Rates.print(messages.goodputBps()),
                        grouped(messages.creditsSent()),
                        Durations.print(messages.completionNanos().p50()),
                        Durations.print(messages.completionNanos().p99()),
                        Durations.print(messages.completionNanos().max())),
                "messages, connections, due, arrived, goodput, credits, p50, p99, max");
    }

    private void printCalls() {
        printTable(
                result.calls(),
                (table, calls) -> table.row(
                        calls.id(),
                        grouped(calls.connections()),
                        grouped(calls.completionNanos().count()),
                        Rates.print(calls.goodputBps()),
                        calls.credits() == null ? NONE : grouped(calls.credits().sent()),
                        calls.credits() == null ? NONE : grouped(calls.credits().used()),
                        calls.credits() == null ? NONE : grouped(calls.credits().expired()),
                        Durations.print(calls.completionNanos().p50()),
                        Durations.print(calls.completionNanos().p99()),
                        Durations.print(calls.completionNanos().max())),
                "calls, connections, answered, goodput, credits, used, expired, p50, p99, max");
    }

    private void printPorts() {
        List<PortResult> ports = result.ports().stream()
                .sorted(Comparator.comparingLong(PortResult::queueBytesMax)
                        .thenComparingDouble(PortResult::utilization)
                        .reversed())
                .limit(ROWS_MAX)
                .toList();
        printTable(
                ports,
                (table, port) -> table.row(
                        port.node() + " > " + port.port(),
                        Fractions.print(port.utilization()),
                        Sizes.print(port.queueBytesMax()),
                        Sizes.print(port.queueBytesP99()),
                        Sizes.print(port.queueBytesMean()),
                        grouped(port.creditQueueFramesMax()),
                        grouped(port.dataDrops()),
                        grouped(port.creditDrops()),
                        grouped(port.marks())),
                "port, use, queue max, p99, mean, credits max, data drops, credit drops, marks");
        printOthers(ports, result.ports(), "the " + ROWS_MAX + " ports with the longest queues of %s");
    }

    /** The hosts that stand out, where any lost credits or frames. */
    private void printHosts() {
        if (result.hosts().stream().allMatch(host -> host.creditsDropped() == 0 && host.queueDrops() == 0)) {
            return;
        }
        List<HostResult> hosts = result.hosts().stream()
                .sorted(Comparator.comparingLong(HostResult::creditsDropped)
                        .thenComparingLong(HostResult::queueDrops)
                        .thenComparingDouble(HostResult::utilization)
                        .reversed())
                .limit(HOST_ROWS_MAX)
                .toList();
        printTable(
                hosts,
                (table, host) -> table.row(
                        host.host(),
                        Fractions.print(host.utilization()),
                        grouped(host.flowsWaitingMax()),
                        Sizes.print(host.queueBytesMax()),
                        grouped(host.queueDrops()),
                        grouped(host.creditsOffered()),
                        grouped(host.creditsWaitingMax()),
                        grouped(host.creditsDropped())),
                "host, use, flows waiting, queue max, drops, credits, waiting, dropped");
        printOthers(hosts, result.hosts(), "the " + HOST_ROWS_MAX + " of %s that lost or sent most");
    }

    private void printPauses() {
        List<PauseResult> pauses = result.pauses().stream()
                .sorted(Comparator.comparingLong(PauseResult::ringDrops).reversed())
                .limit(ROWS_MAX)
                .toList();
        printTable(
                pauses,
                (table, node) -> table.row(
                        node.node(),
                        grouped(node.pauses()),
                        Fractions.print(
                                (double) node.pausedNanos() / result.run().virtualNanos()),
                        Durations.print(node.pauseNanosMax()),
                        grouped(node.ringDrops())),
                "pausing, pauses, off its core, longest, ring drops");
        printOthers(pauses, result.pauses(), "the " + ROWS_MAX + " of %s that lost most frames");
    }

    private void printSummary() {
        Summary summary = result.summary();
        out.println();
        out.println("goodput of all flows  " + Rates.print(summary.goodputBps()));
        out.println("busiest port          " + Fractions.print(summary.utilization()));
        out.println("Jain's index          " + String.format(Locale.ROOT, "%.4f", summary.jainIndex()));
        out.println("data frames dropped   " + grouped(summary.dataDrops()));
        out.println("credits wasted        " + Fractions.print(summary.creditWasteFraction()));
        Percentiles delay = summary.queueingDelayNanos();
        if (delay.count() > 0) {
            out.println("queueing delay        p50 " + Durations.print(delay.p50()) + ", p99 "
                    + Durations.print(delay.p99()) + ", max " + Durations.print(delay.max()));
        }
        printCompletions(summary);
    }

    private void printCompletions(Summary summary) {
        List<Summary.SizeClass> sizes = summary.completionNanos();
        if (sizes.stream().allMatch(size -> size.completionNanos().count() == 0)) {
            return;
        }
        printTable(
                sizes.stream().filter(size -> size.flows() > 0).toList(),
                SimText::addSize,
                "size, flows, complete, mean, p50, p99, p99.9, max");
    }

    private static void addSize(TextTable table, Summary.SizeClass size) {
        Percentiles took = size.completionNanos();
        table.row(
                size.name(),
                grouped(size.flows()),
                grouped(took.count()),
                Durations.print(took.mean()),
                Durations.print(took.p50()),
                Durations.print(took.p99()),
                Durations.print(took.p999()),
                Durations.print(took.max()));
    }
}
