package io.weir.papers.ccrp;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The runs of this paper's figures, of which several share many: the same file and settings are the same simulation.
 */
final class Mixes {
    /** How the files call the flows that were there first. */
    static final String REACTIVE = "reactive";

    /** How the files call the flows that come later. */
    static final String CREDITS = "credits";

    /** DCQCN as published, and as the authors' code has it. */
    static final List<String> DCQCNS = List.of("dcqcn", "dcqcn-ccrp");

    /** What CCRP is held against. */
    static final String EXPRESSPASS = "expresspass";

    /** CCRP with the paper's w_max, in the reading that has the paper's figures. */
    static final String CCRP = "ccrp-paper";

    private static final String TWO_FLOWS = "ccrp/fig05-two-flows.yaml";
    private static final String MANY_FLOWS = "ccrp/fig04-many-flows.yaml";
    private static final double USUAL_OMEGA_MAX = 0.06;
    private static final int SEEDS_QUICK = 5;
    private static final int SEEDS_FULL = 10;

    private Mixes() {}

    /** {@return CCRP with this w_max, as files have it} */
    static String ccrp(double omegaMax) {
        return omegaMax == USUAL_OMEGA_MAX ? CCRP : "{preset: ccrp-paper, omegaMax: " + omegaMax + "}";
    }

    /** {@return a flow of {@code credits} that comes to one of {@code reactive}, once for each seed} */
    static Repeated two(String reactive, String credits, Scale scale) {
        return repeated(name(credits) + " next to " + reactive, TWO_FLOWS, protocols(reactive, credits), scale);
    }

    /** {@return the same under its own name, once} */
    static PaperRun<Mix> once(String name, String reactive, String credits, Scale scale) {
        List<String> settings = new ArrayList<>(protocols(reactive, credits));
        settings.addAll(times(scale));
        return new PaperRun<>(name, TWO_FLOWS, settings, Mix::of);
    }

    /** {@return {@code pairs} flows of each kind, once for each seed} */
    static Repeated many(String reactive, String credits, int pairs, Scale scale) {
        List<String> settings = new ArrayList<>(protocols(reactive, credits));
        settings.add("topology.pairs=" + 2 * pairs);
        settings.add("traffic[reactive].from=h1..h" + pairs);
        settings.add("traffic[reactive].to=" + range(2 * pairs, pairs));
        settings.add("traffic[credits].from=" + range(pairs, pairs));
        settings.add("traffic[credits].to=" + range(3 * pairs, pairs));
        return repeated(credits + " next to " + reactive + ", " + 2 * pairs + " flows", MANY_FLOWS, settings, scale);
    }

    private static Repeated repeated(String name, String file, List<String> settings, Scale scale) {
        return new Repeated(seeds(scale)
                .mapToObj(seed -> {
                    List<String> all = new ArrayList<>(settings);
                    all.addAll(times(scale));
                    all.add("seed=" + seed);
                    return new PaperRun<>(name + ", seed " + seed, file, all, Mix::of);
                })
                .toList());
    }

    /** {@return the seeds that an experiment is run with} */
    static IntStream seeds(Scale scale) {
        return IntStream.rangeClosed(1, scale == Scale.FULL ? SEEDS_FULL : SEEDS_QUICK);
    }

    private static String range(int before, int count) {
        return "h" + (before + 1) + "..h" + (before + count);
    }

    private static List<String> protocols(String reactive, String credits) {
        return List.of("traffic[reactive].protocol=" + reactive, "traffic[credits].protocol=" + credits);
    }

    private static List<String> times(Scale scale) {
        return scale == Scale.FULL ? List.of("duration=1s", "measure.warmUp=900ms") : List.of();
    }

    /** {@return a protocol as legends have it} */
    static String name(String protocol) {
        return protocol.startsWith("{") ? protocol.replaceAll("[{}]|preset: |omegaMax: |,", "") : protocol;
    }

    /** {@return the setting of a figure, of which the paper's part goes on with {@code more}} */
    static Setting setting(String more, Scale scale) {
        return new Setting(
                "10 Gbps, links of 5 us, Kmin 5 KB, Kmax 200 KB, credits 5 % of the link, w_max 0.06, preset ccrp-paper. Pmax"
                        + " 1 % and buffers of 300 KB as in the authors' code; the paper has no numbers. Against DCQCN as published (dcqcn) and as the"
                        + " authors' code has it (dcqcn-ccrp), which goes half of the way to the link's rate after each recovery. "
                        + more,
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                                + ", as far as it says: 1 s, of which the last 100 ms count; medians of " + SEEDS_FULL
                                + " seeds"
                        : "600 ms in place of seconds, of which the last 100 ms count: with g 1/256 ECN_alpha takes 400 to 500 ms"
                                + " to come from 1 to rest, and shares rise until then. Medians of " + SEEDS_QUICK
                                + " seeds.");
    }

    /** {@return what a figure found; claims that are short say where they are explained} */
    static Findings findings(List<Claim> claims, List<Chart> charts, List<Table> tables) {
        return new Findings(claims.stream().map(Claim::explained).toList(), charts, tables);
    }

    /** {@return goodput over time} */
    static Chart course(String title, Mix mix) {
        return new Chart(
                title,
                Chart.Kind.CURVES,
                Axis.linear("time (ms)"),
                Axis.linear("goodput (Gbps)"),
                List.of(
                        ChartSeries.overTime("first", 1, gigabits(mix.reactiveSeriesBps())),
                        ChartSeries.overTime("joining", 1, gigabits(mix.creditsSeriesBps()))));
    }

    private static List<Double> gigabits(List<Double> series) {
        return series.stream().map(bps -> bps / 1e9).toList();
    }
}
