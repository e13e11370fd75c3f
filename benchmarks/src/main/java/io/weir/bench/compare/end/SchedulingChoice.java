package io.weir.bench.compare.end;

import io.weir.transport.runtime.CpuSet;
import io.weir.transport.runtime.SchedulingConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What Weir's loops ask the machine's scheduler for. */
public enum SchedulingChoice {
    /** Weir's default: short slices. */
    SLICES("short slices"),
    /** Nothing. */
    NONE("asks for nothing"),
    /** The real-time class, and short slices. */
    REALTIME("real-time class"),
    /** The client's loop on CPU 0 and the server's on CPU 1, and short slices. */
    PINNED("a CPU for each end"),
    /** That compiler and collector threads yield, and short slices. */
    NICE("compilers yield");

    private static final int REALTIME_PRIORITY = 1;
    private static final int COMPILER_NICE = 10;

    private final String label;

    SchedulingChoice(String label) {
        this.label = label;
    }

    /** {@return what the command line calls it} */
    public String optionValue() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return what reports call it} */
    public String label() {
        return label;
    }

    /** {@return the words of the command line} */
    public static List<String> optionValues() {
        return Arrays.stream(values()).map(SchedulingChoice::optionValue).toList();
    }

    /** {@return the configuration of one end's loops} */
    SchedulingConfig config(boolean isServer) {
        SchedulingConfig usual = SchedulingConfig.DEFAULT;
        return switch (this) {
            case SLICES -> usual;
            case NONE -> usual.withSliceNanos(0);
            case REALTIME -> usual.withRealtimePriority(REALTIME_PRIORITY);
            case PINNED -> usual.withCpus(CpuSet.parse(isServer ? "1" : "0"));
            case NICE -> usual.withCompilerNice(COMPILER_NICE);
        };
    }
}
