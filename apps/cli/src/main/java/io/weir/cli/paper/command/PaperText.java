package io.weir.cli.paper.command;

import io.weir.cli.paper.Claim;
import io.weir.cli.paper.run.FigureReport;
import io.weir.cli.paper.run.RunReport;
import java.io.PrintWriter;
import java.util.List;

/** What the figures found, for people: each claim with its values, its criterion and how far it is from that. */
final class PaperText {
    private final PrintWriter out;

    PaperText(PrintWriter out) {
        this.out = out;
    }

    void print(List<FigureReport> reports) {
        reports.forEach(this::print);
    }

    private void print(FigureReport report) {
        out.println(report.figure().id() + "  " + report.figure().title());
        if (!report.failure().isEmpty()) {
            out.println("  NOT JUDGED " + report.failure());
        } else {
            report.findings().claims().forEach(this::print);
        }
        report.runs().stream().filter(run -> !run.problems().isEmpty()).forEach(this::printProblem);
        out.println();
    }

    private void print(Claim claim) {
        out.println("  " + String.format("%-8s", claim.verdict().word().toUpperCase(java.util.Locale.ROOT)) + " "
                + claim.statement());
        out.println("           paper " + claim.paperValue() + "; here " + claim.measured()
                + (claim.criterion().isEmpty() ? "" : "; must be " + claim.criterion())
                + (claim.distance().isEmpty() ? "" : ": " + claim.distance())
                + (claim.page().isEmpty() ? "" : "; see " + claim.page()));
    }

    private void printProblem(RunReport run) {
        out.println("  PROBLEM  run \"" + run.name() + "\": " + String.join("; ", run.problems()));
    }
}
