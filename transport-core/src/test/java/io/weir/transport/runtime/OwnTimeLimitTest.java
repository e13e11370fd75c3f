package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits by a clock and on a machine that the test has. */
class OwnTimeLimitTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int CORES = 2;

    @TempDir
    private Path proc;

    private long nowNanos;
    /** What a thread of the process has waited for a core. */
    private long waitedNanos;

    @BeforeEach
    void startMachine() throws IOException {
        write("stat", "cpu  1 2 3\ncpu0 1 2 3\ncpu1 1 2 3\nintr 5\n");
        write("self/task/1/schedstat", "500 0 3\n");
        rival(0);
        waits(0);
    }

    private void write(String name, String text) throws IOException {
        Path file = proc.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** So many threads of others want to run, besides one of this process. */
    private void rival(int count) throws IOException {
        write("loadavg", "35.10 20.00 10.00 " + (1 + count) + "/400 12345\n");
    }

    private void waits(long nanos) throws IOException {
        waitedNanos += nanos;
        write("self/task/2/schedstat", "500 " + waitedNanos + " 3\n");
    }

    private OwnTimeLimit limit(long seconds) {
        return new OwnTimeLimit(seconds * SECOND, () -> nowNanos, new MachineLoad(proc));
    }

    /** {@return how long the wait lasts, of which a thread of this process waits this share for a core} */
    private long spentNanos(OwnTimeLimit limit, double waitShare) throws IOException {
        long startNanos = nowNanos;
        for (long nanos = limit.leftNanos(); nanos > 0; nanos = limit.leftNanos()) {
            assertTrue(nanos <= OwnTimeLimit.LOOK_NANOS, nanos + " ns without a look");
            nowNanos += nanos;
            waits((long) (nanos * waitShare));
        }
        return nowNanos - startNanos;
    }

    @Test
    void leftNanos_idleMachine_endsAfterTheLimit() throws IOException {
        OwnTimeLimit limit = limit(5);
        assertEquals(5 * SECOND, spentNanos(limit, 0));
        assertEquals("", limit.remark());
    }

    @Test
    void leftNanos_processThatWaitsForACore_countsWhatItHadAlone() throws IOException {
        OwnTimeLimit limit = limit(5);
        long spent = spentNanos(limit, 0.75);
        assertTrue(spent > 19 * SECOND && spent <= 20 * SECOND, spent + " ns");
        assertEquals(" of core time (20 s passed)", limit.remark());
    }

    @Test
    void leftNanos_machineWithThirtyRivals_countsTheShareOfAThread() throws IOException {
        rival(31);
        OwnTimeLimit limit = limit(5);
        long spent = spentNanos(limit, 0);
        assertTrue(spent > 79 * SECOND && spent <= 80 * SECOND + OwnTimeLimit.LOOK_NANOS, spent + " ns");
        assertEquals(" of core time (80 s passed: 32 threads want to run on 2 cores, load 35.10)", limit.remark());
    }

    @Test
    void leftNanos_asManyThreadsAsCores_countsAll() throws IOException {
        rival(CORES - 1);
        assertEquals(5 * SECOND, spentNanos(limit(5), 0));
    }

    @Test
    void leftNanos_threadThatNeverRuns_endsAllTheSame() throws IOException {
        long spent = spentNanos(limit(1), 1);
        assertTrue(spent <= OwnTimeLimit.STRETCH_MAX * SECOND + OwnTimeLimit.LOOK_NANOS, spent + " ns");
    }

    @Test
    void leftNanos_callerThatCameLate_isNotCharged() throws IOException {
        OwnTimeLimit limit = limit(5);
        // Nothing is known of the threads yet, but this one slept for a minute instead of a tenth of a second.
        nowNanos += 60 * SECOND;
        assertTrue(limit.leftNanos() > 0);
        assertEquals(5 * SECOND - OwnTimeLimit.LOOK_NANOS, spentNanos(limit, 0));
    }

    @Test
    void leftNanos_machineThatTellsNothing_countsAll() throws IOException {
        OwnTimeLimit limit = new OwnTimeLimit(SECOND, () -> nowNanos, new MachineLoad(proc.resolve("nowhere")));
        assertEquals(SECOND, spentNanos(limit, 1));
        assertEquals("", limit.remark());
    }

    @Test
    void leftNanos_clockOfTheApplication_countsAllAndAsksNobody() throws IOException {
        assertEquals(3 * SECOND, spentNanos(OwnTimeLimit.ofNanos(3 * SECOND, () -> nowNanos), 1));
    }

    @Test
    void restart_afterProgress_beginsAgain() throws IOException {
        OwnTimeLimit limit = limit(5);
        nowNanos += OwnTimeLimit.LOOK_NANOS;
        assertTrue(limit.leftNanos() > 0);
        limit.restart();
        assertEquals(5 * SECOND, spentNanos(limit, 0));
    }

    @Test
    void get_answerThatIsThere_isGivenAndOneThatNeverComesIsNot() throws Exception {
        assertEquals("yes", OwnTimeLimit.ofNanos(0).get(CompletableFuture.completedFuture("yes")));
        assertThrows(TimeoutException.class, () -> OwnTimeLimit.ofNanos(1).get(new CompletableFuture<>()));
    }

    @Test
    void await_untilTheLimit_asksAgainAtEachLook() throws InterruptedException {
        int[] asked = {0};
        assertFalse(limit(1).await((time, unit) -> {
            asked[0]++;
            nowNanos += unit.toNanos(time);
            return false;
        }));
        assertEquals(SECOND / OwnTimeLimit.LOOK_NANOS + 1, asked[0]);
        assertTrue(limit(1).await((time, unit) -> true));
    }
}
