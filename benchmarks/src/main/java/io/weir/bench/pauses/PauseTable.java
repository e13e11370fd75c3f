package io.weir.bench.pauses;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTraces;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.sim.world.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Long flows by each protocol, with hosts and switches that pause and without, as tables of Markdown. */
final class PauseTable {
    /** The networks, by their names on the command line. */
    static final List<String> NETS = List.of("dumbbell-1", "dumbbell-16", "link-1g", "link-10g");

    private static final long MILLI = 1_000_000;
    private static final long GBPS = 1_000_000_000;
    private static final long DELAY_NANOS = 1_000;
    private static final int WARM_UP_SHARE = 4;

    private final TableOptions options;
    private final PauseTrace trace;

    /**
     * Who pauses, and what may be made up.
     *
     * @param name what the table calls it
     * @param hosts what hosts do
     * @param switches what switches do
     */
    private record Case(String name, Pauses hosts, Pauses switches) {}

    PauseTable(TableOptions options) throws IOException {
        this.options = options;
        try (InputStream in = PauseTraces.class.getResourceAsStream(PauseTraces.resourceOf(options.trace()))) {
            trace = PauseTraces.parse(options.trace(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Plays and prints everything, network by network. */
    void print(PrintStream out) {
        for (String net : options.nets()) {
            out.println("\n### " + net + ", trace " + options.trace() + "\n");
            out.println(
                    "| protocol | pauses | budget | goodput | data queue max | data drops | ring drops | retransmitted |");
            out.println("|---|---|---|---|---|---|---|---|");
            for (String protocol : options.protocols()) {
                for (Case each : cases(net.startsWith("dumbbell"))) {
                    row(out, protocol, each, playSeeds(net, protocol, each));
                }
            }
        }
    }

    private List<ScenarioResult> playSeeds(String net, String protocol, Case each) {
        return IntStream.range(0, options.seeds())
                .mapToObj(i -> play(net, Catalogue.find(protocol).orElseThrow(), each, options.seed() + i))
                .toList();
    }

    private List<Case> cases(boolean hasSwitches) {
        Pauses usual = Pauses.of(trace);
        List<Case> cases = new ArrayList<>();
        cases.add(new Case("none | -", Pauses.NONE, Pauses.NONE));
        for (Pauses pauses : List.of(usual.withBudgetBytes(0), usual)) {
            String budget = " | " + (pauses.budgetBytes() == 0 ? "0" : "default");
            cases.add(new Case("hosts" + budget, pauses, Pauses.NONE));
            if (hasSwitches) {
                cases.add(new Case("switches" + budget, Pauses.NONE, pauses));
                cases.add(new Case("both" + budget, pauses, pauses));
            }
        }
        return cases;
    }

    private ScenarioResult play(String net, ProtocolConfig protocol, Case each, long seed) {
        long nanos = options.millis() * MILLI;
        Network network = network(net, PortNeeds.of(protocol), each);
        int pairs = network.hosts().size() / 2;
        Traffic flows = Traffic.Flows.of(
                "f",
                names(1, pairs),
                names(pairs + 1, 2 * pairs),
                PortNeeds.of(protocol).protocol(net.equals("link-10g") ? 10 * GBPS : GBPS));
        Scenario scenario = new Scenario(
                net,
                "",
                seed,
                nanos,
                false,
                network,
                List.of(flows),
                List.of(),
                new Measurement(0, nanos / WARM_UP_SHARE, false, false));
        return Simulation.run(scenario, System::nanoTime, Simulation.Progress.UNWATCHED);
    }

    private static List<String> names(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> "h" + i).toList();
    }

    private static Network network(String net, PortNeeds needs, Case each) {
        HostSpec host = HostSpec.named("").withPauses(each.hosts());
        return switch (net) {
            case "link-1g" -> pair(host, needs.link(GBPS, DELAY_NANOS));
            case "link-10g" -> pair(host, needs.link(10 * GBPS, DELAY_NANOS));
            default ->
                Lines.dumbbell(
                                Integer.parseInt(net.substring(net.indexOf('-') + 1)),
                                host,
                                needs.link(10 * GBPS, DELAY_NANOS),
                                needs.link(GBPS, DELAY_NANOS))
                        .withSwitchPauses(each.switches());
        };
    }

    private static Network pair(HostSpec host, LinkTemplate link) {
        return new Network(
                List.of(host.withName("h1"), host.withName("h2")),
                List.of(),
                List.of(link.between("h1", "h2")),
                Network.Multipath.ECMP);
    }

    /** Rates and repeated bytes as medians of the seeds, queues and drops as the largest. */
    private static void row(PrintStream out, String protocol, Case each, List<ScenarioResult> results) {
        long queueBytes = largest(results, result -> result.ports().stream()
                .mapToLong(PortResult::queueBytesMax)
                .max()
                .orElse(-1));
        out.println(String.format(
                Locale.ROOT,
                "| `%s` | %s | %.0f Mbps | %s | %d | %d | %.1f KB |%s",
                protocol,
                each.name(),
                median(results, result -> result.summary().goodputBps() / 1e6),
                queueBytes < 0 ? "-" : String.format(Locale.ROOT, "%.1f KB", queueBytes / 1e3),
                largest(results, result -> result.summary().dataDrops()),
                largest(results, PauseTable::ringDrops),
                median(results, PauseTable::retransmittedBytes) / 1e3,
                results.stream()
                        .flatMap(result -> result.problems().stream())
                        .distinct()
                        .collect(Collectors.joining("; ", " ", ""))
                        .stripTrailing()));
    }

    private static long ringDrops(ScenarioResult result) {
        return result.pauses().stream().mapToLong(PauseResult::ringDrops).sum();
    }

    private static long retransmittedBytes(ScenarioResult result) {
        return result.flows().stream().mapToLong(FlowResult::retransmittedBytes).sum();
    }

    private static long largest(List<ScenarioResult> results, ToLongFunction<ScenarioResult> figure) {
        return results.stream().mapToLong(figure).max().orElseThrow();
    }

    private static double median(List<ScenarioResult> results, ToDoubleFunction<ScenarioResult> figure) {
        double[] sorted = results.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
