package io.weir.cli.doctor;

import io.weir.cli.doctor.DoctorResult.Item;
import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.perf.PeerReport;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
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
        if (result.peer() != null) {
            lines.addAll(peer(result.peer()));
        }
        return lines;
    }

    private static List<String> peer(PeerReport peer) {
        List<String> lines = new ArrayList<>();
        lines.add("with " + peer.peer() + ":");
        lines.add("  here:  " + port(peer.port()));
        lines.add("  there: " + port(peer.peerPort()));
        for (PeerReport.Size size : peer.sizes()) {
            lines.add("  " + size.bytes() + " B there and back: " + size.answered() + " times, p50 "
                    + Durations.print(size.p50Nanos()) + ", p99 " + Durations.print(size.p99Nanos())
                    + resent(size.retransmittedFrames()));
        }
        for (PeerReport.Rate rate : peer.rates()) {
            lines.add("  " + rate.direction() + ": " + Rates.print(Math.round(rate.goodputBps())) + ", round trip "
                    + Durations.print(rate.rttNanos()) + resent(rate.retransmittedFrames()) + ", drops " + rate.drops()
                    + ", pauses " + rate.pauses()
                    + (rate.problem() == null ? ", every byte right" : ": " + ShellText.line(rate.problem())));
        }
        return lines;
    }

    private static String resent(long frames) {
        return frames == 0 ? "" : ", data frames retransmitted " + frames;
    }

    private static String port(PortFingerprint port) {
        return port == null
                ? "not known"
                : port.name() + " " + port.backend() + " " + port.mode()
                        + (port.reason() == null || port.reason().isEmpty()
                                ? ""
                                : " (" + ShellText.line(port.reason()) + ")")
                        + ", MTU " + port.mtuBytes();
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
