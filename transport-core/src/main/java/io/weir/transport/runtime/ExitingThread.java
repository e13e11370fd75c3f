package io.weir.transport.runtime;

/**
 * Finds out whether a thread has called {@link System#exit}, which never returns: it waits there for the shutdown
 * hooks, and those for it if they need what it does.
 */
final class ExitingThread {
    private ExitingThread() {}

    /**
     * {@return whether a thread waits in {@link Runtime#exit} or for its lock} Costs a look at its state while it runs,
     * and its stack while it does not.
     */
    static boolean is(Thread thread) {
        Thread.State state = thread.getState();
        if (state == Thread.State.RUNNABLE || state == Thread.State.NEW || state == Thread.State.TERMINATED) {
            return false;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(Runtime.class.getName())
                    && frame.getMethodName().equals("exit")) {
                return true;
            }
        }
        return false;
    }
}
