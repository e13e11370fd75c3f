package io.weir.transport.testing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** What can be observed of a sequence of calls: each one's outcome, under what it was. One thread fills it. */
public final class CallLog {
    private final Map<String, String> outcomes = new LinkedHashMap<>();

    /** A call that gives nothing. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** Notes a value that needs no name: no difference in it is allowed. */
    public void add(Object value) {
        note("#" + (outcomes.size() + 1), value);
    }

    private void note(String call, Object outcome) {
        if (outcomes.putIfAbsent(call, String.valueOf(outcome)) != null) {
            throw new IllegalStateException("two calls are named " + call);
        }
    }

    /** Makes a call, and notes what it gives, or its exception's class. */
    public void tell(String call, Callable<?> made) {
        note(call, outcome(made));
    }

    /** Makes a call, and notes whether it succeeds, or its exception's class. */
    public void run(String call, Action made) {
        note(call, outcome(made));
    }

    /** Waits for what another thread does, and notes what it gives, or its exception's class. */
    public void await(String call, FutureTask<?> other) throws InterruptedException {
        note(call, result(other));
    }

    /** {@return what was noted, in order} */
    public Map<String, String> outcomes() {
        return outcomes;
    }

    /** {@return what a call gives, or its exception's class} */
    public static Object outcome(Callable<?> made) {
        try {
            return made.call();
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    /** {@return whether a call succeeds, or its exception's class} */
    public static Object outcome(Action made) {
        return outcome(() -> {
            made.run();
            return "ok";
        });
    }

    /** {@return what a call gives, or its exception with the message} */
    public static Object failure(Callable<?> made) {
        try {
            return made.call();
        } catch (Exception e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    /** {@return whether a call succeeds, or its exception with the message} */
    public static Object failure(Action made) {
        return failure(() -> {
            made.run();
            return "ok";
        });
    }

    /** {@return what the other thread gave, or its exception's class} */
    public static Object result(FutureTask<?> other) throws InterruptedException {
        try {
            return other.get();
        } catch (ExecutionException e) {
            return e.getCause().getClass().getSimpleName();
        }
    }
}
