package io.weir.cli.testing;

import static org.junit.jupiter.api.Assertions.fail;

import io.weir.cli.WeirCommand;
import io.weir.nic.testing.Deadline;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/** One execution of the command in this process: on the calling thread, or on a separate one that can be stopped. */
public final class CommandRun {
    /** Against hangs: no command of a test takes as long, however busy the machine is. */
    private static final long NANOS_MAX = Deadline.HANG_GUARD.toNanos();

    private static final long POLL_NANOS = 1_000_000;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final Thread thread;

    private CommandRun(String... arguments) {
        CommandLine commandLine = WeirCommand.commandLineFor(arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        thread = new Thread(() -> status.complete(commandLine.execute(arguments)), "weir-command-test");
        thread.setDaemon(true);
    }

    /** {@return a command that runs} */
    public static CommandRun start(String... arguments) {
        CommandRun run = new CommandRun(arguments);
        run.thread.start();
        return run;
    }

    /** {@return a command that has ended} */
    public static CommandRun execute(String... arguments) {
        CommandRun run = start(arguments);
        run.await();
        return run;
    }

    /** Waits until the command has printed {@code text}, on either stream. */
    public void awaitText(String text) {
        awaitThat(
                "print \"" + text + "\"",
                () -> out.toString().contains(text) || err.toString().contains(text));
    }

    /** Waits until the command has done something that this process can see. */
    public void awaitThat(String deed, BooleanSupplier isDone) {
        long startNanos = System.nanoTime();
        while (!isDone.getAsBoolean()) {
            if (status.isDone() || System.nanoTime() - startNanos > NANOS_MAX) {
                fail("the command did not " + deed + " but printed:\n" + out + err);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** {@return its status, after asking it to end as Ctrl-C does} */
    public int stop() {
        thread.interrupt();
        return await();
    }

    /** {@return its status, once it has ended} */
    public int await() {
        try {
            return status.get(NANOS_MAX, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new AssertionError("the command did not end; it printed:\n" + out + err, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** {@return what it printed on standard output} */
    public String out() {
        return out.toString();
    }

    /** {@return what it printed on standard error} */
    public String err() {
        return err.toString();
    }
}
