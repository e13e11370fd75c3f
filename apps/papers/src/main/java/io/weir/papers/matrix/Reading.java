package io.weir.papers.matrix;

import io.weir.papers.Extracts;
import io.weir.papers.Statistics;
import io.weir.transport.scenario.result.CallsResult;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.HostResult;
import io.weir.transport.scenario.result.Percentiles;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Summary;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What cells read off their runs. */
final class Reading {
    private static final int PERCENTILE = 99;

    private Reading() {}

    static double goodputBps(ScenarioResult result) {
        return result.summary().goodputBps();
    }

    static double jain(ScenarioResult result) {
        return result.summary().jainIndex();
    }

    static double flowGoodputBps(ScenarioResult result, String traffic) {
        return result.flows().stream()
                .filter(flow -> flow.id().startsWith(traffic))
                .mapToDouble(FlowResult::goodputBps)
                .sum();
    }

    /** {@return what the least used link of a parking lot carries: the flow over all of them, and its own} */
    static double leastLinkBps(ScenarioResult result) {
        double[] rates =
                result.flows().stream().mapToDouble(FlowResult::goodputBps).toArray();
        return rates[0] + Arrays.stream(rates, 1, rates.length).min().orElse(Double.NaN);
    }

    /** {@return what the first flow of a parking lot has, which is the one over all links} */
    static double longestWayBps(ScenarioResult result) {
        return result.flows().get(0).goodputBps();
    }

    /** {@return credits that receivers made per data frame that a credit sent, those lost at hosts included} */
    static double creditsPerFrame(ScenarioResult result) {
        long sent = 0;
        long used = 0;
        for (FlowResult flow : result.flows()) {
            if (flow.credits() != null) {
                sent += flow.credits().sent();
                used += flow.credits().used();
            }
        }
        return used == 0 ? Double.NaN : (double) sent / used;
    }

    /** {@return credits lost at hosts' own meters, as a share of those offered there} */
    static double lostAtHosts(ScenarioResult result) {
        long offered =
                result.hosts().stream().mapToLong(HostResult::creditsOffered).sum();
        long dropped =
                result.hosts().stream().mapToLong(HostResult::creditsDropped).sum();
        return offered == 0 ? 0 : (double) dropped / offered;
    }

    /** {@return Jain's index of what flows got in intervals {@code from} to {@code to} together} */
    static double jain(ScenarioResult result, int from, int to) {
        return Statistics.jain(result.series().flows().stream()
                .map(flow -> flow.goodputBps().subList(from, to).stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .toList());
    }

    /**
     * {@return how long after interval {@code from} a flow took to have {@code bps} over three intervals; infinite if
     * it never had}
     */
    static double refillNanos(ScenarioResult result, String flow, int from, double bps) {
        List<Double> rates = Extracts.series(result, flow);
        double intervalNanos = result.series().intervalNanos();
        return IntStream.range(from, rates.size() - 2)
                .filter(i -> Statistics.mean(rates.subList(i, i + 3)) >= bps)
                .mapToDouble(i -> (i - from + 1) * intervalNanos)
                .findFirst()
                .orElse(Double.POSITIVE_INFINITY);
    }

    static double queueBytesMax(ScenarioResult result) {
        return result.ports().stream()
                .mapToLong(port -> port.queueBytesMaxWholeRun())
                .max()
                .orElse(0);
    }

    /**
     * {@return the time that 99 % of the flows of a traffic that start at {@code fromNanos} or later took at most; NaN
     * unless all are complete}
     */
    static double p99Nanos(List<FlowResult> all, String traffic, long fromNanos) {
        List<FlowResult> flows = all.stream()
                .filter(flow -> flow.id().startsWith(traffic) && flow.startNanos() >= fromNanos)
                .toList();
        if (flows.isEmpty() || flows.stream().anyMatch(flow -> flow.completionNanos() == null)) {
            return Double.NaN;
        }
        long[] nanos =
                flows.stream().mapToLong(FlowResult::completionNanos).sorted().toArray();
        return nanos[nanos.length * PERCENTILE / 100];
    }

    /** {@return a time of a traffic of messages; NaN unless all have arrived} */
    static double messageNanos(ScenarioResult result, String traffic, ToDoubleFunction<Percentiles> value) {
        return result.messages().stream()
                .filter(messages -> messages.id().equals(traffic))
                .mapToDouble(messages -> messages.completionNanos().count() == messages.messages()
                        ? value.applyAsDouble(messages.completionNanos())
                        : Double.NaN)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** {@return a time of a traffic of calls; NaN unless as many as these are answered} */
    static double callNanos(ScenarioResult result, int calls, ToDoubleFunction<Percentiles> value) {
        Percentiles nanos = result.calls().get(0).completionNanos();
        return nanos.count() == calls ? value.applyAsDouble(nanos) : Double.NaN;
    }

    /** {@return credits of both directions per message, a request or a response; 0 for a protocol without} */
    static double creditsPerMessage(ScenarioResult result) {
        CallsResult calls = result.calls().get(0);
        return calls.credits() == null
                ? 0
                : (double) calls.credits().sent() / (2 * calls.completionNanos().count());
    }

    /** {@return the longest queue after the warm-up} */
    static double queueBytesMaxWarm(ScenarioResult result) {
        return result.ports().stream()
                .mapToLong(PortResult::queueBytesMax)
                .max()
                .orElse(0);
    }

    static double dataDrops(ScenarioResult result) {
        return result.summary().dataDrops();
    }

    /** {@return how long the slowest flow took; infinite unless all are complete} */
    static double lastDoneNanos(ScenarioResult result) {
        return result.flows().stream()
                .mapToDouble(flow -> flow.completionNanos() == null ? Double.POSITIVE_INFINITY : flow.completionNanos())
                .max()
                .orElse(Double.NaN);
    }

    /** {@return a time of the flows of a class of size; NaN where there are none} */
    static Summary.SizeClass sizeClass(ScenarioResult result, String name) {
        return result.summary().completionNanos().stream()
                .filter(size -> size.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no flows of class " + name));
    }
}
