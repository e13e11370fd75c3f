package io.weir.cli.environment;

import java.io.InterruptedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, SIGTERM and SIGHUP as a request to end in order, with the results of the time until then: {@link
 * CommandProcess} makes it.
 *
 * <p>An interrupt of the thread that waits is such a request too; the thread is interrupted again once this is closed,
 * so that cleaning up is not disturbed.
 */
public final class StopRequest implements AutoCloseable {
    /** Why a command that was asked to end has no more results. */
    public static final String REASON = "interrupted; the results are those of the time until then";

    private static final Set<StopRequest> LISTENING = ConcurrentHashMap.newKeySet();

    private final CountDownLatch asked = new CountDownLatch(1);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** Whether the owner's thread was interrupted. That thread's alone. */
    private boolean isInterrupted;

    /** Creates one that only {@link #ask} makes. */
    public StopRequest() {}

    /** {@return what is told from now on when the process is asked to end} */
    public static StopRequest listen() {
        CommandProcess.noteListener();
        StopRequest request = new StopRequest();
        LISTENING.add(request);
        if (CommandProcess.isEnding()) {
            request.ask();
        }
        return request;
    }

    static void askAll() {
        LISTENING.forEach(StopRequest::ask);
    }

    /** Makes the request. Any thread. */
    public void ask() {
        asked.countDown();
        listeners.forEach(Runnable::run);
    }

    /** Has {@code listener} run when the request is made, on the thread that makes it; at once if it was made. */
    public void whenAsked(Runnable listener) {
        listeners.add(listener);
        if (isAsked()) {
            listener.run();
        }
    }

    /** {@return whether the request was made} */
    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    /**
     * Goes on unless the request was made.
     *
     * @throws InterruptedIOException if it was
     */
    public void requireGoing() throws InterruptedIOException {
        if (isAsked()) {
            throw new InterruptedIOException("interrupted before there was a result");
        }
    }

    /** {@return whether the process is asked to end before the time is over} Waits for that. */
    public boolean await(long nanos) {
        try {
            return asked.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            onInterrupt();
            return true;
        }
    }

    /** The owner's thread was interrupted, and its interrupt has been taken. */
    public void onInterrupt() {
        isInterrupted = true;
        ask();
    }

    @Override
    public void close() {
        LISTENING.remove(this);
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
