package io.weir.transport.socket;

import io.weir.transport.host.Connection;
import io.weir.transport.host.FaultListener;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each kind of fault once: a handler that fails for every connection would fill the disk. Loop thread. */
final class FaultLog implements FaultListener {
    private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);
    private static final int KINDS_MAX = 64;

    private final String loopName;
    private final Set<String> logged = new HashSet<>();

    FaultLog(String loopName) {
        this.loopName = loopName;
    }

    @Override
    public void onFault(Connection connection, Throwable problem) {
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
