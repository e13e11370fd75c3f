package io.weir.transport.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a loop asks the machine's scheduler for on its thread, and the answer, for which any thread may wait. One per
 * loop.
 */
final class LoopThreadScheduling {
    private static final Logger LOG = LoggerFactory.getLogger(LoopThreadScheduling.class);
    private static final long ANSWER_NANOS_MAX = 5_000_000_000L;

    private final String loopName;
    /** What the loop's own thread got; completed once, when it starts. */
    private final CompletableFuture<LoopScheduling> ofOwnThread = new CompletableFuture<>();
    /** What {@link #tuneInvoker} got, or null while the invoker's thread is as it was. Written by the invoker. */
    private volatile LoopScheduling ofInvoker;
    /** What is asked for; set before the loop's thread starts. */
    private SchedulingConfig wanted = SchedulingConfig.DEFAULT;

    LoopThreadScheduling(String loopName) {
        this.loopName = loopName;
    }

    void setWanted(SchedulingConfig config) {
        wanted = config;
    }

    /** {@return whether the real-time class is asked for} */
    boolean isRealTimeWanted() {
        return wanted.isRealTime();
    }

    /** The application runs the loop on its thread, which stays as it is. */
    void leaveInvoker() {
        ofOwnThread.complete(LoopScheduling.INVOKED);
    }

    /** Asks for all of it, on the loop's own thread. */
    LoopScheduling tuneOwnThread(ThreadTuning tuning) {
        LoopScheduling answer = tune(tuning, wanted);
        ofOwnThread.complete(answer);
        return answer;
    }

    /** Asks for all but the real-time class, on the invoker's thread. */
    void tuneInvoker(ThreadTuning tuning) {
        ofInvoker = tune(tuning, wanted.withRealtimePriority(0));
    }

    private LoopScheduling tune(ThreadTuning tuning, SchedulingConfig config) {
        LoopScheduling answer = tuning.tune(config);
        LOG.info("loop={} scheduling=\"{}\"", loopName, answer.line());
        return answer;
    }

    /** {@return what was granted, and what was not and why} Waits until the loop's thread has begun. */
    String line() {
        LoopScheduling invoker = ofInvoker;
        if (invoker != null) {
            return invoker.line();
        }
        try {
            return OwnTimeLimit.ofNanos(ANSWER_NANOS_MAX).get(ofOwnThread).line();
        } catch (TimeoutException e) {
            return LoopScheduling.UNKNOWN.line();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return LoopScheduling.UNKNOWN.line();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the loop's thread did not begin", e);
        }
    }
}
