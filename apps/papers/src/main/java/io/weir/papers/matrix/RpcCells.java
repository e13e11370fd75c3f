package io.weir.papers.matrix;

import io.weir.papers.Scale;
import io.weir.papers.Unit;
import io.weir.papers.matrix.Metric.Demand;
import io.weir.transport.scenario.result.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Cells of requests and responses over many open connections. */
final class RpcCells {
    /** Calls of a cell; more where its connections would make fewer than four each. */
    private static final int CALLS = 4_096;

    private static final int CALLS_QUICK = 1_024;
    private static final int ROUNDS_MIN = 4;

    /** How much longer than with the better of the other rules 99 % may take. */
    private static final double FACTOR = 1.1;

    static final String FROM_MANY = "h1..h32";

    /** What an incast sends at once, per connection. */
    private static final String INCAST_SIZE = "16KB";

    /**
     * Where {@code weir plan} says that the queue of data of such a port is never full of credited data: the sum of
     * Equation 1, and what is sent without credits.
     */
    private static final double QUEUE_BYTES_MAX = 25_881;

    private static final List<Contestant> RULES = List.of(
            Contestant.WEIR, Contestant.AUTHORS_CAREFUL, Contestant.AUTHORS_BOLD, Contestant.PAPER, Contestant.DCTCP);

    private RpcCells() {}

    /** {@return one request at a time on each of so many connections, and all their requests at once} */
    static List<Cell> rpc(Scale scale) {
        boolean isFull = scale == Scale.FULL;
        List<Integer> seeds = Matrix.seeds(scale);
        List<Cell> cells = new ArrayList<>();
        for (String from : List.of("h1", FROM_MANY)) {
            for (int connections : isFull ? List.of(8, 32, 128, 1_024) : List.of(8, 128)) {
                for (String size : List.of("64B", "4KB")) {
                    int calls = isFull ? Math.max(CALLS, ROUNDS_MIN * connections) : CALLS_QUICK;
                    cells.add(rpc(from, connections, size, calls / connections, seeds));
                }
            }
            for (int connections : isFull ? List.of(8, 32, 128, 1_024) : List.of(8, 128)) {
                cells.add(incast(from, connections, seeds));
            }
        }
        return cells;
    }

    private static String hosts(String from) {
        return from.equals(FROM_MANY) ? "32 hosts" : "one host";
    }

    static Cell rpc(String from, int connections, String size, int rounds, List<Integer> seeds) {
        int calls = connections * rounds;
        return Cell.of(
                        Matrix.text("%d connections from %s, %s", connections, hosts(from), size),
                        "rpc.yaml",
                        seeds,
                        List.of(
                                Metric.less(
                                                "p50",
                                                Unit.NANOS,
                                                result -> Reading.callNanos(result, calls, Percentiles::p50))
                                        .heldTo(),
                                Metric.less(
                                                "p99",
                                                Unit.NANOS,
                                                result -> Reading.callNanos(result, calls, Percentiles::p99))
                                        .heldTo(others()),
                                Metric.less("credits per message", Unit.NUMBER, Reading::creditsPerMessage)
                                        .heldTo()),
                        "traffic[rpc].from=" + from,
                        "traffic[rpc].connections=" + connections,
                        "traffic[rpc].request=" + size,
                        "traffic[rpc].response=" + size,
                        "traffic[rpc].rounds=" + rounds)
                .by(RULES);
    }

    private static Demand[] others() {
        return Stream.of(Contestant.AUTHORS_CAREFUL, Contestant.AUTHORS_BOLD, Contestant.PAPER, Contestant.DCTCP)
                .map(rule -> Demand.of(rule, FACTOR))
                .toArray(Demand[]::new);
    }

    static Cell incast(String from, int connections, List<Integer> seeds) {
        return Cell.of(
                        Matrix.text("incast of %d connections from %s", connections, hosts(from)),
                        "rpc.yaml",
                        seeds,
                        List.of(
                                Metric.less(
                                                "p99",
                                                Unit.NANOS,
                                                result -> Reading.callNanos(result, connections, Percentiles::p99))
                                        .heldTo(),
                                Metric.less("data drops", Unit.NUMBER, Reading::dataDrops)
                                        .worst()
                                        .heldTo(Demand.number(0)),
                                Metric.less("longest queue", Unit.BYTES, Reading::queueBytesMaxWarm)
                                        .worst()
                                        .heldTo(Demand.number(QUEUE_BYTES_MAX))),
                        "traffic[rpc].from=" + from,
                        "traffic[rpc].connections=" + connections,
                        "traffic[rpc].request=" + INCAST_SIZE,
                        "traffic[rpc].rounds=1")
                .by(RULES);
    }
}
