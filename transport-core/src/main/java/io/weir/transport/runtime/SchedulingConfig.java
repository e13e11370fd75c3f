package io.weir.transport.runtime;

import io.weir.transport.node.ConfigException;

/**
 * What a loop asks the machine's scheduler for, on its own thread. What the machine does not grant is left out, and
 * {@link EventLoop#scheduling} says so: none of it is needed to run.
 *
 * @param sliceNanos how long the thread wants to run at a time while others want its core, or 0 for the kernel's
 *     choice. Shorter slices come sooner: the share of the core stays the same
 * @param realtimePriority 1 to 99 for the kernel's round-robin real-time class, before every ordinary thread; 0 for the
 *     ordinary one
 * @param cpus where the thread may run; {@link CpuSet#ANY} for wherever the process may
 * @param compilerNice the nice value of this process's JIT compiler and concurrent collector threads, which every other
 *     loop feels too; 0 leaves them alone
 */
public record SchedulingConfig(long sliceNanos, int realtimePriority, CpuSet cpus, int compilerNice) {
    /** The shortest slice that the kernel takes. */
    public static final long SLICE_NANOS_MIN = 100_000;

    /** The longest. */
    public static final long SLICE_NANOS_MAX = 100_000_000;

    /** Short slices, and nothing that takes from others. */
    public static final SchedulingConfig DEFAULT = new SchedulingConfig(SLICE_NANOS_MIN, 0, CpuSet.ANY, 0);

    private static final int PRIORITY_MAX = 99;
    private static final int NICE_MAX = 19;

    /** Validates what can be validated without a machine. */
    public SchedulingConfig {
        if (sliceNanos != 0 && (sliceNanos < SLICE_NANOS_MIN || sliceNanos > SLICE_NANOS_MAX)) {
            throw new ConfigException("sliceNanos=" + sliceNanos + " is outside " + SLICE_NANOS_MIN + ".."
                    + SLICE_NANOS_MAX + ", which the kernel takes; give another, or 0 for the kernel's choice");
        }
        if (realtimePriority < 0 || realtimePriority > PRIORITY_MAX) {
            throw new ConfigException("realtimePriority=" + realtimePriority + " is outside 0 (ordinary).."
                    + PRIORITY_MAX + "; 1 is before every ordinary thread");
        }
        if (compilerNice < 0 || compilerNice > NICE_MAX) {
            throw new ConfigException("compilerNice=" + compilerNice + " is outside 0 (leave alone).." + NICE_MAX
                    + "; compilers cannot be put before loops");
        }
    }

    /** {@return this with another slice} */
    public SchedulingConfig withSliceNanos(long value) {
        return new SchedulingConfig(value, realtimePriority, cpus, compilerNice);
    }

    /** {@return this with another priority} */
    public SchedulingConfig withRealtimePriority(int value) {
        return new SchedulingConfig(sliceNanos, value, cpus, compilerNice);
    }

    /** {@return this on other CPUs} */
    public SchedulingConfig withCpus(CpuSet value) {
        return new SchedulingConfig(sliceNanos, realtimePriority, value, compilerNice);
    }

    /** {@return this with another nice value of compiler and collector threads} */
    public SchedulingConfig withCompilerNice(int value) {
        return new SchedulingConfig(sliceNanos, realtimePriority, cpus, value);
    }

    /** {@return whether the real-time class is asked for} */
    public boolean isRealTime() {
        return realtimePriority > 0;
    }
}
