package io.weir.cli.perf;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something to do if the process is asked to end before this is cancelled, as by Ctrl-C. */
final class OnExit {
    private static final Logger LOG = LoggerFactory.getLogger(OnExit.class);

    private final Thread hook;

    OnExit(Runnable task) {
        hook = new Thread(task, "weir-perf-exit");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void cancel() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the process is ending already", e);
        }
    }
}
