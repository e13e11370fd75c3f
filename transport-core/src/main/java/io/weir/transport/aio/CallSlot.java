package io.weir.transport.aio;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a channel does one call at a time of: read, write, connect or accept. A call is tried at once, and again each
 * time that the channel may be ready. Any thread.
 *
 * @param <V> what a call gives
 */
final class CallSlot<V> {
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final SelectingGroup group;
    private final SelectableChannel channel;
    private final int op;
    private final Supplier<RuntimeException> busy;
    /** Null where there is none; with this object's lock. */
    private PendingCall<V> pending;
    /** What is left to do of it. With the lock. */
    private Attempt<V> attempt;
    /** Ends it when its time is over, or null. With the lock. */
    private ScheduledFuture<?> timeout;
    /** Whether a call was ended half-way, so that what follows might miss bytes. With the lock. */
    private boolean isSpoilt;

    /** What a call does. */
    interface Attempt<V> {
        /** {@return the result, or null where it would have to wait} */
        V tryIt() throws IOException;
    }

    /**
     * Creates a slot.
     *
     * @param op the {@link java.nio.channels.SelectionKey}'s
     * @param busy what is thrown where a call is made while another is pending
     */
    CallSlot(SelectingGroup group, SelectableChannel channel, int op, Supplier<RuntimeException> busy) {
        this.group = group;
        this.channel = channel;
        this.op = op;
        this.busy = busy;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "weir-async-timer");
            thread.setDaemon(true);
            return thread;
        });
        made.setRemoveOnCancelPolicy(true);
        made.setKeepAliveTime(1, TimeUnit.SECONDS);
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /** {@return whether a call has not ended} */
    synchronized boolean isPending() {
        return pending != null && !pending.isOver();
    }

    /** Begins a call; {@code timeoutNanos} is how long it may take, or 0 for no limit. */
    void begin(PendingCall<V> call, long timeoutNanos, Attempt<V> newAttempt) {
        synchronized (this) {
            if (pending != null && pending.isOver() && pending.result().isCancelled()) {
                isSpoilt = true;
            }
            if (isSpoilt) {
                throw new IllegalStateException("a call before this one was cancelled, or its time was over, which may"
                        + " have left it half done; close the channel");
            }
            if (isPending()) {
                throw busy.get();
            }
            pending = call;
            attempt = newAttempt;
        }
        go();
        synchronized (this) {
            if (timeoutNanos > 0 && !call.isOver()) {
                timeout = TIMER.schedule(() -> onTimeout(call), timeoutNanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void go() {
        V value = null;
        Exception problem = null;
        PendingCall<V> ended = null;
        synchronized (this) {
            if (!isPending()) {
                return;
            }
            try {
                value = attempt.tryIt();
            } catch (ClosedChannelException e) {
                problem = closed(e);
            } catch (IOException | RuntimeException e) {
                problem = e;
            }
            if (value != null || problem != null) {
                ended = end();
            }
        }
        // Outside: a handler may make the next call.
        if (ended == null) {
            group.arm(channel, op, this::go);
        } else if (problem == null) {
            ended.complete(value);
        } else {
            ended.fail(problem);
        }
    }

    private static IOException closed(ClosedChannelException cause) {
        AsynchronousCloseException failure = new AsynchronousCloseException();
        failure.initCause(cause);
        return failure;
    }

    private PendingCall<V> end() {
        PendingCall<V> ended = pending;
        pending = null;
        attempt = null;
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
        return ended;
    }

    private void onTimeout(PendingCall<V> call) {
        synchronized (this) {
            if (pending != call || call.isOver()) {
                return;
            }
            isSpoilt = true;
            PendingCall<V> unused = end();
        }
        call.fail(new InterruptedByTimeoutException());
    }

    /** The channel is closed. */
    void close() {
        PendingCall<V> ended;
        synchronized (this) {
            ended = pending == null ? null : end();
        }
        if (ended != null) {
            ended.fail(new AsynchronousCloseException());
        }
    }
}
