package io.weir.cli.environment;

import io.weir.nic.NicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** The option {@code --wait-for-interface}, and what it does. */
public final class InterfaceWait {
    /** One look costs a few system calls; who starts a service waits for seconds. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    @Option(
            names = "--wait-for-interface",
            description = {
                "Wait while the interface or its broker is not there: at the start, and when it was deleted or has ended.",
                "Without it the command ends with status 3."
            })
    private boolean isWaiting;

    /** For picocli. */
    public InterfaceWait() {}

    /** {@return whether to wait} */
    public boolean isWaiting() {
        return isWaiting;
    }

    /** What needs an interface. */
    @FunctionalInterface
    public interface Opener<T> {
        /** {@return what was opened} */
        T open() throws IOException;
    }

    /** How to wait. */
    @FunctionalInterface
    public interface Pause {
        /** {@return whether the command is to end before the time is over} */
        boolean await(long nanos) throws InterruptedException;
    }

    /**
     * {@return what {@code opening} opens, or null if the command is to end before}
     *
     * @throws IOException if it cannot be opened, and waiting was not asked for or does not help
     */
    public <T> T open(Opener<T> opening, Pause pause, PrintWriter err) throws IOException, InterruptedException {
        String said = "";
        while (true) {
            try {
                return opening.open();
            } catch (NicException e) {
                if (!isWaiting || !e.isAbsence()) {
                    throw e;
                }
                if (!said.equals(e.getMessage())) {
                    said = e.getMessage();
                    err.println("weir: waits: " + said);
                    err.flush();
                }
            }
            if (pause.await(LOOK_NANOS)) {
                return null;
            }
        }
    }
}
