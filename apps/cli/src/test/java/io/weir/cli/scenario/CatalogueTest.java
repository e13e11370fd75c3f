package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.yaml.YamlOverride;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Summary;
import io.weir.transport.sim.world.Simulation;
import io.weir.transport.testing.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Runs what is small of the catalogue and of the examples, some of it for a shorter time, and compares the summaries.
 */
class CatalogueTest {
    /** The small runs: a file, and what is changed. */
    private static final List<List<String>> RUNS = List.of(
            List.of("expresspass/xp-a", "duration=4ms", "measure.warmUp=1ms"),
            List.of("expresspass/fig01c-incast", "traffic[0].rounds=1"),
            List.of("expresspass/fig06a-jitter", "duration=2ms", "measure.warmUp=1ms", "topology.pairs=8"),
            List.of("expresspass/fig08a-convergence", "duration=12ms", "measure.warmUp=11ms"),
            List.of("expresspass/fig08b-waste", "duration=3ms"),
            List.of("expresspass/fig09-credit-queue", "duration=3ms", "measure.warmUp=1ms"),
            List.of("expresspass/fig10-parking-lot", "duration=3ms", "measure.warmUp=1ms", "topology.bottlenecks=6"),
            List.of("expresspass/fig10-parking-lot", "duration=3ms", "measure.warmUp=1ms", "protocol=naive"),
            List.of("expresspass/fig11-multi-bottleneck", "duration=3ms", "measure.warmUp=1ms"),
            List.of("expresspass/fig15-many-flows", "duration=3ms", "measure.warmUp=2ms", "topology.pairs=64"),
            List.of("expresspass/fig16-convergence-10g", "duration=12ms", "measure.warmUp=11ms"),
            List.of("expresspass/fig17-shuffle", "traffic[0].tasksPerHost=1", "traffic[0].size=1KB"),
            List.of("expresspass/fig19-web-server", "traffic[0].count=50"),
            List.of("common/tfc-incast", "traffic[0].rounds=1"),
            List.of("common/dx-many-flows", "duration=3ms", "measure.warmUp=2ms"),
            List.of("common/dx-short-flows", "duration=12ms"),
            List.of("ccrp/fig05-two-flows", "duration=30ms", "measure.warmUp=15ms"),
            List.of("ccrp/fig04-many-flows", "duration=20ms", "measure.warmUp=10ms"),
            List.of("ccrp/fig06-completion-times", "traffic[reactive].until=1ms", "traffic[credits].until=1ms"),
            List.of("peers/newreno-sawtooth", "duration=200ms"),
            List.of("peers/newreno-sawtooth", "duration=200ms", "protocol=cubic"),
            List.of("peers/vegas-ten-flows", "duration=320ms"),
            List.of("peers/dctcp-10g", "duration=30ms", "measure.warmUp=20ms"),
            List.of("peers/dctcp-1g"),
            List.of("peers/dctcp-incast", "traffic[0].rounds=1"),
            List.of("examples/any-network", "duration=2ms", "traffic[upload].stop=1ms"),
            List.of("examples/incast", "traffic[0].rounds=1"),
            List.of("examples/mix", "duration=2ms", "traffic[0].until=1ms"),
            List.of("examples/all-pairs", "duration=4ms"),
            List.of("examples/faults"),
            List.of("common/flapping-trunk"),
            List.of("examples/messages", "duration=4ms"),
            List.of("matrix/messages", "traffic[message].count=256", "traffic[message].start={spread: 420us}"),
            List.of("examples/two-bottlenecks", "duration=3ms", "measure.warmUp=1ms"));

    private static ScenarioResult run(List<String> run) {
        String name = run.get(0);
        Path file = name.startsWith("examples/")
                ? Scenarios.EXAMPLES.resolve(name.substring("examples/".length()) + ".yaml")
                : Scenarios.CATALOGUE.resolve(name + ".yaml");
        List<YamlOverride> overrides = run.stream()
                .skip(1)
                .map(assignment -> YamlOverride.parse("--set", assignment))
                .toList();
        return Simulation.run(ScenarioFile.read(file, overrides).scenario(), () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static String row(List<String> run) {
        ScenarioResult result = run(run);
        assertTrue(result.complete());
        assertEquals(List.of(), result.problems(), run.toString());
        Summary summary = result.summary();
        long queueBytes = result.ports().stream()
                .mapToLong(PortResult::queueBytesMax)
                .max()
                .orElse(0);
        long complete = result.flows().stream()
                .filter(flow -> flow.completionNanos() != null)
                .count();
        return String.format(
                Locale.ROOT,
                "%-36s %5s %11.3f %6.3f %9d %5d %6.3f  %s",
                run.get(0),
                complete + "/" + result.flows().size(),
                summary.utilization(),
                summary.jainIndex(),
                queueBytes,
                summary.dataDrops(),
                summary.creditWasteFraction(),
                String.join(" ", run.subList(1, run.size())));
    }

    @Test
    void run_smallScenarios_findWhatTheyFoundBefore() {
        StringBuilder table = new StringBuilder();
        table.append(
                        "# scenario, complete flows, utilisation, Jain's index, longest queue in bytes, data drops, credits wasted,")
                .append(" what was changed\n");
        RUNS.forEach(run -> table.append(row(run).stripTrailing()).append('\n'));
        Golden.requireEqual("io/weir/cli/scenario/catalogue.txt", table.toString());
    }

    @Test
    void run_sameSeed_sameTrace() {
        List<String> small =
                List.of("examples/mix", "duration=1ms", "traffic[0].until=500us", "traffic[sort].start=0s");
        List<String> traces = Stream.of(small, small, append(small, "seed=2"))
                .map(run -> run(run).run().traceHash())
                .toList();
        assertEquals(traces.get(0), traces.get(1));
        assertTrue(!traces.get(0).equals(traces.get(2)), traces.toString());
    }

    private static List<String> append(List<String> run, String override) {
        return Stream.concat(run.stream(), Stream.of(override)).toList();
    }
}
