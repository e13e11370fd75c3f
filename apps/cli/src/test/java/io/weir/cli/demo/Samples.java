package io.weir.cli.demo;

import io.weir.cli.lab.QueueStats;
import io.weir.transport.runtime.PauseCounts;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Made-up measurements of a demonstration at 1 Gbps. */
final class Samples {
    static final DemoPlan PLAN =
            new DemoPlanBuilder().flowCount(16).joinCount(20).build();
    static final double ALONE_BPS = 850e6;
    static final long JOIN_NANOS = 40_000_000;

    private static final long SECOND = 1_000_000_000;

    private Samples() {}

    /** {@return pauses of 1 ms of the hosts' thread, and none of the switches'} */
    static DemoPauses pauses(long nanos, long count) {
        DemoPauses.Loop client = loop("left host (client)", count, count * 1_000_000, nanos);
        DemoPauses.Loop server = loop("right host (server)", count, count * 1_000_000, nanos);
        return new DemoPauses(nanos, List.of(client, server), loop("switches", 0, 0, nanos));
    }

    /** {@return pauses of 1 ms in a second} */
    static DemoPauses pauses(long count) {
        return pauses(SECOND, count);
    }

    /** {@return a queue of a second of which so many windows were left out} */
    static QueueStats queue(long windowsStalled) {
        boolean hasOthers = windowsStalled < 1_000;
        return new QueueStats(
                1_000_000,
                1_000,
                windowsStalled,
                hasOthers ? 9_000L : null,
                hasOthers ? 9_500L : null,
                hasOthers ? 1_200L : null,
                windowsStalled == 0 ? null : 30_000L);
    }

    static Latencies latencies(long count, DemoPauses pauses) {
        return count == 0
                ? new Latencies(0, null, null, null, null, pauses)
                : new Latencies(count, 110_000L, 300_000L, 4_000_000L, 9_000_000L, pauses);
    }

    static Joins.Trial trial(double baseBps, long pauses, long shareNanos) {
        return new Joins.Trial(baseBps, pauses(JOIN_NANOS, pauses), shareNanos, true);
    }

    static Joins joins(double aloneBps, Joins.Trial... trials) {
        return Joins.of(List.of(trials), aloneBps, PLAN);
    }

    /** {@return what a calm machine measures} */
    static SystemFigures calm(String name) {
        return figures(name, 1, 9_000, 850e6, trial(850e6, 0, 180_000));
    }

    /** {@return what a machine measures whose hosts' thread is off its core 40 % of the time} */
    static SystemFigures busy(String name) {
        return figures(name, 400, 1_000, 20e6, trial(19e6, 16, 1_000));
    }

    /** {@return what is measured where nothing moves at all} */
    static SystemFigures nothing(String name) {
        DemoPauses pauses = pauses(1_000);
        Joins.Trial trial = new Joins.Trial(0, pauses, Long.MAX_VALUE, false);
        return new SystemFigures(
                name,
                new SystemFigures.Alone(0, 0, new QueueStats(1_000_000, 0, 0, null, null, null, null), pauses),
                latencies(0, pauses),
                latencies(0, pauses),
                queue(1_000),
                new SystemFigures.Fairness(16, 0, null, queue(1_000), pauses),
                Joins.of(Collections.nCopies(20, trial), 0, PLAN),
                0,
                pauses);
    }

    private static SystemFigures figures(
            String name, long pauses, long roundTrips, double goodputBps, Joins.Trial trial) {
        DemoPauses all = pauses(pauses);
        return new SystemFigures(
                name,
                new SystemFigures.Alone(goodputBps, goodputBps / 0.92e9, queue(2 * pauses), all),
                latencies(roundTrips, all),
                latencies(roundTrips, all),
                queue(2 * pauses),
                new SystemFigures.Fairness(16, goodputBps, 0.97, queue(2 * pauses), all),
                Joins.of(Collections.nCopies(20, trial), goodputBps, PLAN),
                0,
                all);
    }

    static DemoResult result(SystemFigures weir, SystemFigures tcp) {
        String hash = "0".repeat(64);
        return new DemoResult(
                PLAN,
                List.of(),
                new DemoResult.Transfer(65_536, 65_536, 1_000_000, hash, hash),
                1_000,
                300,
                ExpectedGoodput.of(PLAN.bottleneckBps(), Trunk.credits(PLAN)),
                weir,
                tcp,
                tcp == null
                        ? null
                        : new DemoResult.Mixed(100e6, 700e6, weir.alone().queue(), 0, weir.pauses()),
                tcp == null ? "made up" : null,
                null,
                null);
    }

    /** {@return a loop that was off its core so often, {@code pausedNanos} together, each time as long} */
    static DemoPauses.Loop loop(String name, long count, long pausedNanos, long nanos) {
        long[] each = new long[(int) count];
        Arrays.fill(each, count == 0 ? 0 : pausedNanos / count);
        return DemoPauses.Loop.of(name, PauseCounts.of(each), nanos);
    }
}
