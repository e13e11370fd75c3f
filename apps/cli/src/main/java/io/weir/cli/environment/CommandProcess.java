package io.weir.cli.environment;

import io.weir.nic.lab.Lab;
import io.weir.transport.runtime.OwnTimeLimit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/**
 * The process of one command. Asked to end, it lives until the command has cleaned up and reported, and its status is
 * the command's, not the signal's: the same that the command's document has.
 *
 * <p>Design notes: a JVM that is asked to end runs its shutdown hooks and then ends with 128 and the signal's number,
 * while the main thread may still be at work. So the hook waits for the command, and ends the process itself.
 */
public final class CommandProcess {
    private static final int CLEAN_UP_SECONDS_MAX = 10;

    private static final CompletableFuture<Integer> STATUS = new CompletableFuture<>();
    /** Whether the command has ever listened to requests: only then does the process wait for it. */
    private static final AtomicBoolean HAS_LISTENER = new AtomicBoolean();
    /** Whether the process was asked to end. */
    private static final AtomicBoolean IS_ENDING = new AtomicBoolean();

    private CommandProcess() {}

    /**
     * Runs the command, and ends the process with the status that it gives.
     *
     * @param exit ends the process in order: {@code System::exit}
     */
    public static void run(IntSupplier command, IntConsumer exit) {
        Signals.hearInterrupt(exit);
        // The command removes what it has made itself, once it has read the results.
        Lab.expectClose(CLEAN_UP_SECONDS_MAX);
        Runtime.getRuntime().addShutdownHook(new Thread(CommandProcess::onShutdown, "weir-stop"));
        int status = command.getAsInt();
        STATUS.complete(status);
        exit.accept(status);
    }

    static void noteListener() {
        HAS_LISTENER.set(true);
    }

    static boolean isEnding() {
        return IS_ENDING.get();
    }

    private static void onShutdown() {
        boolean hasEnded = STATUS.isDone();
        IS_ENDING.set(true);
        StopRequest.askAll();
        if (hasEnded || !HAS_LISTENER.get()) {
            return;
        }
        try {
            Runtime.getRuntime()
                    .halt(OwnTimeLimit.ofSeconds(CLEAN_UP_SECONDS_MAX).get(STATUS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The command hangs, or its thread has died: the status is the signal's.
            return;
        }
    }
}
