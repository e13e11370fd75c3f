package io.weir.transport.socket;

import io.weir.transport.host.HostStack;
import io.weir.transport.runtime.LoopTask;

/** A task of the application's: the host is told the time first. */
record HostTask(HostStack host, LoopTask task) implements LoopTask {
    @Override
    public void run(long nowNanos) {
        host.tick(nowNanos);
        task.run(nowNanos);
    }

    @Override
    public void onLoopEnded(Throwable failure) {
        task.onLoopEnded(failure);
    }
}
