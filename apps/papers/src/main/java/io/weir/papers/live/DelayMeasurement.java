package io.weir.papers.live;

import io.weir.papers.Scale;
import io.weir.papers.Table;
import io.weir.transport.node.PortInfo;
import java.util.ArrayList;
import java.util.List;

/** What the figures about delays share: how long they measure, at which rate, and how their tables look. */
final class DelayMeasurement {
    /**
     * The rate to which hosts shape what they send: less than what two cores can, so that nothing queues but what
     * should.
     */
    static final long LINK_RATE_BPS = 1_000_000_000L;
    /** 64 KB of segments, as TCP's segmentation offload makes them. */
    static final int WINDOW_SEGMENTS = 45;

    /** Settings take turns, so that a neighbour's work meets all of them. */
    static final int ROUNDS = 3;

    private static final long QUICK_NANOS = 1_000_000_000L;
    private static final long FULL_NANOS = 5_000_000_000L;

    private DelayMeasurement() {}

    /** {@return how long one measurement of a round takes} */
    static long nanos(Scale scale) {
        return scale == Scale.FULL ? FULL_NANOS : QUICK_NANOS;
    }

    /** {@return how this differs from the paper's testbed} */
    static String scaling(Scale scale, String what) {
        return "two network namespaces of one machine on a veth pair, " + nanos(scale) / 1_000_000_000L
                + " s a measurement, " + ROUNDS + " times; " + what;
    }

    static List<String> columns(String first) {
        return List.of(first, "samples", "least", "largest", "middle half", "standard deviation");
    }

    static List<String> row(String first, Noise noise) {
        List<String> row = new ArrayList<>(List.of(first));
        row.addAll(noise.cells());
        return row;
    }

    /** {@return where the stamps came from} */
    static Table ports(List<PortInfo> ports) {
        return new Table(
                "Ports",
                List.of("port", "mode", "time stamps"),
                ports.stream()
                        .map(port -> List.of(
                                port.name(),
                                port.backend() + " " + port.mode(),
                                port.stamps().line()))
                        .distinct()
                        .toList());
    }
}
