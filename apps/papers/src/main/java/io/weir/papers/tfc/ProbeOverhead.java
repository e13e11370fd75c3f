package io.weir.papers.tfc;

import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import java.util.List;

/** Section 4.2: why flows are counted by marks and not by separate packets. */
public final class ProbeOverhead implements Figure {
    private static final String ID = "tfc/sec42";
    private static final int FLOWS = 50;
    private static final int PROBE_BYTES = 64;
    private static final double RATE_BPS = 1e9;
    private static final double ROUND_SECONDS = 100e-6;
    private static final double PAPER_SHARE = 0.256;
    private static final double ROUNDING = 1e-9;

    public ProbeOverhead() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "What a probe of each flow in each round would take of the link";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting("50 flows, 1 Gbps, rounds of 100 us, probes of 64 B.", Setting.AS_IN_THE_PAPER);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        double share = FLOWS * PROBE_BYTES * 8 / (RATE_BPS * ROUND_SECONDS);
        Claim claim = Claim.about(ID + "/overhead", "The probes of 50 flows take a quarter of the link", "25.6 %")
                .within(share, PAPER_SHARE - ROUNDING, PAPER_SHARE + ROUNDING, Unit.SHARE);
        return new Findings(List.of(claim), List.of(), List.of());
    }
}
