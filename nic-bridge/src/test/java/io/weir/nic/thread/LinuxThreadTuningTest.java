package io.weir.nic.thread;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.Errno;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.CpuSet;
import io.weir.transport.runtime.LoopScheduling;
import io.weir.transport.runtime.SchedulingConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link LinuxThreadTuning} with a kernel that grants and refuses what the test says. */
@EnabledOnOs(OS.LINUX)
class LinuxThreadTuningTest {
    private static final SchedulingConfig EVERYTHING = new SchedulingConfig(200_000, 5, CpuSet.parse("1,3,70"), 10);
    private static final SchedulingConfig NOTHING = new SchedulingConfig(0, 0, CpuSet.ANY, 0);

    @TempDir
    Path folder;

    /** Grants everything unless it is told not to, and notes what it was asked for. */
    private static final class FakeKernel implements SchedulerCalls {
        private final List<String> calls = new ArrayList<>();
        private int policy;
        private int refusal;
        private int roundRobinRefusal;
        /** CPUs that the thread may run on, and the one that it runs on. */
        private long allowedMask = 0b1111;

        private int cpu = 2;

        private int answer(String call) {
            calls.add(call);
            return -refusal;
        }

        @Override
        public int policy() {
            return refusal > 0 ? -refusal : policy;
        }

        @Override
        public int setSlice(long sliceNanos) {
            return answer("slice " + sliceNanos);
        }

        @Override
        public int setRoundRobin(int priority) {
            int answer = answer("rr " + priority);
            return roundRobinRefusal > 0 ? -roundRobinRefusal : answer;
        }

        @Override
        public int setAffinity(long[] mask) {
            return answer("cpus " + Long.toHexString(mask[0]) + " " + Long.toHexString(mask[1]) + " of "
                    + mask.length * Long.SIZE);
        }

        @Override
        public int affinity(long[] mask) {
            mask[0] = allowedMask;
            return answer("affinity");
        }

        @Override
        public int cpu() {
            return refusal > 0 ? -refusal : cpu;
        }

        @Override
        public int setExactTimeouts() {
            return answer("slack");
        }

        @Override
        public int setNice(int thread, int nice) {
            return answer("nice " + thread + " " + nice);
        }
    }

    private final FakeKernel kernel = new FakeKernel();

    private LinuxThreadTuning tuning(String online, String... threads) throws IOException {
        Path cpus = Files.createDirectories(folder.resolve("sys/devices/system/cpu"));
        if (!online.isEmpty()) {
            Files.writeString(cpus.resolve("online"), online + "\n");
        }
        for (int i = 0; i < threads.length; i++) {
            Path task = Files.createDirectories(folder.resolve("proc/self/task/" + (100 + i)));
            Files.writeString(task.resolve("comm"), threads[i] + "\n");
        }
        return new LinuxThreadTuning(() -> kernel, new Machine(folder.resolve("sys"), folder.resolve("proc")));
    }

    @Test
    void requirePossible_noCpuOfTheMachine_isRefusedWithValueLimitAndRemedy() throws IOException {
        LinuxThreadTuning tuning = tuning("0-1");
        ConfigException refused = assertThrows(
                ConfigException.class, () -> tuning.requirePossible(NOTHING.withCpus(CpuSet.parse("2,7-8"))));
        assertEquals(
                "cpus=2,7-8 names no CPU of this machine, which has 0-1; name some of those, or none to use all",
                refused.getMessage());
    }

    @Test
    void requirePossible_someCpuOfTheMachineOrUnknownMachine_passes() throws IOException {
        LinuxThreadTuning known = tuning("0-1");
        assertDoesNotThrow(() -> known.requirePossible(NOTHING.withCpus(CpuSet.parse("1-9"))));
        assertDoesNotThrow(() -> known.requirePossible(NOTHING));
        Files.delete(folder.resolve("sys/devices/system/cpu/online"));
        assertDoesNotThrow(() -> known.requirePossible(NOTHING.withCpus(CpuSet.parse("9"))));
    }

    @Test
    void tune_everythingGranted_saysSoAndTouchesServiceThreadsAlone() throws IOException {
        LoopScheduling got = tuning(
                        "0-3", "java", "C2 CompilerThre", "VM Thread", "GC Thread#0", "G1 Conc#0", "weir-eth0-1")
                .tune(EVERYTHING);
        assertTrue(got.isRealTime());
        assertEquals(
                "real-time, round robin 5, CPUs 1,3 of 1,3,70 (the machine has 0-3), "
                        + "2 compiler and collector threads at nice 10",
                got.line());
        assertEquals(List.of("rr 5", "cpus a 0 of 1024", "slack", "nice 101 10", "nice 104 10"), kernel.calls);
    }

    @Test
    void tune_cpuBeyondTheFirstWord_setsItsBit() throws IOException {
        tuning("0-127").tune(NOTHING.withCpus(CpuSet.parse("1,3,70")));
        assertEquals(List.of("cpus a 40 of 1024", "slack"), kernel.calls);
    }

    @Test
    void tune_nothingWanted_setsTheTimersAlone() throws IOException {
        assertEquals(
                "scheduled as every thread: asked for",
                tuning("0-1").tune(NOTHING).line());
        assertEquals(List.of("slack"), kernel.calls);
    }

    @Test
    void tune_noRealTimeRights_fallsBackToSlicesAndSaysWhatIsMissing() throws IOException {
        kernel.roundRobinRefusal = Errno.EPERM.number();
        LoopScheduling got = tuning("0-1").tune(SchedulingConfig.DEFAULT.withRealtimePriority(1));
        assertFalse(got.isRealTime());
        assertEquals(
                "not real-time (sched_setattr: EPERM; run as root or with CAP_SYS_NICE), slices of 100 us", got.line());
    }

    @Test
    void tune_oneCpu_doesNotAskForTheRealTimeClass() throws IOException {
        LoopScheduling got = tuning("0").tune(SchedulingConfig.DEFAULT.withRealtimePriority(1));
        assertFalse(got.isRealTime());
        assertEquals(
                "not real-time: the machine has one CPU, and others need it too; give it 2, slices of 100 us",
                got.line());
    }

    @Test
    void tune_kernelWithoutTheCalls_saysSoForEach() throws IOException {
        kernel.refusal = Errno.ENOSYS.number();
        LoopScheduling got = tuning("0-3", "C1 CompilerThre").tune(EVERYTHING.withRealtimePriority(0));
        assertFalse(got.isRealTime());
        assertEquals(
                "slices of the kernel's choice (sched_setattr: ENOSYS), "
                        + "not on CPUs 1,3,70 alone (sched_setaffinity: ENOSYS; are they this process's?), "
                        + "sleeps may be 50 us late (prctl: ENOSYS), "
                        + "0 compiler and collector threads at nice 10, 1 refused",
                got.line());
    }

    @Test
    void tune_cpusOutsideTheProcessSet_runsWhereItMay() throws IOException {
        kernel.refusal = Errno.EINVAL.number();
        String line = tuning("0-3").tune(NOTHING.withCpus(CpuSet.parse("2"))).line();
        assertTrue(line.startsWith("not on CPUs 2 alone (sched_setaffinity: EINVAL"), line);
    }

    @Test
    void tune_processStartedInAnotherClass_staysThere() throws IOException {
        kernel.policy = SchedulerCalls.POLICY_ROUND_ROBIN;
        assertEquals(
                "the kernel's class 2, as the process was started",
                tuning("0-1").tune(SchedulingConfig.DEFAULT).line());
        assertEquals(List.of("slack"), kernel.calls);
    }

    @Test
    void tune_noNativeCalls_saysSo() {
        LinuxThreadTuning tuning = new LinuxThreadTuning(
                () -> {
                    throw new UnsatisfiedLinkError("no libc");
                },
                new Machine(folder, folder));
        assertEquals(
                "scheduled as every thread: no native calls here (no libc)",
                tuning.tune(SchedulingConfig.DEFAULT).line());
    }

    @Test
    void leaveCpu_severalAllowed_movesAndStaysFree() throws IOException {
        assertTrue(tuning("0-3").leaveCpu());
        assertEquals(List.of("affinity", "cpus b 0 of 1024", "cpus f 0 of 1024"), kernel.calls);
    }

    @Test
    void leaveCpu_oneAllowed_stays() throws IOException {
        kernel.allowedMask = 0b100;
        assertFalse(tuning("0-3").leaveCpu());
        assertEquals(List.of("affinity"), kernel.calls);
    }

    @Test
    void leaveCpu_refused_stays() throws IOException {
        kernel.refusal = Errno.EPERM.number();
        assertFalse(tuning("0-3").leaveCpu());
        assertEquals(List.of(), kernel.calls);
    }
}
