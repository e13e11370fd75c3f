package io.weir.papers.report;

import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.run.FigureReport;
import io.weir.papers.run.RunReport;
import java.util.List;

/**
 * A figure or table, as the document has it.
 *
 * @param id its name
 * @param title what the paper shows there
 * @param setting under what circumstances
 * @param failure why it could not be judged, or empty
 * @param claims the paper's claims and their verdicts
 * @param charts what is drawn
 * @param tables what stands there in numbers
 * @param runs the simulations behind it
 */
public record FigureResult(
        String id,
        String title,
        Setting setting,
        String failure,
        List<Claim> claims,
        List<Chart> charts,
        List<Table> tables,
        List<RunReport> runs) {
    private static final Findings NONE = new Findings(List.of(), List.of(), List.of());

    public FigureResult {
        claims = List.copyOf(claims);
        charts = List.copyOf(charts);
        tables = List.copyOf(tables);
        runs = List.copyOf(runs);
    }

    /** {@return the result of a figure} */
    public static FigureResult of(FigureReport report, Scale scale) {
        Findings findings = report.failure().isEmpty() ? report.findings() : NONE;
        return new FigureResult(
                report.figure().id(),
                report.figure().title(),
                report.figure().setting(scale),
                report.failure(),
                findings.claims(),
                findings.charts(),
                findings.tables(),
                report.runs());
    }

    /** {@return the name as files and anchors have it: without a slash} */
    public String fileName() {
        return id.replace('/', '-');
    }

    long shortCount() {
        return claims.stream().filter(claim -> !claim.verdict().isGood()).count();
    }

    long problemCount() {
        return runs.stream().filter(run -> !run.problems().isEmpty()).count();
    }
}
