package io.weir.cli.fabric;

import io.weir.transport.node.TimedTask;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.switching.SwitchPort;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Samples the data queue of a port, from the loop that owns it: a Node without ports, whose time-outs end the windows.
 */
final class QueueSampler implements TimedTask {
    private static final long WINDOW_NANOS = 1_000_000;
    private static final long QUEUE_BYTES_MAX = 1L << 32;

    private final SwitchPort port;
    private final Histogram maxima = new Histogram(QUEUE_BYTES_MAX, 4);
    /** The loops whose stalls count; replaced as a whole by watch(), read by the port's loop. */
    private volatile List<CycleMonitor> monitors = List.of();
    /** When the window at hand ends; each end moves it on by a window, or to now after a stall. */
    private long windowEndNanos;
    // Since the latest take(): windows in or after which a loop stalled, and the longest queue of them in bytes. The
    // other windows are in the histogram.
    private long windowsStalled;
    private long bytesMaxStalled;
    // The loops' stalls at the latest window's end, and whether that window had one; the port's loop.
    private long stallCount;
    private boolean wasStalled;

    QueueSampler(SwitchPort port) {
        this.port = port;
    }

    /** Sets whose stalls make a window count apart. Any thread. */
    void watch(List<CycleMonitor> loops) {
        monitors = List.copyOf(loops);
    }

    /** {@return what was sampled since the last call}, and begins again. */
    QueueStats take() {
        boolean hasMaxima = maxima.getTotalCount() > 0;
        QueueStats stats = new QueueStats(
                WINDOW_NANOS,
                maxima.getTotalCount() + windowsStalled,
                windowsStalled,
                hasMaxima ? maxima.getValueAtPercentile(99.9) : null,
                hasMaxima ? maxima.getMaxValue() : null,
                windowsStalled > 0 ? bytesMaxStalled : null);
        maxima.reset();
        windowsStalled = 0;
        bytesMaxStalled = 0;
        port.takeDataQueueBytesMax();
        return stats;
    }

    @Override
    public void onTimeout(long nowNanos) {
        long bytesMax = port.takeDataQueueBytesMax();
        long stallCountNow = 0;
        List<CycleMonitor> watched = monitors;
        for (int i = 0; i < watched.size(); i++) {
            stallCountNow += watched.get(i).stallCount();
        }
        boolean isStalled = stallCountNow != stallCount;
        // What piled up while a loop was away arrives in the window after it came back.
        if (isStalled || wasStalled) {
            windowsStalled++;
            bytesMaxStalled = Math.max(bytesMaxStalled, bytesMax);
        } else {
            maxima.recordValue(Math.min(bytesMax, QUEUE_BYTES_MAX));
        }
        stallCount = stallCountNow;
        wasStalled = isStalled;
        windowEndNanos = Math.max(windowEndNanos + WINDOW_NANOS, nowNanos);
    }

    @Override
    public long nextTimeoutNanos() {
        return windowEndNanos;
    }
}
