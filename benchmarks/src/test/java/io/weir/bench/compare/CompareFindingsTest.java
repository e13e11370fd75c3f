package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.compare.end.Task;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link CompareFindings}. */
class CompareFindingsTest {
    private static final Job BULK = new Job(Task.BULK, 0, 1);
    private static final Rival WEIR = Rival.named("weir-expresspass");
    private static final Rival KERNEL = Rival.named("tcp-xdp");

    private final Map<CompareTurn, TurnOutcome> outcomes = new LinkedHashMap<>();

    @Test
    void rows_ratios_areMadeWithinRounds() {
        // Rounds differ by a factor of ten, both alike: the ratio is steady.
        add(0, 0, BULK, WEIR, Measure.GOODPUT, 2);
        add(0, 0, BULK, KERNEL, Measure.GOODPUT, 4);
        add(1, 0, BULK, WEIR, Measure.GOODPUT, 20);
        add(1, 0, BULK, KERNEL, Measure.GOODPUT, 40);
        List<CompareFindings.Row> rows = findings("--pairs 2").rows(BULK, 0);
        assertEquals(WEIR, rows.get(0).rival());
        assertEquals(new Spread(2, 2, 6.5, 11, 15.5, 20), rows.get(0).value());
        assertEquals(
                new Spread(2, 0.5, 0.5, 0.5, 0.5, 0.5), rows.get(0).ratios().get("tcp-xdp"));
        assertEquals(Map.of(), rows.get(1).ratios());
    }

    @Test
    void rows_roundInWhichTheBaseFailed_hasNoRatio() {
        add(0, 0, BULK, WEIR, Measure.GOODPUT, 2);
        outcomes.put(new CompareTurn(0, 0, BULK, KERNEL), TurnOutcome.failed("it rains"));
        add(1, 0, BULK, WEIR, Measure.GOODPUT, 3);
        add(1, 0, BULK, KERNEL, Measure.GOODPUT, 1);
        CompareFindings findings = findings("--pairs 2");
        List<CompareFindings.Row> rows = findings.rows(BULK, 0);
        assertEquals(2, rows.get(0).value().count());
        assertEquals(1, rows.get(0).ratios().get("tcp-xdp").count());
        assertEquals(1, rows.get(1).value().count());
        assertEquals(List.of(new CompareFindings.Gap(BULK, 0, KERNEL, "failed: it rains", 1)), findings.gaps());
    }

    @Test
    void rows_subjectThatFailedAlways_hasNoRowAndNoZero() {
        outcomes.put(new CompareTurn(0, 0, BULK, WEIR), TurnOutcome.failed("it rains"));
        outcomes.put(new CompareTurn(1, 0, BULK, WEIR), TurnOutcome.failed("it rains"));
        CompareFindings findings = findings("--pairs 2");
        assertTrue(findings.rows(BULK, 0).isEmpty());
        assertEquals(List.of(new CompareFindings.Gap(BULK, 0, WEIR, "failed: it rains", 2)), findings.gaps());
    }

    @Test
    void holds_goodputWithASpinner_isDividedByThatWithout() {
        add(0, 0, BULK, WEIR, Measure.GOODPUT, 4);
        add(0, 1, BULK, WEIR, Measure.GOODPUT, 1);
        add(0, 0, BULK, KERNEL, Measure.GOODPUT, 10);
        add(0, 1, BULK, KERNEL, Measure.GOODPUT, 5);
        List<CompareFindings.Hold> holds = findings("--pairs 1 --spinners 0,1").holds();
        assertEquals(0.25, holds.get(0).share().median());
        assertEquals(0.5, holds.get(0).ratios().get("tcp-xdp").median());
        assertEquals(0.5, holds.get(1).share().median());
    }

    @Test
    void shareOfStream_calls_areHeldToOneStreamOrToOneEachWay() {
        Job one = new Job(Task.CALLS, 64, 1, 1);
        Job many = new Job(Task.CALLS, 64, 8, 1);
        add(0, 0, BULK, WEIR, Measure.GOODPUT, 4);
        add(0, 0, new Job(Task.DUPLEX, 0, 1), WEIR, Measure.GOODPUT, 10);
        add(0, 0, one, WEIR, Measure.PAYLOAD, 1);
        add(0, 0, many, WEIR, Measure.PAYLOAD, 5);
        add(0, 0, many, KERNEL, Measure.PAYLOAD, 5);
        CompareFindings findings = findings("--pairs 1 --workloads rpc --sizes 64 --connections 1,8 --outstanding 1");
        assertEquals(0.25, findings.shareOfStream(one, 0, WEIR).median());
        assertEquals(0.5, findings.shareOfStream(many, 0, WEIR).median());
        assertNull(findings.shareOfStream(many, 0, KERNEL));
        List<CompareSection> sections = new CompareSections(findings).all();
        CompareSection calls = sections.stream()
                .filter(section -> section.title().equals("Calls"))
                .findFirst()
                .orElseThrow();
        assertEquals("0.25", calls.rows().get(0).get(4));
        assertEquals(
                List.of("64", "8", "1", KERNEL.label(), ""), calls.rows().get(2).subList(0, 5));
    }

    @Test
    void growths_manyConnections_areComparedWithOne() {
        Job one = new Job(Task.MANY, 0, 1);
        Job many = new Job(Task.MANY, 0, 1001);
        add(0, 0, one, WEIR, Measure.CPU_PER_GB, 2);
        add(0, 0, many, WEIR, Measure.CPU_PER_GB, 3);
        add(0, 0, one, WEIR, Measure.RESIDENT, 1_000_000);
        add(0, 0, many, WEIR, Measure.RESIDENT, 5_000_000);
        List<CompareFindings.Growth> growths =
                findings("--pairs 1 --workloads many --connections 1,1001").growths();
        assertEquals(1, growths.size());
        assertEquals(1.5, growths.get(0).cost().median());
        assertEquals(4_000, growths.get(0).bytesPerConnection().median());
    }

    @Test
    void savings_echoAndUnaryCall_areComparedWithinRounds() {
        Job trips = new Job(Task.ROUND_TRIPS, 64, 1);
        for (int round = 0; round < 2; round++) {
            double factor = round + 1;
            add(round, 0, trips, Rival.named("netty"), Measure.P50, 100_000 * factor);
            add(round, 0, trips, Rival.named("weir-netty"), Measure.P50, 20_000 * factor);
            add(round, 0, trips, Rival.named("grpc"), Measure.P50, 190_000 * factor);
            add(round, 0, trips, Rival.named("weir-grpc"), Measure.P50, 120_000 * factor);
        }
        List<CompareFindings.Saving> savings =
                findings("--pairs 2 --workloads rr --sizes 64").savings();
        assertEquals(1, savings.size());
        assertEquals(120_000, savings.get(0).echoNanos().median());
        assertEquals(105_000, savings.get(0).unaryNanos().median());
        assertEquals(0.875, savings.get(0).kept().median());
        assertEquals(
                List.of(), findings("--pairs 2 --workloads rr --sizes 1500").savings());
    }

    @Test
    void ramp_severalRounds_isTheMedianOfEachSecond() {
        for (int round = 0; round < 3; round++) {
            outcomes.put(
                    new CompareTurn(round, 0, BULK, WEIR),
                    TurnOutcome.of(Map.of(Measure.GOODPUT, 1.0), List.of(round + 1.0, 10.0 * round)));
        }
        assertEquals(List.of(2.0, 10.0), findings("--pairs 3").ramp(0, WEIR));
    }

    private void add(int round, int spinners, Job job, Rival rival, Measure measure, double value) {
        Map<Measure, Double> values = new LinkedHashMap<>();
        TurnOutcome known = outcomes.get(new CompareTurn(round, spinners, job, rival));
        if (known != null) {
            values.putAll(known.values());
        }
        values.put(measure, value);
        outcomes.put(new CompareTurn(round, spinners, job, rival), TurnOutcome.of(values, List.of()));
    }

    private CompareFindings findings(String arguments) {
        String subjects = arguments + " --subjects weir-expresspass,tcp-xdp"
                + (arguments.contains("--workloads") ? "" : " --workloads bulk");
        return new CompareFindings(CompareOptions.parse(subjects.split(" ", -1)), outcomes);
    }
}
