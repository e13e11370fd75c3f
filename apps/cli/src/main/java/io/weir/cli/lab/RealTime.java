package io.weir.cli.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the calling thread into the kernel's real-time class for a while, and back on closing: a laboratory's clock
 * cannot wait while something else on the machine computes. Where that is refused, everything works as before, only
 * later.
 *
 * <p>Design notes: priorities of the ordinary class count only among the processes of one session. The kernel's own
 * threads, and everybody else on this core, get what the thread leaves: see {@link PeriodicRest}.
 */
public final class RealTime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RealTime.class);
    private static final Path CALLING_THREAD = Path.of("/proc/thread-self");
    private static final int CORES_MIN = 2;
    private static final int SECONDS_MAX = 5;

    private final String thread;
    private final boolean isRaised;

    private RealTime(String thread) {
        this.thread = thread;
        this.isRaised = thread != null && set("--rr", "1");
    }

    /** Raises the calling thread, if {@code isWanted} and a core is left to everybody else. */
    public static RealTime enter(boolean isWanted) {
        boolean isPossible = Runtime.getRuntime().availableProcessors() >= CORES_MIN;
        return new RealTime(isWanted && isPossible ? callingThread() : null);
    }

    private static String callingThread() {
        try {
            return Files.readSymbolicLink(CALLING_THREAD).getFileName().toString();
        } catch (IOException e) {
            LOG.debug("the thread does not know its number", e);
            return null;
        }
    }

    /** {@return whether the kernel agreed} */
    public boolean isRaised() {
        return isRaised;
    }

    private boolean set(String policy, String priority) {
        try {
            Process chrt = new ProcessBuilder("chrt", policy, "--pid", priority, thread)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean isDone = chrt.waitFor(SECONDS_MAX, TimeUnit.SECONDS) && chrt.exitValue() == 0;
            if (!isDone) {
                LOG.debug("chrt {} of thread={} was refused", policy, thread);
            }
            return isDone;
        } catch (IOException e) {
            LOG.debug("no chrt here", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    @Override
    public void close() {
        if (isRaised) {
            set("--other", "0");
        }
    }
}
