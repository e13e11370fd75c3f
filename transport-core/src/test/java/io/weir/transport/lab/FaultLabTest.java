package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.lab.ScheduleRuns.Failure;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The fault laboratory: schedules that follow from seeds, played on the simulator with real bytes and checksums. {@code
 * -Dweir.lab.seed=N} plays that one alone and prints all that happens, {@code -Dweir.lab.seeds=N} as many as there is
 * time for.
 */
class FaultLabTest {
    private static final int SEEDS = Integer.getInteger("weir.lab.seeds", 3_000);
    private static final int REACTIVE_SEEDS = Integer.getInteger("weir.lab.reactiveSeeds", 400);
    /** The slow lane goes on behind those of the normal one, up to here. */
    private static final int SLOW_SEEDS = 20_000;

    private static final int SLOW_REACTIVE_SEEDS = 2_500;
    private static final Long ONLY_SEED = Long.getLong("weir.lab.seed");

    @Test
    void play_anySeed_deliversAPrefixAlwaysAndEverythingOnceTheNetworkHeals()
            throws InterruptedException, ExecutionException {
        if (ONLY_SEED != null) {
            List<String> lines = new ArrayList<>();
            String reason = new FaultLab().play(Schedule.of(ONLY_SEED), new LabLog(lines::add));
            System.out.println(String.join("\n", lines));
            assertEquals(null, reason);
            return;
        }
        requirePassed(ScheduleRuns.play(1, SEEDS));
    }

    @Test
    @Tag("slow")
    void playOn_theSeedsBehind_deliverAPrefixAlwaysAndEverythingOnceTheNetworkHeals()
            throws InterruptedException, ExecutionException {
        requirePassed(ScheduleRuns.play(SEEDS + 1, SLOW_SEEDS));
    }

    /** Schedules of the same classes for each protocol without credits that can run on real ports. */
    static Stream<Arguments> reactive() {
        return Catalogue.KINDS.stream()
                .filter(kind ->
                        kind != ExpressPass.KIND && kind.realPortObstacle().isEmpty())
                .map(kind -> Arguments.of(kind.toString(), kind.id().code() * Schedule.REACTIVE_SEED + 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reactive")
    void playReactive_anySeed_deliversAPrefixAlwaysAndEverythingOnceTheNetworkHeals(String protocol, long first)
            throws InterruptedException, ExecutionException {
        requirePassed(ScheduleRuns.play(first, first + REACTIVE_SEEDS - 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reactive")
    @Tag("slow")
    void playOnReactive_theSeedsBehind_deliverAPrefixAlwaysAndEverythingOnceTheNetworkHeals(String protocol, long first)
            throws InterruptedException, ExecutionException {
        requirePassed(ScheduleRuns.play(first + REACTIVE_SEEDS, first + SLOW_REACTIVE_SEEDS - 1));
    }

    private static void requirePassed(ScheduleRuns result) {
        result.failures().forEach(failure -> Regressions.keep(failure.seed(), failure.reason()));
        String first =
                result.failures().isEmpty() ? "" : result.failures().get(0).toString();
        assertTrue(result.failures().isEmpty(), () -> result.failures().size() + " failures, first " + first);
        System.out.println(result);
        assertTrue(result.unansweredCount() <= 1 + result.flowCount() / 500, result.toString());
    }

    @Test
    void play_seedsThatFailedOnce_passNow() {
        FaultLab lab = new FaultLab();
        Map<Long, String> regressions = Regressions.all();
        assertFalse(regressions.isEmpty(), "no regression was found: the folder is elsewhere");
        regressions.forEach((seed, why) -> {
            String reason = lab.play(seed);
            assertEquals(null, reason, () -> new Failure(seed, reason) + "; kept because: " + why);
        });
    }

    @Test
    void play_sameSeed_isTheSameRun() {
        for (long seed = 1; seed <= 50; seed++) {
            assertEquals(framesOf(seed), framesOf(seed), "seed " + seed);
        }
    }

    private static List<String> framesOf(long seed) {
        List<String> lines = new ArrayList<>();
        new FaultLab().play(Schedule.of(seed), new LabLog(lines::add));
        return lines;
    }

    @Test
    void schedules_together_haveEveryFeatureAloneAndInCompany() {
        Set<Feature> alone = EnumSet.noneOf(Feature.class);
        int withoutAny = 0;
        int withMany = 0;
        for (long seed = 1; seed <= 5_000; seed++) {
            Set<Feature> features = Schedule.of(seed).features;
            if (features.size() == 1) {
                alone.addAll(features);
            }
            withoutAny += features.isEmpty() ? 1 : 0;
            withMany += features.size() >= 6 ? 1 : 0;
        }
        assertEquals(EnumSet.allOf(Feature.class), alone);
        assertTrue(withoutAny > 100 && withMany > 500, withoutAny + " without a fault, " + withMany + " with many");
    }
}
