package io.weir.cli.environment;

import io.weir.transport.runtime.OwnTimeLimit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ctrl-C and SIGTERM as a request to end in order: the process lives until the command has cleaned up and reported, and
 * its status is the command's, not the signal's.
 *
 * <p>An interrupt of the thread that waits is such a request too; the thread is interrupted again once this is closed,
 * so that cleaning up is not disturbed.
 *
 * <p>Design notes: a JVM that is asked to end runs its shutdown hooks and then ends with 128 and the signal's number,
 * while the main thread may still be at work. So the hook waits for the command, and ends the process itself.
 */
public final class StopRequest implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StopRequest.class);
    private static final int CLEAN_UP_SECONDS_MAX = 10;
    private static final int NO_STATUS = -1;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onShutdown, "weir-stop");
    private volatile int status = NO_STATUS;
    private boolean isInterrupted;

    private StopRequest() {}

    /** {@return what is told from now on when the process is asked to end} */
    public static StopRequest listen() {
        StopRequest request = new StopRequest();
        Runtime.getRuntime().addShutdownHook(request.hook);
        return request;
    }

    /** {@return whether the process is asked to end before the time is over} Waits for that. */
    public boolean await(long nanos) {
        try {
            return isInterrupted || requested.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            isInterrupted = true;
            return true;
        }
    }

    /** Gives the status that the process ends with if it was asked to: everything is cleaned up and reported. */
    public int end(int exitCode) {
        status = exitCode;
        return exitCode;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the process is ending already", e);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void onShutdown() {
        requested.countDown();
        boolean isClean = false;
        try {
            isClean = OwnTimeLimit.ofSeconds(CLEAN_UP_SECONDS_MAX).await(closed::await);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (isClean && status != NO_STATUS) {
            Runtime.getRuntime().halt(status);
        }
    }
}
