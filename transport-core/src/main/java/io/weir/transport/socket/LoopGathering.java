package io.weir.transport.socket;

import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.LoopTask;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Does something while no loop of a transport does anything else, so that it may touch what belongs to any of them.
 * Each loop comes with a task; the last one to come does the work, and the others wait in theirs. A thread that runs
 * several loops comes with all of them at once.
 */
final class LoopGathering {
    /** How often it is asked whether a loop has ended meanwhile, and no task of it runs any more. */
    private static final long ENDED_MILLIS = 100;

    private final List<EventLoop> loops;
    private final Work work;
    /** How long a loop waits for others that are busy, or that nobody runs, before it goes on. */
    private final long waitNanosMax;

    private final CompletableFuture<Void> done = new CompletableFuture<>();
    /** Loops that wait, by number. With the lock. */
    private final BitSet waiting = new BitSet();
    /** Whether all had come, so that nobody leaves before the work is done. With the lock. */
    private boolean isComplete;

    /** What is done. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    LoopGathering(List<EventLoop> loops, long waitNanosMax, Work work) {
        this.loops = loops;
        this.waitNanosMax = waitNanosMax;
        this.work = work;
    }

    /**
     * {@return whether the work was done, and not left because a loop has ended}
     *
     * @throws IOException if it failed, or the loops did not come within the time
     */
    boolean run() throws IOException, InterruptedException {
        for (int i = 0; i < loops.size(); i++) {
            int index = i;
            LoopTask coming = now -> come(index);
            if (!loops.get(i).offer(coming)) {
                done.completeExceptionally(new IOException(loops.get(i).name() + " has ended"));
                return false;
            }
        }
        while (true) {
            try {
                done.get(ENDED_MILLIS, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                if (loops.stream().anyMatch(loop -> loop.awaitEnd(0))) {
                    done.completeExceptionally(new IOException("the transport has ended"));
                    return false;
                }
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException refusal ? refusal : new IOException(e.getCause());
            }
        }
    }

    /** The thread that runs a loop. */
    private void come(int index) {
        synchronized (this) {
            if (done.isDone()) {
                return;
            }
            waiting.set(index);
            for (int i = 0; i < loops.size(); i++) {
                if (loops.get(i).isInvoker() && loops.get(i).isLoopThread()) {
                    waiting.set(i);
                }
            }
            isComplete = waiting.cardinality() == loops.size();
        }
        if (isComplete()) {
            work();
        } else {
            await(index);
        }
    }

    private synchronized boolean isComplete() {
        return isComplete;
    }

    private void work() {
        try {
            work.run();
            done.complete(null);
        } catch (IOException | RuntimeException e) {
            done.completeExceptionally(e);
        } finally {
            // An Error too lets the others go.
            done.completeExceptionally(
                    new IOException("an error ended the work of " + loops.get(0).name()));
        }
    }

    private void await(int index) {
        long deadlineNanos = System.nanoTime() + waitNanosMax;
        boolean isInterrupted = false;
        while (!done.isDone()) {
            try {
                done.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (leave(index)) {
                    break;
                }
                deadlineNanos = System.nanoTime() + waitNanosMax;
            } catch (InterruptedException e) {
                isInterrupted = true;
            } catch (ExecutionException e) {
                // Told to the thread that asked for the work.
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return whether the others have not all come, so that it is over} */
    private synchronized boolean leave(int index) {
        if (isComplete) {
            return false;
        }
        waiting.flip(0, loops.size());
        done.completeExceptionally(new IOException("loops " + waiting + " of " + loops.size() + " had no time for "
                + TimeUnit.NANOSECONDS.toMillis(waitNanosMax) + " ms, in which " + index + " waited for them"));
        return true;
    }
}
