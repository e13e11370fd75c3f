package io.weir.transport.testing;

import io.weir.transport.scenario.result.ExchangeResult;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.Percentiles;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Summary;
import java.util.Locale;

/** The figures of a result as a table of text, for golden files. */
public final class ScenarioTable {
    private static final int FLOWS_MAX = 20;

    private ScenarioTable() {}

    /** {@return the table} */
    public static String of(ScenarioResult result) {
        StringBuilder table = new StringBuilder();
        Summary summary = result.summary();
        append(
                table,
                "jain %.3f utilization %.4f goodput %.0f drops %d waste %.4f trace %s\n",
                summary.jainIndex(),
                summary.utilization(),
                summary.goodputBps(),
                summary.dataDrops(),
                summary.creditWasteFraction(),
                result.run().traceHash());
        append(
                table,
                "virtual %d hops %d\n",
                result.run().virtualNanos(),
                result.run().packetHops());
        summary.completionNanos()
                .forEach(size -> append(
                        table, "completion %-3s of %d: %s\n", size.name(), size.flows(), of(size.completionNanos())));
        append(table, "queueing delay %s\n", of(summary.queueingDelayNanos()));
        result.flows().stream().limit(FLOWS_MAX).forEach(flow -> append(table, "%s\n", of(flow)));
        result.exchanges().forEach(exchange -> append(table, "%s\n", of(exchange)));
        result.ports().stream()
                .filter(port -> port.queueBytesMax() > 0)
                .forEach(port -> append(table, "%s\n", of(port)));
        result.problems().forEach(problem -> append(table, "problem: %s\n", problem));
        return table.toString();
    }

    private static String of(Percentiles values) {
        return String.format(
                Locale.ROOT,
                "n %d mean %.0f p50 %.0f p99 %.0f max %.0f",
                values.count(),
                values.mean(),
                values.p50(),
                values.p99(),
                values.max());
    }

    private static String of(FlowResult flow) {
        FlowResult.Credits credits = flow.credits();
        return String.format(
                Locale.ROOT,
                "flow %-8s %s>%s %s bytes %d start %d completion %s goodput %.0f resent %d credits %s",
                flow.id(),
                flow.source(),
                flow.destination(),
                flow.protocol(),
                flow.bytes(),
                flow.startNanos(),
                flow.completionNanos(),
                flow.goodputBps(),
                flow.retransmittedBytes(),
                credits == null
                        ? "none"
                        : credits.sent() + "/" + credits.received() + "/" + credits.used() + "/" + credits.wasted()
                                + "/" + credits.expired() + "/" + credits.lost());
    }

    private static String of(ExchangeResult exchange) {
        return String.format(
                Locale.ROOT,
                "exchange %s %s with %d: %d rounds, %s, goodput %.0f",
                exchange.id(),
                exchange.client(),
                exchange.servers(),
                exchange.rounds(),
                of(exchange.roundNanos()),
                exchange.goodputBps());
    }

    private static String of(PortResult port) {
        return String.format(
                Locale.ROOT,
                "port %s>%s queue max %d mean %.1f p99 %d credits max %d dropped %d data dropped %d utilization %.4f",
                port.node(),
                port.port(),
                port.queueBytesMax(),
                port.queueBytesMean(),
                port.queueBytesP99(),
                port.creditQueueFramesMax(),
                port.creditDrops(),
                port.dataDrops(),
                port.utilization());
    }

    private static void append(StringBuilder table, String format, Object... values) {
        table.append(String.format(Locale.ROOT, format, values));
    }
}
