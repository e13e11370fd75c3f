package io.weir.nic.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.lab.LiveTest;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.CpuSet;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Tests what the kernel says of a loop's thread and of others, once a transport was opened. */
@LiveTest
class SchedulingLiveTest {

    /** What sched_getattr(2) and procfs tell. */
    private record Found(int policy, int priority, long sliceNanos, String cpus, String slack) {}

    private static Transport open(SchedulingConfig scheduling, IdleMode idleMode) throws IOException {
        FramePool left = new FramePool(1_024, 2_048);
        FramePool right = new FramePool(1_024, 2_048);
        TransportConfig config = TransportConfig.builder()
                .idleMode(idleMode)
                .scheduling(scheduling)
                .build();
        return Transport.open(
                MemoryNetwork.pair(left, right, 1_500, 1_000_000_000L).get(0), left, config);
    }

    private static int threadNamed(String start) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).strip().startsWith(start)) {
                    return Integer.parseInt(task.getFileName().toString());
                }
            }
        }
        throw new AssertionError("no thread " + start);
    }

    private static Found look(int thread) throws IOException {
        UnsafeBuffer attributes = NativeMemory.allocate(48);
        assertEquals(0, Libc.schedGetAttributes(thread, attributes));
        Path task = Path.of("/proc/self/task/" + thread);
        String cpus = Files.readAllLines(task.resolve("status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
        return new Found(
                attributes.getInt(4),
                attributes.getInt(20),
                attributes.getLong(24),
                cpus,
                Files.readString(Path.of("/proc/" + thread + "/timerslack_ns")).strip());
    }

    private static int loopThread() throws IOException {
        return threadNamed("weir-mem0");
    }

    @Test
    void open_default_asksForShortSlicesAndExactTimers() throws IOException {
        try (Transport transport = open(SchedulingConfig.DEFAULT, IdleMode.BACK_OFF)) {
            String line = transport.scheduling();
            Assumptions.assumeFalse(line.contains("ENOSYS"), line);
            Found found = look(loopThread());
            assertEquals("slices of 100 us", line);
            assertEquals(SchedulerCalls.POLICY_ORDINARY, found.policy);
            assertEquals(SchedulingConfig.SLICE_NANOS_MIN, found.sliceNanos);
            assertEquals("1", found.slack);
        }
    }

    @Test
    void open_oneCpu_staysThere() throws IOException {
        int last = lastCpu();
        SchedulingConfig config = SchedulingConfig.DEFAULT.withCpus(CpuSet.parse(last + ",1023"));
        try (Transport transport = open(config, IdleMode.BACK_OFF)) {
            assertTrue(
                    transport.scheduling().contains("CPUs " + last + " of " + last + ",1023"), transport.scheduling());
            assertEquals(Integer.toString(last), look(loopThread()).cpus);
        }
    }

    @Test
    void open_realTime_isGrantedAndTheLoopAnswers() throws Exception {
        Assumptions.assumeTrue(lastCpu() > 0, "one CPU");
        SchedulingConfig config = SchedulingConfig.DEFAULT.withRealtimePriority(3);
        try (Transport transport = open(config, IdleMode.BUSY_SPIN)) {
            assertEquals("real-time, round robin 3", transport.scheduling());
            Found found = look(loopThread());
            assertEquals(SchedulerCalls.POLICY_ROUND_ROBIN, found.policy);
            assertEquals(3, found.priority);
            // Nobody but the loop's thread may run its cycles: a thread that does could be interrupted by it for good.
            assertEquals(0, transport.loop().helpers().help());
        }
    }

    @Test
    void open_threadOfTheLoopStartsAnother_thatIsAnOrdinaryOne() throws Exception {
        SchedulingConfig config = SchedulingConfig.DEFAULT.withRealtimePriority(lastCpu() > 0 ? 3 : 0);
        try (Transport transport = open(config, IdleMode.BACK_OFF)) {
            CompletableFuture<Found> child = new CompletableFuture<>();
            transport.scheduling();
            transport.loop().execute(now -> new Thread(
                            () -> {
                                try {
                                    child.complete(look(threadNamed("child-of-loop")));
                                } catch (IOException e) {
                                    child.completeExceptionally(e);
                                }
                            },
                            "child-of-loop")
                    .start());
            Found found = child.get();
            assertEquals(SchedulerCalls.POLICY_ORDINARY, found.policy);
            assertEquals(0, found.priority);
            assertNotEquals(SchedulingConfig.SLICE_NANOS_MIN, found.sliceNanos);
        }
    }

    @Test
    void open_invoker_leavesTheApplicationsThreadAlone() throws IOException {
        int thread = Integer.parseInt(Files.readSymbolicLink(Path.of("/proc/thread-self"))
                .getFileName()
                .toString());
        Found before = look(thread);
        SchedulingConfig config =
                SchedulingConfig.DEFAULT.withRealtimePriority(3).withCpus(CpuSet.parse(Integer.toString(lastCpu())));
        try (Transport transport = open(config, IdleMode.INVOKER)) {
            transport.runOnce();
            assertEquals("on the application's thread, which is left alone", transport.scheduling());
            assertEquals(before, look(thread));
        }
    }

    private static int lastCpu() {
        List<Integer> cpus = Machine.local().cpus().indexes();
        return cpus.get(cpus.size() - 1);
    }
}
