package io.weir.cli.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.testing.ChildJvm;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests {@link StopRequest}, with processes that are asked to end. */
class StopRequestTest {
    private static final int STATUS = 7;

    @Test
    void await_nobodyAsks_endsWithTheTime() {
        try (StopRequest request = StopRequest.listen()) {
            assertFalse(request.await(1_000));
        }
    }

    @Test
    void await_interrupted_isARequestThatStaysUntilTheEnd() {
        try (StopRequest request = StopRequest.listen()) {
            Thread.currentThread().interrupt();
            assertTrue(request.await(TimeUnit.DAYS.toNanos(1)));
            assertFalse(Thread.currentThread().isInterrupted(), "cleaning up would be disturbed");
            assertTrue(request.await(TimeUnit.DAYS.toNanos(1)));
        }
        assertTrue(Thread.interrupted());
    }

    @Test
    void whenAsked_requestWasMadeBefore_runsAtOnce() {
        AtomicInteger calls = new AtomicInteger();
        StopRequest request = new StopRequest();
        request.whenAsked(calls::incrementAndGet);
        assertEquals(0, calls.get());
        request.ask();
        request.whenAsked(calls::incrementAndGet);
        assertEquals(2, calls.get());
        assertThrows(InterruptedIOException.class, request::requireGoing);
    }

    @Test
    void onShutdown_processAskedToEnd_cleansUpAndHasTheCommandsStatus() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(), Command.class)) {
            assertEquals("waiting", child.awaitLine("waiting"));
            assertEquals(STATUS, child.terminate());
            assertEquals("cleaned up", child.awaitLine("cleaned up"));
        }
    }

    @Test
    void onShutdown_commandFails_doesNotClaimItsStatus() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(), Command.class, "fail")) {
            assertEquals("waiting", child.awaitLine("waiting"));
            assertEquals(128 + 15, child.terminate());
        }
    }

    /** A command that runs until it is asked to end. */
    static final class Command {
        private Command() {}

        public static void main(String[] arguments) {
            CommandProcess.run(() -> run(arguments), System::exit);
        }

        @SuppressWarnings("SystemOut")
        private static int run(String... arguments) {
            try (StopRequest request = StopRequest.listen()) {
                System.out.println("waiting");
                request.await(Long.MAX_VALUE);
                if (arguments.length > 0) {
                    throw new IllegalStateException("as asked");
                }
                System.out.println("cleaned up");
            }
            return STATUS;
        }
    }
}
