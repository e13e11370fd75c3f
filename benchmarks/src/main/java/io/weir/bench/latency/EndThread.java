package io.weir.bench.latency;

import io.weir.nic.ffi.Libc;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The application's thread at one end of the link. */
final class EndThread {
    static final int CLIENT_CORE = 0;
    static final int SERVER_CORE = 1;
    /** Do not pin. */
    static final int ANY_CORE = -1;

    private static final long END_SECONDS_MAX = 10;

    private final FutureTask<Void> task;

    private EndThread(FutureTask<Void> task) {
        this.task = task;
    }

    /** What an end does. */
    interface Work {
        void run() throws Exception;
    }

    static EndThread start(String name, int core, Work work) {
        Callable<Void> job = () -> {
            pin(core);
            work.run();
            return null;
        };
        FutureTask<Void> task = new FutureTask<>(job);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return new EndThread(task);
    }

    /** Pins the calling thread. */
    static void pin(int core) {
        if (core != ANY_CORE) {
            Libc.pinThread(core);
        }
    }

    /** Waits for an end that has been told to end, and fails as it did. */
    void join() throws InterruptedException, ExecutionException, TimeoutException {
        task.get(END_SECONDS_MAX, TimeUnit.SECONDS);
    }
}
