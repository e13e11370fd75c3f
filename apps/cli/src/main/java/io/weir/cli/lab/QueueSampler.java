package io.weir.cli.lab;

import io.weir.transport.node.TimedTask;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.switching.QueueMeter;
import io.weir.transport.switching.SwitchPort;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Samples the data queue of a port in windows of 1 ms, from the loop that owns it: a Node without ports, whose
 * time-outs end the windows.
 */
public final class QueueSampler implements TimedTask {
    /** The length of a window, unless the loop is late. */
    public static final long WINDOW_NANOS = 1_000_000;

    private static final long QUEUE_BYTES_MAX = 1L << 32;

    private final SwitchPort port;
    private final Histogram maxima = new Histogram(QUEUE_BYTES_MAX, 4);
    /** The mean of each kept window in bytes, NaN where there was none; written once each by the port's loop. */
    private final double[] keptMeans;
    /** What time kept windows are found by, and when the first of them began. */
    private final LongSupplier keptClock;

    private final long keptFromNanos;
    /** The loops whose stalls count; replaced as a whole by watch(), read by the port's loop. */
    private volatile List<CycleMonitor> monitors = List.of();
    /** Weighs the queue by time from the first time-out on; null before. */
    private QueueMeter meter;
    // When the window at hand began, by the loop's time, and what the meter had summed by then.
    private long windowStartNanos;
    private long byteNanosBefore;
    /** When the window at hand ends; each end moves it on by a window, or to now after a stall. */
    private long windowEndNanos;
    // Since the latest take(): the time of calm windows, and their queue summed over it. Their maxima are in the
    // histogram.
    private long calmNanos;
    private long calmByteNanos;
    // Since then too: windows in or right after which a loop stalled, and the longest queue of them in bytes.
    private long windowsStalled;
    private long bytesMaxStalled;
    // The loops' stalls at the latest window's end, and whether that window had one; the port's loop.
    private long stallCount;
    private boolean wasStalled;

    /** Creates a sampler whose windows are put together by {@link #take}. */
    public QueueSampler(SwitchPort port) {
        this(port, 0, () -> 0);
    }

    /**
     * Creates a sampler that also keeps the means of so many windows, from now on.
     *
     * @param keptClock the time in ns by which they will be found; another loop may have its own
     */
    public QueueSampler(SwitchPort port, int windowsKept, LongSupplier keptClock) {
        this.port = port;
        this.keptClock = keptClock;
        this.keptFromNanos = keptClock.getAsLong();
        this.keptMeans = new double[windowsKept];
        Arrays.fill(keptMeans, Double.NaN);
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
                calmNanos > 0 ? calmByteNanos / calmNanos : null,
                windowsStalled > 0 ? bytesMaxStalled : null);
        maxima.reset();
        calmNanos = 0;
        calmByteNanos = 0;
        windowsStalled = 0;
        bytesMaxStalled = 0;
        port.takeDataQueueBytesMax();
        return stats;
    }

    /** {@return the kept window of a time} */
    public int windowOf(long atNanos) {
        return (int) ((atNanos - keptFromNanos) / WINDOW_NANOS);
    }

    /** {@return the mean of a kept window in bytes, or NaN when the loop was away; for when the loop has ended} */
    public double meanBytes(int window) {
        return window < keptMeans.length ? keptMeans[window] : Double.NaN;
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (meter == null) {
            meter = new QueueMeter(port.dataQueueBytes(), nowNanos);
            port.setQueueMeter(meter);
        } else {
            endWindow(nowNanos);
        }
        windowStartNanos = nowNanos;
        byteNanosBefore = meter.byteNanos();
        windowEndNanos = Math.max(windowEndNanos + WINDOW_NANOS, nowNanos);
    }

    private void endWindow(long nowNanos) {
        meter.settle(nowNanos);
        long nanos = nowNanos - windowStartNanos;
        long byteNanos = meter.byteNanos() - byteNanosBefore;
        long bytesMax = port.takeDataQueueBytesMax();
        boolean isStalled = takeStalls();
        // What piled up while a loop was away arrives in the window after it came back.
        if (isStalled || wasStalled) {
            windowsStalled++;
            bytesMaxStalled = Math.max(bytesMaxStalled, bytesMax);
        } else {
            maxima.recordValue(Math.min(bytesMax, QUEUE_BYTES_MAX));
            calmNanos += nanos;
            calmByteNanos += byteNanos;
        }
        wasStalled = isStalled;
        keep(nanos, (double) byteNanos / nanos);
    }

    /** {@return whether a watched loop has stalled since this was asked last} */
    private boolean takeStalls() {
        long stallCountNow = 0;
        List<CycleMonitor> watched = monitors;
        for (int i = 0; i < watched.size(); i++) {
            stallCountNow += watched.get(i).stallCount();
        }
        boolean isStalled = stallCountNow != stallCount;
        stallCount = stallCountNow;
        return isStalled;
    }

    /** A window that lasted longer, because the loop was away, is several, of which none has a mean. */
    private void keep(long nanos, double bytesMean) {
        if (keptMeans.length > 0 && nanos < 2 * WINDOW_NANOS) {
            int middle = windowOf(keptClock.getAsLong() - nanos / 2);
            if (middle < keptMeans.length) {
                keptMeans[middle] = bytesMean;
            }
        }
    }

    @Override
    public long nextTimeoutNanos() {
        return windowEndNanos;
    }
}
