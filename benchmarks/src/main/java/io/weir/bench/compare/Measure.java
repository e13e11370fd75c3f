package io.weir.bench.compare;

import io.weir.bench.compare.end.Task;
import java.util.List;
import java.util.Locale;

/** What is measured, its unit for people, and which way is better. */
enum Measure {
    /** Payload bits per second that the server got within the window that counts. */
    GOODPUT("goodput", "Gbps", 1e-9, true),
    /** Payload bits per second in the second after the client's port was open. */
    FIRST_SECOND("first second", "Gbps", 1e-9, true),
    /** The first second divided by the window that counts. */
    FIRST_TO_STEADY("first second / steady", "", 1, true),
    /** From the start of the client's process to its open port. */
    OPENING("process start to open port", "ms", 1e-6, false),
    /** The median of round trips. */
    P50("p50", "us", 1e-3, false),
    /** Their 99th percentile. */
    P99("p99", "us", 1e-3, false),
    /** Their 99.9th percentile. */
    P999("p99.9", "us", 1e-3, false),
    /** Their 99.99th percentile. */
    P9999("p99.99", "us", 1e-3, false),
    /** Round trips per second. */
    ROUND_TRIPS("round trips per second", "/s", 1, true),
    /** Calls per second. */
    CALLS("calls per second", "/s", 1, true),
    /** Payload bits per second of requests and responses together. */
    PAYLOAD("payload both ways", "Gbps", 1e-9, true),
    /** Frames per message: a request or a response. */
    FRAMES("frames per message", "", 1, false),
    /** Credits that the client sent per response. */
    CREDITS_SENT("credits sent per message", "", 1, false),
    /** Credits that the client used per request. */
    CREDITS_USED("credits used per message", "", 1, false),
    /** Credits that expired at the client per request. */
    CREDITS_EXPIRED("credits expired per message", "", 1, false),
    /** Connections that were opened, used and closed per second. */
    CONNECTS("connections per second", "/s", 1, true),
    /** Connections opened per second, 32 at a time, that stay open. */
    OPENS("opened per second", "/s", 1, true),
    /** Resident memory of both processes after all connections are open. */
    RESIDENT("resident memory, both ends", "MB", 1e-6, false),
    /** Processor time of both processes per gigabyte that arrived. */
    CPU_PER_GB("CPU of both ends per GB", "s", 1, false),
    /** Time in the kernel's soft interrupts, of the whole machine, per gigabyte that arrived. */
    SOFTIRQ_PER_GB("soft interrupts per GB", "s", 1, false),
    /** Processor time of both processes in percent of one core. */
    CPU("CPU of both ends", "% of a core", 1, false),
    /** What everything else on the machine used meanwhile, spinning threads included. */
    OTHERS("CPU of everything else", "% of a core", 1, false),
    /** Of the time that Weir's loops wanted a core, what they got. */
    LOOP_SHARE("core that the loops got", "%", 1, true),
    /** Of the datagrams that were sent, what did not arrive. */
    LOST("lost", "%", 1, false);

    private final String label;
    private final String unit;
    private final double factor;
    private final boolean isMoreBetter;

    Measure(String label, String unit, double factor, boolean isMoreBetter) {
        this.label = label;
        this.unit = unit;
        this.factor = factor;
        this.isMoreBetter = isMoreBetter;
    }

    String label() {
        return label;
    }

    String labelWithUnit() {
        return unit.isEmpty() ? label : label + ", " + unit;
    }

    /** {@return the columns of a task's table, the one that its chart shows first; all measures are in the JSON} */
    static List<Measure> columns(Task task) {
        return switch (task) {
            case BULK -> List.of(GOODPUT, FIRST_TO_STEADY, CPU_PER_GB, LOOP_SHARE, LOST);
            case DUPLEX -> List.of(GOODPUT, CPU, LOOP_SHARE);
            case CALLS -> List.of(CALLS, P50, P99, PAYLOAD, FRAMES, CREDITS_SENT, CREDITS_USED, CREDITS_EXPIRED);
            case ROUND_TRIPS -> List.of(P50, P99, P9999);
            case CONNECTS -> List.of(CONNECTS, CPU);
            case MANY -> List.of(OPENS, CPU_PER_GB, RESIDENT);
            case IDLE -> List.of(CPU);
        };
    }

    /** {@return those of a task's measures that its table divides by the bases'} */
    static List<Measure> divided(Task task) {
        return switch (task) {
            case BULK, DUPLEX -> List.of(GOODPUT);
            case CALLS -> List.of(CALLS, P50, P99);
            case ROUND_TRIPS -> List.of(P50, P99);
            case CONNECTS -> List.of(CONNECTS);
            case MANY -> List.of(OPENS);
            case IDLE -> List.of();
        };
    }

    /** {@return the unit that people read} */
    String unit() {
        return unit;
    }

    /** {@return the value in that unit} */
    double inUnit(double value) {
        return value * factor;
    }

    boolean isMoreBetter() {
        return isMoreBetter;
    }

    /** {@return the value in that unit, with three digits that count} */
    String text(double value) {
        return digits(inUnit(value));
    }

    static String digits(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
