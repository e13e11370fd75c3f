package io.weir.cli.environment;

import io.weir.cli.unit.Durations;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.CpuSet;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.SchedulingConfig;
import picocli.CommandLine.Option;

/** What the loop's thread asks of the machine's scheduler. */
public final class SchedulingOptions {
    private static final int REALTIME_PRIORITY = 1;

    /** What a loop does when there is nothing to do. */
    public enum Idle {
        /** Polls on: the lowest latency, a core for itself. */
        SPIN,
        /** Sleeps after a while. */
        BACKOFF;

        /** {@return the same for a loop} */
        public IdleMode mode() {
            return this == SPIN ? IdleMode.BUSY_SPIN : IdleMode.BACK_OFF;
        }
    }

    @Option(
            names = "--realtime",
            description = {
                "Run the loop before every ordinary thread, in the kernel's round-robin real-time class. It leaves its core for "
                        + "60 us of each millisecond. Needs root or CAP_SYS_NICE, and two CPUs."
            })
    private boolean isRealTime;

    @Option(
            names = "--cpu",
            paramLabel = "LIST",
            description = "Run the loop on these CPUs alone, as in 0,2-3; by default wherever the process may run.")
    private String cpus;

    @Option(
            names = "--slice",
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description =
                    "The loop's time slice while other threads wait for its core: 100us to 100ms, or 0 for the kernel's "
                            + "choice. Default: 100us.")
    private Long sliceNanos;

    @Option(
            names = "--compiler-nice",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Put this process's JIT compiler and concurrent collector threads behind by this nice value, 1 to 19: loops "
                            + "get more at first, and are compiled later. Default: ${DEFAULT-VALUE}, which leaves them alone.")
    private int compilerNice;

    /** For picocli. */
    public SchedulingOptions() {}

    /** {@return whether CPUs are named} */
    public boolean hasCpus() {
        return cpus != null;
    }

    /** {@return the configuration that the options say} */
    public SchedulingConfig config() {
        return config(null);
    }

    /**
     * {@return the same, of a command with another option for CPUs}
     *
     * @param affinity what that option says, or null
     */
    public SchedulingConfig config(String affinity) {
        if (affinity != null && cpus != null) {
            throw new ConfigException("-A and --cpu contradict each other; leave one out");
        }
        if (affinity != null && affinity.contains(",")) {
            throw new ConfigException(
                    "-A " + affinity + " names the server's CPU too, whose loop runs already; give one"
                            + " CPU here, and -A to the server");
        }
        SchedulingConfig config = SchedulingConfig.DEFAULT
                .withRealtimePriority(isRealTime ? REALTIME_PRIORITY : 0)
                .withCompilerNice(compilerNice);
        if (sliceNanos != null) {
            config = config.withSliceNanos(sliceNanos);
        }
        String list = cpus != null ? cpus : affinity;
        return list == null ? config : config.withCpus(parse(list));
    }

    private static CpuSet parse(String list) {
        CpuSet set = CpuSet.parse(list);
        if (set.isAny()) {
            throw new ConfigException("--cpu names no CPU; write some, as in 0,2-3, or leave it out to use all");
        }
        return set;
    }
}
