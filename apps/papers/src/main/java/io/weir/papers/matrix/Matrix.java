package io.weir.papers.matrix;

import io.weir.papers.Figure;
import io.weir.papers.Scale;
import io.weir.papers.Unit;
import io.weir.papers.matrix.Metric.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The default rule next to the authors' with alpha 1/16 and 1/2 and to Algorithm 1, over the networks and traffics that
 * its users have. In no cell may it be worse than the paper's rule, or than the authors' with 1/16, by more than 5 %,
 * unless the cell names another demand.
 */
public final class Matrix {
    private static final int SEEDS = 3;
    private static final Demand AT_HOSTS = Demand.number(0);

    /** What data can take of 10 Gbps next to credits. */
    private static final double LINK_GOODPUT_BPS = 8.67e9;

    /** When the rivals of the leaving cells have left, in intervals of 50 us. */
    private static final int LEFT = 200;

    private static final double ROUND_TRIP_NANOS = 48_000;
    private static final int REFILL_ROUND_TRIPS = 15;
    private static final double REFILLED = 0.9;

    /** The time of one credit at a receiving host's meter, and of the data that it asks for. */
    private static final double CREDIT_NANOS = (88 + 1538) * 8 / 9.9;

    /** What is asked of one flow over wires that lose so many frames, in percent, each way. */
    private static final double[][] LOSSES = {{0.5, 0.95}, {1, 0.92}, {2, 0.88}, {5, 0.70}};

    private Matrix() {}

    /** {@return the groups of cells} */
    public static List<Figure> figures() {
        return List.of(
                new MatrixGroup(
                        "long",
                        "Long flows",
                        "16 flows that join 50 us apart; goodput and Jain's index of the second half.",
                        Matrix::longFlows),
                new MatrixGroup(
                        "loss",
                        "Wires that lose frames",
                        "One flow, 10 Gbps, 48 us; each way so many frames are lost. At least 95, 92, 88 and 70 % of what a"
                                + " link without loss gives.",
                        Matrix::loss),
                new MatrixGroup(
                        "on-off",
                        "Traffic that pauses",
                        "Three flows that are on and off for so long, next to a steady one; 10 Gbps, 48 us.",
                        Matrix::onOff),
                new MatrixGroup(
                        "leaving",
                        "Rivals that leave",
                        "A flow whose rivals stop; 10 Gbps, 48 us. It has 90 % of the link within 15 round trips.",
                        Matrix::leaving),
                new MatrixGroup(
                        "short",
                        "Short flows",
                        "Web server over a fat tree, at two loads of the links above the racks. S p99 at most 1.2 times the"
                                + " authors' with 1/2.",
                        Matrix::shortFlows),
                new MatrixGroup(
                        "messages",
                        "Messages to one host",
                        "Messages of 1,000 B from 32 hosts to one, a connection each, at five loads, with and without a burst of"
                                + " 64. p99 at most 1.5 times the authors' with 1/16; credits per frame at most 1.1, or 1.05"
                                + " times theirs.",
                        Matrix::messages),
                new MatrixGroup(
                        "starts",
                        "Many flows that start",
                        "So many long flows that start within a millisecond; 10 Gbps, 60 us. From 256 flows on at most 3 credits"
                                + " per frame over 100 ms, and Jain's index over 20 to 60 ms at least 0.95; 0.92 with 2,048.",
                        Matrix::starts),
                new MatrixGroup(
                        "bottlenecks",
                        "Several bottlenecks",
                        "A flow over so many links, each of which another flow shares; 10 Gbps.",
                        Matrix::bottlenecks),
                new MatrixGroup(
                        "round-trips",
                        "Unequal round trips",
                        "Two flows over one link of 10 Gbps, with round trips of 8 and 88 us.",
                        Matrix::roundTrips));
    }

    /** {@return one small cell of most groups, for the build: some seconds altogether} */
    static List<Figure> small() {
        List<Integer> once = List.of(1);
        return List.of(
                new MatrixGroup("long", "Long flows", "Small.", scale -> List.of(longFlow("10Gbps", 48, 10, once))),
                new MatrixGroup("loss", "Wires that lose frames", "Small.", scale -> List.of(loss(1, 0.92, 30, once))),
                new MatrixGroup(
                        "messages",
                        "Messages to one host",
                        "Small.",
                        scale -> List.of(message(0.8, 0, 1_024, once), message(0.8, 64, 1_024, once))),
                new MatrixGroup("starts", "Many flows that start", "Small.", scale -> List.of(start(16, 100, once))),
                new MatrixGroup(
                        "bottlenecks", "Several bottlenecks", "Small.", scale -> List.of(bottleneck(3, 40, once))),
                new MatrixGroup("round-trips", "Unequal round trips", "Small.", scale -> List.of(roundTrip(once))));
    }

    private static List<Integer> seeds(Scale scale) {
        List<Integer> seeds = new ArrayList<>();
        for (int seed = 1; seed <= (scale == Scale.FULL ? SEEDS : 1); seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    // ---- long flows

    private static List<Cell> longFlows(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        List<Integer> micros = scale == Scale.FULL ? List.of(12, 48, 240, 1_000) : List.of(12, 48, 240);
        for (int rtt : micros) {
            // As many round trips of the slower links as make the rules settle, and no more of the fast ones than
            // needed.
            int millis = rtt > 240 ? 200 : rtt > 48 ? 60 : 20;
            cells.add(longFlow("10Gbps", rtt, millis, seeds(scale)));
            cells.add(longFlow("40Gbps", rtt, scale == Scale.FULL ? millis : millis / 2, seeds(scale)));
            if (scale == Scale.FULL || rtt < 240) {
                cells.add(longFlow("100Gbps", rtt, millis / 2, seeds(scale)));
            }
        }
        return cells;
    }

    private static Cell longFlow(String rate, int rttMicros, int millis, List<Integer> seeds) {
        return Cell.of(
                text("%s and %d us", rate, rttMicros),
                "long.yaml",
                seeds,
                List.of(
                        Metric.more("goodput", Unit.BPS, Reading::goodputBps),
                        Metric.more("Jain", Unit.NUMBER, Reading::jain)),
                "topology.rate=" + rate,
                "topology.delay=" + rttMicros * 1_000 / 6 + "ns",
                "duration=" + millis + "ms",
                text("measure={warmUp: %dus}", millis * 500));
    }

    // ---- loss on wires

    private static List<Cell> loss(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        for (double[] loss : LOSSES) {
            cells.add(loss(loss[0], loss[1], scale == Scale.FULL ? 120 : 60, seeds(scale)));
        }
        return cells;
    }

    private static Cell loss(double percent, double share, int millis, List<Integer> seeds) {
        return Cell.of(
                text("%.1f %% each way", percent),
                "loss.yaml",
                seeds,
                List.of(Metric.more("goodput", Unit.BPS, Reading::goodputBps)
                        .heldTo(Demand.number(share * LINK_GOODPUT_BPS))),
                text("faults[0].loss=%s%%", percent),
                "duration=" + millis + "ms");
    }

    // ---- traffic that pauses, rivals that leave

    private static List<Cell> onOff(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        for (int micros : List.of(300, 1_000, 2_000, 5_000)) {
            cells.add(Cell.of(
                    micros + " us",
                    "on-off.yaml",
                    seeds(scale),
                    List.of(
                            Metric.more("all together", Unit.BPS, Reading::goodputBps),
                            Metric.more("steady", Unit.BPS, result -> Reading.flowGoodputBps(result, "steady"))
                                    .heldTo()),
                    text("traffic[pausing].on=%dus", micros),
                    text("traffic[pausing].off=%dus", micros)));
        }
        return cells;
    }

    private static List<Cell> leaving(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        for (int flows : List.of(2, 4, 16)) {
            cells.add(Cell.of(
                    flows + " flows",
                    "leaving.yaml",
                    seeds(scale),
                    List.of(Metric.less(
                                    "refilled after",
                                    Unit.NANOS,
                                    result -> Reading.refillNanos(result, "stays", LEFT, REFILLED * LINK_GOODPUT_BPS))
                            .heldTo(Demand.number(REFILL_ROUND_TRIPS * ROUND_TRIP_NANOS))),
                    "topology.pairs=" + flows,
                    "traffic[stays].to=h" + (flows + 1),
                    text("traffic[goes].from=h2..h%d", flows),
                    text("traffic[goes].to=h%d..h%d", flows + 2, 2 * flows)));
        }
        return cells;
    }

    // ---- short flows and messages

    private static List<Cell> shortFlows(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        for (String load : List.of("0.4", "0.6")) {
            cells.add(Cell.of(
                    "load " + load,
                    "short.yaml",
                    List.of(1),
                    List.of(
                            Metric.less("S p99", Unit.NANOS, result -> Reading.sizeClass(result, "S")
                                            .completionNanos()
                                            .p99())
                                    .heldTo(Demand.of(Contestant.AUTHORS_BOLD, 1.2)),
                            Metric.less("M p99", Unit.NANOS, result -> Reading.sizeClass(result, "M")
                                    .completionNanos()
                                    .p99()),
                            Metric.less("L mean", Unit.NANOS, result -> Reading.sizeClass(result, "L")
                                    .completionNanos()
                                    .mean()),
                            Metric.less("mean of all", Unit.NANOS, result -> Reading.sizeClass(result, "all")
                                    .completionNanos()
                                    .mean())),
                    "traffic[0].load=" + load,
                    "traffic[0].count=" + (scale == Scale.FULL ? 20_000 : 1_000)));
        }
        return cells;
    }

    private static List<Cell> messages(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        for (double load : List.of(0.6, 0.7, 0.8, 0.9, 0.95)) {
            for (int burst : List.of(0, 64)) {
                cells.add(message(load, burst, 4_096, seeds(scale)));
            }
        }
        return cells;
    }

    private static Cell message(double load, int burst, int count, List<Integer> seeds) {
        long spreadNanos = Math.round(count * CREDIT_NANOS / load);
        return Cell.of(
                text(burst == 0 ? "load %.2f" : "load %.2f and a burst of %d", load, burst),
                "messages.yaml",
                seeds,
                List.of(
                        Metric.less("p99", Unit.NANOS, result -> Reading.p99Nanos(result, "message"))
                                .heldTo(Demand.of(Contestant.AUTHORS_CAREFUL, 1.5)),
                        Metric.less("credits per frame", Unit.NUMBER, Reading::creditsPerFrame)
                                .heldTo(Demand.number(1.1)),
                        Metric.less("lost at hosts", Unit.SHARE, Reading::lostAtHosts)
                                .heldTo(AT_HOSTS)),
                text("traffic[message].count=%d", count),
                text("traffic[message].start={spread: %dns}", spreadNanos),
                "traffic[burst].count=" + Math.max(1, burst),
                text("traffic[burst].start={at: %dns}", spreadNanos / 4));
    }

    // ---- starts

    private static List<Cell> starts(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        List<Integer> flows = scale == Scale.FULL ? List.of(16, 64, 256, 512, 1_024, 2_048) : List.of(16, 64, 256);
        flows.forEach(count -> cells.add(start(count, 100, List.of(1))));
        return cells;
    }

    private static Cell start(int flows, int millis, List<Integer> seeds) {
        boolean isMany = flows >= 256;
        Metric credits = Metric.less("credits per frame", Unit.NUMBER, Reading::creditsPerFrame);
        Metric jain = Metric.more("Jain, 20 to 60 ms", Unit.NUMBER, result -> Reading.jain(result, 1, 3));
        return Cell.of(
                flows + " flows",
                "start.yaml",
                seeds,
                List.of(
                        Metric.more("goodput", Unit.BPS, Reading::goodputBps),
                        isMany ? credits.heldTo(Demand.number(3)) : credits.heldTo(),
                        isMany ? jain.heldTo(Demand.number(flows > 1_024 ? 0.92 : 0.95)) : jain,
                        Metric.less("longest queue", Unit.BYTES, Reading::queueBytesMax)
                                .heldTo()),
                "topology.pairs=" + flows,
                "duration=" + millis + "ms");
    }

    // ---- several bottlenecks, unequal round trips

    private static List<Cell> bottlenecks(Scale scale) {
        List<Cell> cells = new ArrayList<>();
        for (int links = 1; links <= 6; links++) {
            cells.add(bottleneck(links, 60, seeds(scale)));
        }
        return cells;
    }

    private static Cell bottleneck(int links, int millis, List<Integer> seeds) {
        return Cell.of(
                links + (links == 1 ? " link" : " links"),
                "bottlenecks.yaml",
                seeds,
                List.of(
                        Metric.more("least used link", Unit.BPS, Reading::leastLinkBps),
                        Metric.more("flow over all", Unit.BPS, Reading::longestWayBps)),
                "topology.bottlenecks=" + links,
                "duration=" + millis + "ms");
    }

    private static List<Cell> roundTrips(Scale scale) {
        return List.of(roundTrip(seeds(scale)));
    }

    private static Cell roundTrip(List<Integer> seeds) {
        return new Cell(
                "8 and 88 us",
                "round-trips.yaml",
                "network.defaults.credits",
                List.of(),
                seeds,
                List.of(
                        Metric.more("goodput", Unit.BPS, Reading::goodputBps),
                        Metric.more("Jain", Unit.NUMBER, Reading::jain)));
    }
}
