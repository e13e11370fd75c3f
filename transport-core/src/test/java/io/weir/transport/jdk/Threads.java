package io.weir.transport.jdk;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Threads that make calls while the test's own makes others. */
final class Threads {
    private Threads() {}

    /** A thread and what it does. */
    record Other<T>(Thread thread, FutureTask<T> work) {}

    static <T> FutureTask<T> inBackground(Callable<T> work) {
        return start(work).work;
    }

    static <T> Other<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "other");
        thread.setDaemon(true);
        thread.start();
        return new Other<>(thread, task);
    }

    /** Starts a virtual thread; the test is compiled for 17. */
    static <T> Other<T> startVirtual(Callable<T> work) throws ReflectiveOperationException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        return new Other<>(thread, task);
    }
}
