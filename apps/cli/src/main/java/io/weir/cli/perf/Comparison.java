package io.weir.cli.perf;

import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
import java.util.Locale;

/** A test over Weir, next to the same over the kernel's TCP. */
final class Comparison {
    private static final double NANOS_PER_SECOND = 1e9;

    private Comparison() {}

    /** {@return the figures of both, and the ratio of the first to the second} */
    static TextTable table(PerfResult result) {
        PerfResult kernel = result.kernel();
        TextTable table = TextTable.withHeadings(", Weir, kernel TCP, ratio");
        rate(table, "received by the server", received(result.server()), received(kernel.server()));
        rate(table, "received by the client", received(result.client()), received(kernel.client()));
        if (result.client() != null && kernel.client() != null) {
            latencies(table, result.client().latency(), kernel.client().latency());
            if (result.client().latency() != null) {
                number(table, "requests per second", requests(result.client()), requests(kernel.client()));
            }
            slowdowns(table, result.client().workload(), kernel.client().workload());
        }
        number(table, "cores of both ends", cores(result), cores(kernel));
        return table;
    }

    private static double received(SideReport side) {
        return side == null ? 0 : side.goodputBps(false);
    }

    private static double requests(SideReport side) {
        return side.nanos() == 0 ? 0 : side.latency().count() * NANOS_PER_SECOND / side.nanos();
    }

    private static double cores(PerfResult result) {
        return result.sides().mapToDouble(side -> side.cpu().cores()).sum();
    }

    private static void rate(TextTable table, String name, double weir, double kernel) {
        if (weir > 0 || kernel > 0) {
            table.row(name, Rates.print(weir), Rates.print(kernel), ratio(weir, kernel));
        }
    }

    private static void number(TextTable table, String name, double weir, double kernel) {
        table.row(name, digits(weir), digits(kernel), ratio(weir, kernel));
    }

    private static void latencies(TextTable table, Latency weir, Latency kernel) {
        if (weir != null && kernel != null) {
            time(table, "p50", weir.p50Nanos(), kernel.p50Nanos());
            time(table, "p99", weir.p99Nanos(), kernel.p99Nanos());
            time(table, "p99.99", weir.p9999Nanos(), kernel.p9999Nanos());
        }
    }

    private static void time(TextTable table, String name, long weir, long kernel) {
        table.row(name, Durations.print(weir), Durations.print(kernel), ratio((double) weir, (double) kernel));
    }

    private static void slowdowns(TextTable table, WorkloadReport weir, WorkloadReport kernel) {
        if (weir != null && kernel != null) {
            time(
                    table,
                    "shortest message alone",
                    weir.load().baseNanos(),
                    kernel.load().baseNanos());
            time(table, "p50 of messages", weir.all().p50Nanos(), kernel.all().p50Nanos());
            time(table, "p99 of messages", weir.all().p99Nanos(), kernel.all().p99Nanos());
            number(table, "p50 slowdown", weir.all().p50Slowdown(), kernel.all().p50Slowdown());
            number(table, "p99 slowdown", weir.all().p99Slowdown(), kernel.all().p99Slowdown());
        }
    }

    private static String digits(double number) {
        return String.format(Locale.ROOT, number < 100 ? "%.2f" : "%.0f", number);
    }

    private static String ratio(double weir, double kernel) {
        return kernel == 0 ? "-" : digits(weir / kernel);
    }
}
