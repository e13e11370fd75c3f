package io.weir.bench.compare;

import io.weir.bench.compare.end.Task;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What all turns together say: spreads of values and of ratios. A ratio is made within a round, never across rounds.
 */
final class CompareFindings {
    /**
     * A subject's values of one measure.
     *
     * @param job what it did
     * @param spinners how many threads spun meanwhile
     * @param rival who
     * @param measure what was measured
     * @param value the spread over the rounds
     * @param ratios the spread of its ratios to each base, by the base's name; a base that failed is missing
     */
    record Row(Job job, int spinners, Rival rival, Measure measure, Spread value, Map<String, Spread> ratios) {}

    /**
     * What spinning threads leave of a subject's goodput.
     *
     * @param rival who
     * @param spinners how many threads spun
     * @param share goodput with them / without
     * @param ratios that share / the base's, by the base's name
     */
    record Hold(Rival rival, int spinners, Spread share, Map<String, Spread> ratios) {}

    /**
     * What open connections cost.
     *
     * @param rival who
     * @param spinners how many threads spun
     * @param connections how many were open
     * @param cost processor time per gigabyte with them / with one connection
     * @param bytesPerConnection memory that each takes, at both ends
     */
    record Growth(Rival rival, int spinners, int connections, Spread cost, Spread bytesPerConnection) {}

    /**
     * What Weir beneath Netty saves of a round trip, and what of that is left beneath gRPC.
     *
     * @param job the round trips
     * @param spinners how many threads spun
     * @param echoNanos the median of Netty's echo over epoll, less that over Weir
     * @param unaryNanos the same for gRPC's unary call
     * @param kept the latter / the former
     */
    record Saving(Job job, int spinners, Spread echoNanos, Spread unaryNanos, Spread kept) {}

    /**
     * Runs without a value.
     *
     * @param job what was to be done
     * @param spinners how many threads spun
     * @param rival who
     * @param reason why not
     * @param count in how many rounds
     */
    record Gap(Job job, int spinners, Rival rival, String reason, int count) {}

    private final CompareOptions options;
    private final Map<CompareTurn, TurnOutcome> outcomes;

    CompareFindings(CompareOptions options, Map<CompareTurn, TurnOutcome> outcomes) {
        this.options = options;
        this.outcomes = new LinkedHashMap<>(outcomes);
    }

    CompareOptions options() {
        return options;
    }

    Map<CompareTurn, TurnOutcome> outcomes() {
        return outcomes;
    }

    /** {@return the rows of one job, measure by measure} */
    List<Row> rows(Job job, int spinners) {
        List<Row> rows = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            for (Rival rival : options.rivals()) {
                Map<Integer, Double> values = values(job, spinners, rival, measure);
                if (!values.isEmpty()) {
                    Map<String, Spread> ratios = ratios(values, rival, base -> values(job, spinners, base, measure));
                    rows.add(new Row(job, spinners, rival, measure, Spread.of(values.values()), ratios));
                }
            }
        }
        return rows;
    }

    /** {@return what spinning threads leave, where runs without any are there} */
    List<Hold> holds() {
        List<Hold> holds = new ArrayList<>();
        for (int spinners : options.spinners()) {
            for (Rival rival : options.rivals()) {
                Map<Integer, Double> shares = shares(rival, spinners);
                if (spinners > 0 && !shares.isEmpty()) {
                    Map<String, Spread> ratios = ratios(shares, rival, base -> shares(base, spinners));
                    holds.add(new Hold(rival, spinners, Spread.of(shares.values()), ratios));
                }
            }
        }
        return holds;
    }

    private Map<Integer, Double> shares(Rival rival, int spinners) {
        Job bulk = new Job(Task.BULK, 0, 1);
        return quotients(values(bulk, spinners, rival, Measure.GOODPUT), values(bulk, 0, rival, Measure.GOODPUT));
    }

    /** {@return what open connections cost, where runs with one are there} */
    List<Growth> growths() {
        List<Growth> growths = new ArrayList<>();
        Job one = new Job(Task.MANY, 0, 1);
        for (Job job : options.jobs()) {
            if (job.task() != Task.MANY || job.connections() == 1) {
                continue;
            }
            for (int spinners : options.spinners()) {
                for (Rival rival : options.rivals()) {
                    Map<Integer, Double> cost = quotients(
                            values(job, spinners, rival, Measure.CPU_PER_GB),
                            values(one, spinners, rival, Measure.CPU_PER_GB));
                    Map<Integer, Double> bytes = perConnection(job, spinners, rival);
                    if (!cost.isEmpty() && !bytes.isEmpty()) {
                        growths.add(new Growth(
                                rival,
                                spinners,
                                job.connections(),
                                Spread.of(cost.values()),
                                Spread.of(bytes.values())));
                    }
                }
            }
        }
        return growths;
    }

    private Map<Integer, Double> perConnection(Job job, int spinners, Rival rival) {
        Map<Integer, Double> one = values(new Job(Task.MANY, 0, 1), spinners, rival, Measure.RESIDENT);
        Map<Integer, Double> bytes = new LinkedHashMap<>();
        values(job, spinners, rival, Measure.RESIDENT).forEach((round, all) -> {
            if (one.containsKey(round)) {
                bytes.put(round, (all - one.get(round)) / (job.connections() - 1));
            }
        });
        return bytes;
    }

    /** {@return what the payload of calls is held against: a stream for one connection, one each way for more} */
    static Job streamOf(Job calls) {
        return new Job(calls.connections() == 1 ? Task.BULK : Task.DUPLEX, 0, 1);
    }

    /** {@return the payload of a subject's calls / what its streams move, or null where one is missing} */
    Spread shareOfStream(Job calls, int spinners, Rival rival) {
        Map<Integer, Double> shares = quotients(
                values(calls, spinners, rival, Measure.PAYLOAD),
                values(streamOf(calls), spinners, rival, Measure.GOODPUT));
        return shares.isEmpty() ? null : Spread.of(shares.values());
    }

    /** {@return what gRPC keeps of what Netty's echo saves, where all four took their turns} */
    List<Saving> savings() {
        List<Saving> savings = new ArrayList<>();
        for (int spinners : options.spinners()) {
            for (Job job : options.jobs()) {
                Map<Integer, Double> echo = savedNanos(job, spinners, Rival.NETTY, Rival.WEIR_NETTY);
                Map<Integer, Double> unary = savedNanos(job, spinners, Rival.GRPC, Rival.WEIR_GRPC);
                Map<Integer, Double> kept = quotients(unary, echo);
                if (job.task() == Task.ROUND_TRIPS && !kept.isEmpty()) {
                    savings.add(new Saving(
                            job,
                            spinners,
                            Spread.of(echo.values()),
                            Spread.of(unary.values()),
                            Spread.of(kept.values())));
                }
            }
        }
        return savings;
    }

    private Map<Integer, Double> savedNanos(Job job, int spinners, String kernel, String weir) {
        Map<Integer, Double> without = values(job, spinners, Rival.named(kernel), Measure.P50);
        Map<Integer, Double> saved = new LinkedHashMap<>();
        values(job, spinners, Rival.named(weir), Measure.P50).forEach((round, nanos) -> {
            if (without.containsKey(round)) {
                saved.put(round, without.get(round) - nanos);
            }
        });
        return saved;
    }

    /** {@return the runs without a value} */
    List<Gap> gaps() {
        Map<List<Object>, Gap> gaps = new LinkedHashMap<>();
        outcomes.forEach((turn, outcome) -> {
            if (outcome.isFailure()) {
                Gap gap = new Gap(turn.job(), turn.spinners(), turn.rival(), outcome.failureText(), 1);
                gaps.merge(
                        List.of(gap.job, gap.spinners, gap.rival, gap.reason),
                        gap,
                        (known, more) ->
                                new Gap(known.job, known.spinners, known.rival, known.reason, known.count + 1));
            }
        });
        return List.copyOf(gaps.values());
    }

    /** {@return payload bits per second in each second from the client's open port on: medians over the rounds} */
    List<Double> ramp(int spinners, Rival rival) {
        List<List<Double>> ramps = new ArrayList<>();
        outcomes.forEach((turn, outcome) -> {
            if (turn.spinners() == spinners
                    && turn.rival().equals(rival)
                    && !outcome.ramp().isEmpty()) {
                ramps.add(outcome.ramp());
            }
        });
        int seconds = ramps.stream().mapToInt(List::size).min().orElse(0);
        List<Double> medians = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            int second = i;
            medians.add(Spread.of(ramps.stream().map(ramp -> ramp.get(second)).toList())
                    .median());
        }
        return medians;
    }

    /** {@return what else the machine did in runs without spinning threads, in percent of a core} */
    Optional<Spread> others() {
        List<Double> percents = new ArrayList<>();
        outcomes.forEach((turn, outcome) -> {
            if (turn.spinners() == 0 && outcome.values().containsKey(Measure.OTHERS)) {
                percents.add(outcome.values().get(Measure.OTHERS));
            }
        });
        return percents.isEmpty() ? Optional.empty() : Optional.of(Spread.of(percents));
    }

    private Map<Integer, Double> values(Job job, int spinners, Rival rival, Measure measure) {
        Map<Integer, Double> values = new LinkedHashMap<>();
        for (int round = 0; round < options.pairs(); round++) {
            TurnOutcome outcome = outcomes.get(new CompareTurn(round, spinners, job, rival));
            if (outcome != null && outcome.values().containsKey(measure)) {
                values.put(round, outcome.values().get(measure));
            }
        }
        return values;
    }

    private Map<String, Spread> ratios(
            Map<Integer, Double> values, Rival rival, Function<Rival, Map<Integer, Double>> ofBase) {
        Map<String, Spread> ratios = new LinkedHashMap<>();
        for (String base : options.bases()) {
            Collection<Double> quotients =
                    quotients(values, ofBase.apply(Rival.named(base))).values();
            if (!rival.name().equals(base) && !quotients.isEmpty()) {
                ratios.put(base, Spread.of(quotients));
            }
        }
        return ratios;
    }

    private static Map<Integer, Double> quotients(Map<Integer, Double> above, Map<Integer, Double> below) {
        Map<Integer, Double> quotients = new LinkedHashMap<>();
        above.forEach((round, value) -> {
            Double other = below.get(round);
            if (other != null && other != 0) {
                quotients.put(round, value / other);
            }
        });
        return quotients;
    }
}
