package io.weir.papers.command;

import io.weir.cli.output.TextTable;
import io.weir.papers.Claim;
import io.weir.papers.Table;
import io.weir.papers.report.FigureResult;
import io.weir.papers.run.RunReport;
import java.io.PrintWriter;
import java.util.Locale;

/** What the figures found, for people: each claim with its values, its criterion and how far it is from that. */
final class PaperText {
    private static final String INDENT = "           ";

    private final PrintWriter out;

    PaperText(PrintWriter out) {
        this.out = out;
    }

    void print(FigureResult figure) {
        out.println(figure.id() + ": " + figure.title());
        if (!figure.failure().isEmpty()) {
            out.println("  FAILED   could not be judged: " + figure.failure());
        }
        figure.claims().forEach(this::print);
        figure.tables().forEach(this::print);
        figure.runs().stream().filter(run -> !run.problems().isEmpty()).forEach(this::printProblems);
        out.println();
        out.flush();
    }

    private void print(Claim claim) {
        String verdict = claim.verdict().label().toUpperCase(Locale.ROOT);
        out.println(String.format(Locale.ROOT, "  %-8s %s", verdict, claim.statement()));
        StringBuilder line = new StringBuilder(INDENT).append("paper ").append(claim.paperValue());
        append(line, "; here ", claim.measured());
        append(line, "; must be ", claim.criterion());
        append(line, ": ", claim.distance());
        append(line, "; see ", claim.page());
        out.println(line);
    }

    private void print(Table table) {
        out.println();
        out.println("  " + table.title());
        TextTable text = new TextTable(table.columns().toArray(String[]::new));
        table.rows().forEach(row -> text.row(row.toArray(String[]::new)));
        text.print(out);
    }

    private static void append(StringBuilder line, String before, String text) {
        if (!text.isEmpty()) {
            line.append(before).append(text);
        }
    }

    private void printProblems(RunReport run) {
        out.println("  PROBLEM  run \"" + run.name() + "\": " + String.join("; ", run.problems()));
    }
}
