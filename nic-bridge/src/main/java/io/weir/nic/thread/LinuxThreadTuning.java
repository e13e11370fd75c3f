package io.weir.nic.thread;

import io.weir.nic.Errno;
import io.weir.nic.ffi.Platform;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.CpuSet;
import io.weir.transport.runtime.LoopScheduling;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.runtime.ThreadTuning;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Asks Linux's scheduler. Each wish is asked for by itself, so that one that is refused does not take the others with
 * it.
 *
 * <p>Design notes: the kernel's deadline class would give a loop its share by contract, but takes no thread that is
 * pinned, and nothing of it without rights. Negative nice values count only among the threads of one session where
 * sessions are scheduled as groups, which is the usual setting.
 */
public final class LinuxThreadTuning implements ThreadTuning {
    private static final int CORES_MIN = 2;
    private static final long NANOS_PER_MICROSECOND = 1_000;
    private static final int MASK_WORDS = CpuSet.INDEX_MAX / Long.SIZE + 1;

    private final Supplier<SchedulerCalls> calls;
    private final Machine machine;

    /** For the service loader. */
    public LinuxThreadTuning() {
        this(KernelCalls::new, Machine.local());
    }

    LinuxThreadTuning(Supplier<SchedulerCalls> calls, Machine machine) {
        this.calls = calls;
        this.machine = machine;
    }

    @Override
    public void requirePossible(SchedulingConfig config) {
        CpuSet present = machine.cpus();
        if (!config.cpus().isAny()
                && !present.isAny()
                && config.cpus().and(present).isAny()) {
            throw new ConfigException("cpus=" + config.cpus() + " names no CPU of this machine, which has " + present
                    + "; name some of those, or none to use all");
        }
    }

    @Override
    public LoopScheduling tune(SchedulingConfig config) {
        if (!Platform.isKnown()) {
            return new LoopScheduling("scheduled as every thread: Linux on x86-64 or aarch64 would take more", false);
        }
        try {
            return tune(config, calls.get());
        } catch (LinkageError e) {
            return new LoopScheduling(
                    "scheduled as every thread: no native calls here (" + e.getMessage() + ")", false);
        }
    }

    @Override
    public boolean leaveCpu() {
        try {
            return Platform.isKnown() && leaveCpu(calls.get());
        } catch (LinkageError e) {
            return false; // tune() has said it
        }
    }

    private static boolean leaveCpu(SchedulerCalls kernel) {
        long[] allowed = new long[MASK_WORDS];
        int cpu = kernel.cpu();
        if (cpu < 0 || kernel.affinity(allowed) < 0) {
            return false;
        }
        long[] others = allowed.clone();
        others[cpu / Long.SIZE] &= ~(1L << cpu);
        if (LongStream.of(others).allMatch(word -> word == 0) || kernel.setAffinity(others) < 0) {
            return false;
        }
        kernel.setAffinity(allowed);
        return true;
    }

    private LoopScheduling tune(SchedulingConfig config, SchedulerCalls kernel) {
        List<String> got = new ArrayList<>();
        boolean isRealTime = config.isRealTime() && isMadeRealTime(config.realtimePriority(), kernel, got);
        if (!isRealTime && config.sliceNanos() > 0) {
            got.add(slice(config.sliceNanos(), kernel));
        }
        if (!config.cpus().isAny()) {
            got.add(pin(config.cpus(), kernel));
        }
        int slack = kernel.setExactTimeouts();
        if (slack < 0) {
            got.add("sleeps may be 50 us late (prctl: " + Errno.symbol(-slack) + ")");
        }
        if (config.compilerNice() > 0) {
            got.add(yieldServices(config.compilerNice(), kernel));
        }
        return new LoopScheduling(
                got.isEmpty() ? "scheduled as every thread: asked for" : String.join(", ", got), isRealTime);
    }

    private boolean isMadeRealTime(int priority, SchedulerCalls kernel, List<String> got) {
        if (machine.cpus().indexes().size() == 1) {
            got.add("not real-time: the machine has one CPU, and others need it too; give it " + CORES_MIN);
            return false;
        }
        int result = kernel.setRoundRobin(priority);
        if (result < 0) {
            got.add("not real-time (sched_setattr: " + Errno.symbol(-result) + "; run as root or with CAP_SYS_NICE)");
            return false;
        }
        got.add("real-time, round robin " + priority);
        return true;
    }

    private static String slice(long sliceNanos, SchedulerCalls kernel) {
        int policy = kernel.policy();
        if (policy > SchedulerCalls.POLICY_ORDINARY) {
            return "the kernel's class " + policy + ", as the process was started";
        }
        int result = policy < 0 ? policy : kernel.setSlice(sliceNanos);
        return result < 0
                ? "slices of the kernel's choice (sched_setattr: " + Errno.symbol(-result) + ")"
                : "slices of " + sliceNanos / NANOS_PER_MICROSECOND + " us";
    }

    private String pin(CpuSet wanted, SchedulerCalls kernel) {
        CpuSet present = machine.cpus();
        CpuSet possible = present.isAny() ? wanted : wanted.and(present);
        long[] mask = new long[MASK_WORDS];
        possible.indexes().forEach(index -> mask[index / Long.SIZE] |= 1L << index);
        int result = kernel.setAffinity(mask);
        if (result < 0) {
            return "not on CPUs " + wanted + " alone (sched_setaffinity: " + Errno.symbol(-result)
                    + "; are they this process's?)";
        }
        return "CPUs " + possible
                + (possible.equals(wanted) ? "" : " of " + wanted + " (the machine has " + present + ")");
    }

    private String yieldServices(int nice, SchedulerCalls kernel) {
        List<Integer> threads = machine.serviceThreads();
        int refusedCount = 0;
        for (int thread : threads) {
            refusedCount += kernel.setNice(thread, nice) < 0 ? 1 : 0;
        }
        // One that is below already stays there; the kernel calls that a refusal too.
        return threads.size() - refusedCount + " compiler and collector threads at nice " + nice
                + (refusedCount == 0 ? "" : ", " + refusedCount + " refused");
    }
}
