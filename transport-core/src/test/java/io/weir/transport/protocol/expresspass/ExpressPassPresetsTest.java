package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.testing.Dumbbell;
import io.weir.transport.testing.Golden;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the presets in the four named scenarios: 2, 4, 16 and 64 long flows that join 50 us apart on one link of
 * 10 Gbit/s, all links 8 us long.
 */
class ExpressPassPresetsTest {
    private static final int[] FLOWS = {2, 4, 16, 64};
    private static final long LINK_RATE_BPS = 10_000_000_000L;
    private static final long LINK_DELAY_NANOS = 8_000;
    private static final long STAGGER_NANOS = 50_000;
    private static final long RUN_NANOS = 20_000_000;
    private static final long QUEUE_BYTES_MAX = 18_000;
    private static final int SEEDS = 9;
    private static final double TOLERANCE = 0.02;
    /** To drop the tail is not weir's way. */
    private static final double TAIL_JAIN_TOLERANCE = 0.035;

    private static final int JAIN_SEEDS = 4;

    private static Map<String, Settings> presets() {
        Map<String, Settings> presets = new LinkedHashMap<>();
        presets.put("paper", ExpressPass.paper());
        presets.put("authors", ExpressPass.authors());
        presets.put("weir", ExpressPass.weir());
        presets.put("alg1-current", ExpressPass.paper().with(ExpressPass.CURRENT_RATE_ONLY, true));
        return presets;
    }

    private static Dumbbell.Result run(int flows, Settings config, Drop drop, long runNanos, long seed) {
        return new Dumbbell(flows, LINK_RATE_BPS, LINK_DELAY_NANOS, config, drop, seed).run(STAGGER_NANOS, runNanos);
    }

    @Test
    void presets_namedScenarios_matchTheGoldenTableAndTheDefaultIsNoWorse() {
        StringBuilder table =
                new StringBuilder("flows drop   preset       util   jain  jain2ms rtts queue loss  drops\n");
        for (Drop drop : Drop.values()) {
            for (int flows : FLOWS) {
                Map<String, Dumbbell.Result> results = new LinkedHashMap<>();
                Map<String, Double> rtts = new LinkedHashMap<>();
                presets().forEach((name, config) -> {
                    Dumbbell.Result result = run(flows, config, drop, RUN_NANOS, 1);
                    results.put(name, result);
                    rtts.put(name, convergenceRtts(flows, config, drop));
                    table.append(row(flows, drop, name, result, rtts.get(name)));
                });
                requireBounds(flows + " flows, " + drop, results, rtts, drop);
                requireFair(flows, drop, results);
            }
        }
        Golden.requireEqual("ExpressPassPresets.txt", table.toString());
    }

    /** {@return the round trips until the last flow first has 80 % of its share: the median of nine seeds} */
    private static double convergenceRtts(int flows, Settings config, Drop drop) {
        double[] rtts = LongStream.rangeClosed(1, SEEDS)
                .mapToDouble(seed -> run(flows, config, drop, 1, seed).convergenceRtts())
                .sorted()
                .toArray();
        return rtts[SEEDS / 2];
    }

    private static String row(int flows, Drop drop, String name, Dumbbell.Result result, double convergenceRtts) {
        return String.format(
                Locale.ROOT,
                "%5d %-6s %-12s %.4f %.3f %.3f %6.0f %5d %.3f %d\n",
                flows,
                drop,
                name,
                result.utilization(),
                result.jain(),
                result.jainShort(),
                convergenceRtts,
                result.dataQueueBytesMax(),
                result.creditLoss(),
                result.dataDrops());
    }

    private static void requireBounds(
            String scenario, Map<String, Dumbbell.Result> results, Map<String, Double> rtts, Drop drop) {
        results.forEach((name, result) -> {
            assertEquals(0, result.dataDrops(), scenario + ": " + name + " drops data");
            assertTrue(result.dataQueueBytesMax() <= QUEUE_BYTES_MAX, scenario + ": " + name + " " + result);
        });
        Dumbbell.Result weir = results.get("weir");
        Dumbbell.Result paper = results.get("paper");
        Dumbbell.Result authors = results.get("authors");
        double utilization = Math.max(paper.utilization(), authors.utilization());
        assertTrue(weir.utilization() >= utilization - TOLERANCE, scenario + ": " + weir + " below " + utilization);
        // The trade that docs/protocols/expresspass.md names: one more round trip, two where the tail is dropped, which
        // is not weir's way; one more frame in the queue.
        int rttsMore = drop == Drop.RANDOM ? 1 : 2;
        double rttsFewest = Math.min(rtts.get("paper"), rtts.get("authors"));
        assertTrue(rtts.get("weir") <= rttsFewest + rttsMore, scenario + ": " + rtts);
        long queueBytes = Math.min(paper.dataQueueBytesMax(), authors.dataQueueBytesMax());
        assertTrue(weir.dataQueueBytesMax() <= queueBytes + 1538, scenario + ": " + weir + " above " + queueBytes);
    }

    /** Of 64 flows one seed's index says little: over twelve it varies from 0.95 to 0.98. */
    private static void requireFair(int flows, Drop drop, Map<String, Dumbbell.Result> results) {
        double weir = LongStream.rangeClosed(1, JAIN_SEEDS)
                .mapToDouble(seed ->
                        run(flows, presets().get("weir"), drop, RUN_NANOS, seed).jain())
                .average()
                .orElseThrow();
        double others =
                Math.max(results.get("paper").jain(), results.get("authors").jain());
        double tolerance = drop == Drop.RANDOM ? TOLERANCE : TAIL_JAIN_TOLERANCE;
        assertTrue(weir >= others - tolerance, flows + " flows, " + drop + ": " + weir + " below " + others);
    }

    @Test
    void weir_lastFlowJoins_convergesWithinTenRoundTrips() {
        for (int flows : FLOWS) {
            double median = convergenceRtts(flows, ExpressPass.weir(), Drop.RANDOM);
            assertTrue(median <= 10, flows + " flows: median " + median);
        }
    }
}
