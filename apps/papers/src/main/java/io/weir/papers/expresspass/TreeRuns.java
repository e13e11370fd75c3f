package io.weir.papers.expresspass;

import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import java.util.ArrayList;
import java.util.List;

/** The runs of section 6.3, of which its figures share many: the same file and settings are the same simulation. */
final class TreeRuns {
    /** The classes of Table 2. */
    static final List<String> CLASSES = List.of("S", "M", "L", "XL");

    private static final String FILE_40G = "expresspass/fig21-web-search-40g.yaml";

    private TreeRuns() {}

    /** {@return a workload at 10 Gbps and the usual load} */
    static PaperRun<TreeResult> run(SizeWorkload workload, Variant variant, Scale scale) {
        return variant.run(workload.file(), workload.title(), TreeResult::of, workload.length(scale));
    }

    /** {@return a workload at 40 Gbps and the usual load} */
    static PaperRun<TreeResult> fasterRun(SizeWorkload workload, Variant variant, Scale scale) {
        List<String> settings = new ArrayList<>();
        if (workload != SizeWorkload.WEB_SEARCH) {
            settings.add("traffic[0].sizes=" + workload.sizes());
        }
        settings.addAll(workload.length(scale));
        return variant.run(FILE_40G, workload.title() + " 40G", TreeResult::of, settings);
    }

    /** {@return the setting of a figure of these runs, of which the paper's part goes on with {@code more}} */
    static Setting setting(String more, Scale scale) {
        return new Setting(
                "192 hosts below 32 top-of-rack, 16 aggregation and 8 core switches, over-subscribed 3:1, 10 Gbps, at most 52 us per"
                        + " round trip; 100,000 flows between random hosts, load 0.6 above the racks; data queues of 250 frames."
                        + " DCTCP as in the authors' scripts: K = 65 frames, g = 1/16, two segments first, time-outs of 200 ms or"
                        + " more; dctcp-rfc there begins with ten and has time-outs of 2 ms or more. Every flow of every"
                        + " protocol opens a connection first, which takes a round trip. " + more,
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "4,000 flows of Web Server, 1,000 of Cache Follower, and 500 of Web Search and of Data Mining, in place of"
                                + " 100,000 each; Data Mining ends after 100 ms, before its longest flows, which then count"
                                + " nowhere. The network, the load and the mixture of sizes are the paper's. Every protocol has the same flows"
                                + " at the same times, so that ratios between protocols need fewer of them than the times"
                                + " themselves; the rarest and longest flows are few.");
    }

    /** {@return what a figure found, with the page that explains claims on those that are short} */
    static Findings findings(List<Claim> claims, List<Chart> charts, List<Table> tables) {
        List<Claim> explained = claims.stream().map(Claim::explained).toList();
        return new Findings(explained, charts, tables);
    }

    /** {@return the claim that ExpressPass loses nothing} */
    static Claim noDrops(String figure, long dataDrops) {
        return Claim.about(figure + "/drops", "ExpressPass drops no data in any run of the figure", "0")
                .atMost((double) dataDrops, 0, Unit.NUMBER);
    }

    /** {@return the claim that all flows of the classes that have means came to their end} */
    static Claim allComplete(String figure, long unfinished) {
        return Claim.about(
                        figure + "/complete",
                        "No flow of S, M and L is left when a run ends, so that no mean leaves out the slow",
                        "none")
                .atMost((double) unfinished, 0, Unit.NUMBER);
    }
}
