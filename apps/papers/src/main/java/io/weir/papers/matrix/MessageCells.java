package io.weir.papers.matrix;

import io.weir.papers.Scale;
import io.weir.papers.Unit;
import io.weir.papers.matrix.Metric.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The cells of the matrix with messages: to one host, over one link, and on connections that open at once. */
final class MessageCells {
    private static final Demand AT_HOSTS = Demand.number(0);
    private static final int BURST = 64;

    /** The time of one credit at a receiving host's meter, and of the data that it asks for. */
    private static final double CREDIT_NANOS = (88 + 1538) * 8 / 9.9;

    /** How many messages trunk.yaml has. */
    private static final int TRUNK_MESSAGES = 2_048;

    /** What messages of several frames have in each. */
    private static final int FRAME_BYTES = 1_400;

    /** 1.2 times what the credits of 2,048 messages take. */
    private static final double OPENED_NANOS_MAX = 3_240_000;

    /** What p99 may be after a burst, in times of what it is without one. */
    private static final double RECOVERED = 1.5;

    private MessageCells() {}

    static List<Cell> messages(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        for (double load : List.of(0.6, 0.7, 0.8, 0.9, 0.95)) {
            cells.addAll(messages(load, 4_096, Matrix.seeds(scale)));
        }
        return cells;
    }

    /** {@return a load without and with a burst} */
    static List<Cell> messages(double load, int count, List<Integer> seeds) {
        Cell calm = message(load, 0, count, seeds);
        return List.of(calm, message(load, BURST, count, seeds, Demand.ofCell(calm, RECOVERED)));
    }

    private static Cell message(double load, int burst, int count, List<Integer> seeds, Demand... recovery) {
        long spreadNanos = Math.round(count * CREDIT_NANOS / load);
        long burstNanos = spreadNanos / 4;
        long recoveredNanos = burstNanos + Math.round(2 * BURST * CREDIT_NANOS / (1 - load));
        return Cell.of(
                Matrix.text(burst == 0 ? "load %.2f" : "load %.2f and a burst of %d", load, burst),
                "messages.yaml",
                seeds,
                List.of(
                        Metric.less("p99", Unit.NANOS, result -> Reading.p99Nanos(result.flows(), "message", 0))
                                .heldTo(Demand.of(Contestant.AUTHORS_CAREFUL, 1.5)),
                        Metric.less("credits per frame", Unit.NUMBER, Reading::creditsPerFrame)
                                .heldTo(Demand.number(1.1)),
                        Metric.less("lost at hosts", Unit.SHARE, Reading::lostAtHosts)
                                .heldTo(AT_HOSTS),
                        Metric.less(
                                        "p99 afterwards",
                                        Unit.NANOS,
                                        result -> Reading.p99Nanos(result.flows(), "message", recoveredNanos))
                                .heldTo(recovery)),
                Matrix.text("traffic[message].count=%d", count),
                Matrix.text("traffic[message].start={spread: %dns}", spreadNanos),
                "traffic[burst].count=" + Math.max(1, burst),
                Matrix.text("traffic[burst].start={at: %dns}", burstNanos));
    }

    static List<Cell> trunk(Scale scale) {
        List<Double> loads = scale == Scale.FULL ? List.of(0.4, 0.6, 0.8, 0.95) : List.of(0.6, 0.95);
        return IntStream.of(1, 7, 15)
                .boxed()
                .flatMap(frames -> loads.stream().map(load -> trunk(frames, load, Matrix.seeds(scale))))
                .toList();
    }

    static Cell trunk(int frames, double load, List<Integer> seeds) {
        return Cell.of(
                Matrix.text(frames == 1 ? "%d frame, load %.2f" : "%d frames, load %.2f", frames, load),
                "trunk.yaml",
                seeds,
                List.of(
                        Metric.less("p99", Unit.NANOS, result -> Reading.p99Nanos(result.flows(), "message", 0)),
                        Metric.less("credits per frame", Unit.NUMBER, Reading::creditsPerFrame)),
                Matrix.text("traffic[message].size=%dB", frames == 1 ? 1_000 : frames * FRAME_BYTES),
                Matrix.text(
                        "traffic[message].start={spread: %dns}",
                        Math.round(TRUNK_MESSAGES * frames * CREDIT_NANOS / load)));
    }

    static List<Cell> openings() {
        return List.of(
                opening("one host", "openings-to-one.yaml"),
                opening("pairs, links of 2 us", "openings.yaml", "topology.delay=2us"),
                opening("pairs, links of 10 us", "openings.yaml", "topology.delay=10us"));
    }

    private static Cell opening(String name, String file, String... settings) {
        return Cell.of(
                        name,
                        file,
                        List.of(1),
                        List.of(
                                Metric.less("data drops", Unit.NUMBER, Reading::dataDrops)
                                        .heldTo(Demand.number(0)),
                                Metric.less("last done", Unit.NANOS, Reading::lastDoneNanos)
                                        .heldTo(Demand.number(OPENED_NANOS_MAX)),
                                Metric.less("longest queue", Unit.BYTES, Reading::queueBytesMax)
                                        .heldTo()),
                        settings)
                .alone();
    }
}
