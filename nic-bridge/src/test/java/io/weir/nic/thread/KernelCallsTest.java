package io.weir.nic.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.Errno;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests {@link KernelCalls} on threads that end with the test; none of it needs rights. */
@EnabledOnOs(OS.LINUX)
class KernelCallsTest {
    private final KernelCalls calls = new KernelCalls();

    private static <T> T onItsOwnThread(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        new Thread(() -> answer.complete(work.get()), "kernel-calls").start();
        return answer.join();
    }

    @Test
    void policy_ordinaryThread_isOrdinary() {
        assertEquals(SchedulerCalls.POLICY_ORDINARY, onItsOwnThread(calls::policy));
    }

    @Test
    void setSlice_ordinaryThread_isGrantedOrNotInThisKernel() {
        int result = onItsOwnThread(() -> calls.setSlice(300_000));
        assertTrue(result == 0 || result == -Errno.ENOSYS.number(), Errno.describe(-result));
    }

    @Test
    void setRoundRobin_noSuchPriority_givesMinusTheErrorNumber() {
        assertEquals(-Errno.EINVAL.number(), onItsOwnThread(() -> calls.setRoundRobin(1_000)));
    }

    @Test
    void setAffinity_noCpu_givesMinusTheErrorNumber() {
        assertEquals(-Errno.EINVAL.number(), onItsOwnThread(() -> calls.setAffinity(new long[16])));
    }

    @Test
    void setAffinity_cpusOfTheMachine_isGranted() {
        List<Integer> cpus = Machine.local().cpus().indexes();
        long[] mask = new long[16];
        cpus.forEach(cpu -> mask[cpu / Long.SIZE] |= 1L << cpu);
        assertEquals(0, onItsOwnThread(() -> calls.setAffinity(mask)));
    }

    @Test
    void affinity_anyThread_hasTheCpuThatItRunsOn() {
        long[] mask = new long[16];
        int cpu = onItsOwnThread(() -> calls.affinity(mask) < 0 ? -1 : calls.cpu());
        assertTrue(cpu >= 0 && (mask[cpu / Long.SIZE] >> cpu & 1) == 1, "CPU " + cpu);
    }

    @Test
    void setNice_threadThatDoesNotExist_givesMinusTheErrorNumber() {
        assertEquals(-Errno.ESRCH.number(), calls.setNice(Integer.MAX_VALUE, 10));
    }

    @Test
    void setExactTimeouts_anyThread_isGranted() {
        assertEquals(0, onItsOwnThread(calls::setExactTimeouts));
    }
}
