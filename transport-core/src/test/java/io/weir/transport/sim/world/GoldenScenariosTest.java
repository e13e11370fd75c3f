package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Times;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.ClosShape;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Trees;
import io.weir.transport.scenario.workload.SizeDistributions;
import io.weir.transport.testing.Golden;
import io.weir.transport.testing.ScenarioTable;
import io.weir.transport.testing.Scenarios;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Small scenarios, and all that they find: whatever changes a frame or its time, anywhere, shows here. */
class GoldenScenariosTest {
    private static final long MILLISECOND = 1_000_000;
    private static final Settings WEIR = ExpressPass.weir();
    private static final HostSpec HOST = HostSpec.named("");
    private static final LinkTemplate LINK = new LinkTemplate(Scenarios.RATE_BPS, 4_000);

    static Map<String, Scenario> scenarios() throws IOException {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("dumbbell-2", longFlows(2));
        scenarios.put("dumbbell-16", longFlows(16));
        scenarios.put(
                "parking-lot-3",
                new Scenarios(Lines.parkingLot(3, HOST, LINK, LINK))
                        .flows("f", ExpressPass.naive(), Traffic.UNLIMITED_BYTES)
                        .measured(new Measurement(0, 2 * MILLISECOND, false, false))
                        .lasting(6 * MILLISECOND));
        scenarios.put(
                "fat-tree-4",
                new Scenarios(Trees.clos(ClosShape.fatTree(4, 1), HOST, LINK, LINK, LINK))
                        .with(poisson())
                        .untilDone(100 * MILLISECOND));
        scenarios.put(
                "incast-15",
                new Scenarios(Lines.star(16, HOST, LINK))
                        .with(Traffic.Exchange.of("e", "h1", names(2, 16), WEIR)
                                .withBytes(200, 20_000)
                                .withRounds(4)
                                .withGapNanos(100_000))
                        .untilDone(100 * MILLISECOND));
        scenarios.put(
                "on-off",
                new Scenarios(Lines.dumbbell(2, HOST, LINK, LINK))
                        .with(onOff())
                        .measured(new Measurement(500_000, 0, true, true))
                        .lasting(6 * MILLISECOND));
        return scenarios;
    }

    private static Scenario longFlows(int pairs) {
        return Scenarios.dumbbell(pairs)
                .flows("f", ExpressPass.authors(), Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(0, 2 * MILLISECOND, false, false))
                .lasting(6 * MILLISECOND);
    }

    private static Traffic onOff() {
        return Traffic.Flows.of("f", names(1, 2), names(3, 4), WEIR)
                .withCount(2)
                .withStart(new Times(0, 700_000, 0))
                .withStop(new Times(5 * MILLISECOND, 0, 0))
                .withPauses(MILLISECOND, MILLISECOND);
    }

    private static Traffic poisson() throws IOException {
        String name = "xpass_webserver";
        try (InputStream in = SizeDistributions.class.getResourceAsStream(SizeDistributions.resourceOf(name))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Traffic.Poisson.of("p", names(1, 16), names(1, 16), SizeDistributions.parse(name, text), WEIR)
                    .withLoad(0.5, 16 * Scenarios.RATE_BPS)
                    .withTime(0, 100 * MILLISECOND)
                    .withCount(300);
        }
    }

    private static List<String> names(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> "h" + i).toList();
    }

    static Iterable<Map.Entry<String, Scenario>> entries() throws IOException {
        return scenarios().entrySet();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void run_smallScenario_findsWhatTheGoldenFileHas(Map.Entry<String, Scenario> entry) {
        ScenarioResult result = Simulation.run(entry.getValue(), () -> 0, Simulation.Progress.UNWATCHED);
        assertEquals(List.of(), result.problems());
        Golden.requireEqual("scenarios/" + entry.getKey() + ".txt", ScenarioTable.of(result));
    }
}
