package io.weir.cli.doctor;

import io.weir.cli.doctor.DoctorResult.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Puts what a doctor found in lines: for people, or as a script that remedies it. */
final class DoctorText {
    private DoctorText() {}

    /** {@return the lines for people} */
    static List<String> report(DoctorResult result) {
        List<String> lines = new ArrayList<>();
        for (Item item : result.findings()) {
            lines.add(item.severity().text() + "  " + item.id() + ": " + ShellText.line(item.what()));
            lines.add("        costs:  " + item.costs());
            lines.add("        remedy: " + ShellText.line(item.remedy()));
        }
        String where = result.interfaceName() == null ? "the machine" : "the machine and " + result.interfaceName();
        lines.add(
                result.findings().isEmpty()
                        ? "nothing was found: " + where
                        : where + ": " + result.count(Severity.BREAKS) + " break, " + result.count(Severity.SLOWS)
                                + " slow, " + result.count(Severity.ADVICE) + " for advice");
        return lines;
    }

    /** {@return every kind of finding with what it costs} */
    static List<String> list() {
        return Stream.of(FindingKind.values())
                .map(kind -> kind.severity().text() + "  " + kind.id() + ": " + kind.costs())
                .toList();
    }

    /** {@return a script for a shell, of which each line that is no remedy is a comment} */
    static List<String> script(DoctorResult result) {
        List<String> lines = new ArrayList<>();
        lines.add("#!/bin/sh");
        lines.add("# Read it before you run it, as root: it changes this machine until it starts again.");
        for (Item item : result.findings()) {
            lines.add("");
            lines.add("# " + item.id() + ": " + ShellText.line(item.what()));
            lines.add("# costs: " + item.costs());
            lines.add(ShellText.line(item.remedy()));
        }
        return lines;
    }
}
