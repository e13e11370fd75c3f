package io.weir.cli.environment;

import io.weir.nic.lab.Lab;
import io.weir.transport.runtime.OwnTimeLimit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
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
    private static volatile boolean hasListener;
    /** Whether the process was asked to end. */
    private static volatile boolean isEnding;

    private CommandProcess() {}

    /** Runs the command, and ends the process with the status that it gives. */
    public static void run(IntSupplier command) {
        Signals.hearInterrupt();
        // The command removes what it has made itself, once it has read the results.
        Lab.expectClose(CLEAN_UP_SECONDS_MAX);
        Runtime.getRuntime().addShutdownHook(new Thread(CommandProcess::onShutdown, "weir-stop"));
        int status = command.getAsInt();
        STATUS.complete(status);
        System.exit(status);
    }

    static void noteListener() {
        hasListener = true;
    }

    static boolean isEnding() {
        return isEnding;
    }

    private static void onShutdown() {
        boolean hasEnded = STATUS.isDone();
        isEnding = true;
        StopRequest.askAll();
        if (hasEnded || !hasListener) {
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
