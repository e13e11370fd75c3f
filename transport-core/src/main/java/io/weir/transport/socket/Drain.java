package io.weir.transport.socket;

import io.weir.transport.host.HostStack;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.LoopTask;
import java.util.concurrent.RejectedExecutionException;

/** Ends a host's connections in order, and then its loop. Runs in the loop's cycles. */
final class Drain implements LoopTask {
    /** How long the last frames may take to leave, once nobody waits for anything else. */
    private static final long FLUSH_NANOS_MAX = 100_000_000;

    private final EventLoop loop;
    private final HostStack host;
    private final long drainNanos;
    /** When the last connection was gone, or -1. */
    private long flushNanos = -1;

    Drain(EventLoop loop, HostStack host, long drainNanos) {
        this.loop = loop;
        this.host = host;
        this.drainNanos = drainNanos;
    }

    @Override
    public void run(long nowNanos) {
        host.leaveWithin(drainNanos);
        onForgotten(nowNanos);
    }

    /** A connection is gone. If it was the last one, only frames are left. */
    void onForgotten(long nowNanos) {
        if (flushNanos < 0 && host.connectionCount() == 0) {
            flushNanos = nowNanos;
            flushLater();
        }
    }

    private void flushLater() {
        try {
            loop.offer(this::flush);
        } catch (RejectedExecutionException e) {
            // So many tasks wait that none more fits: the loop ends without the last frames.
            loop.close();
        }
    }

    /** Once per cycle: resets have been written, and leave when the link is free. */
    private void flush(long nowNanos) {
        if (host.hasLeft() || nowNanos - flushNanos >= FLUSH_NANOS_MAX) {
            loop.close();
        } else {
            flushLater();
        }
    }
}
