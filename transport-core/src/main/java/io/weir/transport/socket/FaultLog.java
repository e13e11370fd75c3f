package io.weir.transport.socket;

import io.weir.transport.host.Connection;
import io.weir.transport.host.FaultListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the application's listener of every fault, keeps each kind where others can read it, and logs each kind once: a
 * handler that fails for every connection would fill the disk. All loops of a transport share it, each on its thread.
 */
final class FaultLog implements FaultListener {
    private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);
    private static final int KINDS_MAX = 64;

    private final String loopName;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    /** Null where faults are only logged; written by any thread. */
    private volatile FaultListener listener;

    private final TransportCounters counters;

    FaultLog(String loopName, TransportCounters counters) {
        this.loopName = loopName;
        this.counters = counters;
    }

    void setListener(FaultListener newListener) {
        listener = newListener;
    }

    @Override
    public void onFault(Connection connection, Throwable problem) {
        log(connection, problem);
        FaultListener told = listener;
        if (told != null) {
            try {
                told.onFault(connection, problem);
            } catch (RuntimeException | AssertionError e) {
                log(connection, e);
            }
        }
    }

    private void log(Connection connection, Throwable problem) {
        counters.record(problem);
        StackTraceElement[] trace = problem.getStackTrace();
        String kind = problem.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
        if (logged.size() < KINDS_MAX && logged.add(kind)) {
            LOG.warn(
                    "loop={} fault of the application in {}; the next ones of this kind are only counted",
                    loopName,
                    connection == null ? "a task" : "a callback of " + connection.path(),
                    problem);
        }
    }
}
