package io.weir.cli.switching;

import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.QuantityPrinter;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.nic.switching.PortSample;
import io.weir.transport.node.PortInfo;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.telemetry.CounterId;
import java.io.PrintWriter;
import java.util.List;

/** What a switch did, for people. */
final class SwitchText {
    private static final double NANOS_PER_SECOND = 1e9;

    private SwitchText() {}

    /** Prints what the ports are, and what the thread between them got from the scheduler. */
    static void printStart(PrintWriter out, List<PortPlan> ports, List<PortInfo> infos, String scheduling) {
        for (int i = 0; i < ports.size(); i++) {
            PortPlan port = ports.get(i);
            out.println(port.name() + ": " + infos.get(i).mode() + " ("
                    + infos.get(i).modeReason() + "), "
                    + QuantityPrinter.rate(port.config().linkRateBps()) + ", data queue "
                    + QuantityPrinter.size(port.config().dataQueueBytesMax()) + ", credits "
                    + Parameter.nameOf(port.credits().model()));
        }
        out.println("loop: " + scheduling);
        out.println("Forwarding between " + ports.size() + " ports; Ctrl-C ends it.");
        out.flush();
    }

    /** Prints one interval. */
    static void printInterval(PrintWriter out, SwitchInterval interval) {
        double endNanos = interval.after().nowNanos();
        out.println();
        out.println("at " + Durations.print(endNanos) + ", the last "
                + Durations.print(interval.seconds() * NANOS_PER_SECOND) + stalls(interval));
        table(interval).print(out);
        printProblems(out, interval);
        out.flush();
    }

    /** Prints everything from the start to the end, with the reasons of what was dropped. */
    static void printWhole(PrintWriter out, SwitchInterval whole) {
        out.println();
        out.println("in " + Durations.print(whole.seconds() * NANOS_PER_SECOND) + stalls(whole));
        table(whole).print(out);
        printProblems(out, whole);
        for (int i = 0; i < whole.ports().size(); i++) {
            String name = whole.ports().get(i).name();
            PortSample port = whole.after().ports().get(i);
            for (CounterId id : CounterId.values()) {
                if (id.isDrop() && port.count(id) > 0) {
                    out.println(name + ": " + port.count(id) + " dropped: " + reason(id));
                }
            }
            if (whole.kernelDrops(i) > 0) {
                out.println(name + ": " + whole.kernelDrops(i) + " lost in the kernel before the switch saw them");
            }
        }
        for (CounterId id : CounterId.values()) {
            long count = whole.after().counts().get(id);
            if (id.isDrop() && count > 0) {
                out.println("switch: " + count + " dropped: " + reason(id));
            }
        }
    }

    private static void printProblems(PrintWriter out, SwitchInterval interval) {
        interval.problems().forEach(problem -> out.println("problem: " + problem));
    }

    private static String reason(CounterId drop) {
        return drop.description().substring("drop: ".length());
    }

    private static String stalls(SwitchInterval interval) {
        return ": the thread was off its core for " + Fractions.print(interval.stallFraction());
    }

    private static TextTable table(SwitchInterval interval) {
        TextTable table =
                TextTable.withHeadings("port, rx frames, rx rate, tx frames, tx rate, tx use, queue, window max, max, "
                        + "credits in, out, dropped, drops, marks");
        for (int i = 0; i < interval.ports().size(); i++) {
            PortSample port = interval.after().ports().get(i);
            table.row(
                    interval.ports().get(i).name(),
                    count(interval, i, CounterId.FRAMES_RECEIVED),
                    Rates.print(interval.rateBps(i, CounterId.WIRE_BYTES_RECEIVED)),
                    count(interval, i, CounterId.FRAMES_SENT),
                    Rates.print(interval.rateBps(i, CounterId.WIRE_BYTES_SENT)),
                    Fractions.print(interval.utilization(i, CounterId.WIRE_BYTES_SENT)),
                    Sizes.print(port.dataQueueBytes()),
                    Sizes.print(port.dataQueueBytesWindowMax()),
                    Sizes.print(port.dataQueueBytesMax()),
                    count(interval, i, CounterId.CREDITS_RECEIVED),
                    count(interval, i, CounterId.CREDITS_SENT),
                    count(interval, i, CounterId.DROP_CREDIT_QUEUE),
                    Long.toString(interval.dataDrops(i)),
                    count(interval, i, CounterId.FRAMES_MARKED));
        }
        return table;
    }

    private static String count(SwitchInterval interval, int port, CounterId id) {
        return Long.toString(interval.count(port, id));
    }
}
