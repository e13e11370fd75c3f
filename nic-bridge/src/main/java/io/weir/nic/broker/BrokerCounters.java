package io.weir.nic.broker;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortInfo;
import io.weir.transport.observation.CounterFile;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Gauges;
import io.weir.transport.telemetry.Subject;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a broker's counts can be seen from outside. Two threads write, each values that the other does not: the loop's
 * what it measures, and who watches over the broker the rest.
 */
final class BrokerCounters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerCounters.class);

    /** Null where nobody is to see them. */
    private final CounterFile file;
    /** Null where there is no file. */
    private final Gauges gauges;
    /** Time in cycles with work, at the loop's latest report. */
    private long reportedBusyNanos;
    /** When that was. */
    private long reportedNanos;

    private BrokerCounters(CounterFile file) {
        this.file = file;
        this.gauges = file == null ? null : file.gauges(0);
    }

    /** {@return the counters of a broker that is about to serve} Without a folder nobody sees them. */
    static BrokerCounters open(CounterFolder folder, PortInfo port) {
        if (folder == null) {
            return new BrokerCounters(null);
        }
        CounterFile.Facts facts =
                new CounterFile.Facts(Subject.BROKER, port.name(), port.backend(), port.mode(), port.modeReason(), "");
        try {
            return new BrokerCounters(CounterFile.create(folder, facts, 1, 0));
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "counterFolder={} problem=\"{}\"; weir stat does not see this broker", folder.root(), e.toString());
            return new BrokerCounters(null);
        }
    }

    /** Writes what the loop is at. Its thread. */
    void report(CycleMonitor monitor, FramePool pool, long nowNanos) {
        if (file == null) {
            return;
        }
        long passedMicros = (nowNanos - reportedNanos) / 1_000;
        if (reportedNanos > 0 && passedMicros > 0) {
            gauges.set(GaugeId.DUTY_PPM, (monitor.busyNanos() - reportedBusyNanos) * 1_000 / passedMicros);
        }
        reportedNanos = nowNanos;
        reportedBusyNanos = monitor.busyNanos();
        gauges.set(GaugeId.BUSY_NANOS, reportedBusyNanos);
        gauges.set(GaugeId.LOOP_NANOS, nowNanos);
        gauges.set(GaugeId.FRAMES_FREE, pool.available());
        gauges.set(GaugeId.FRAMES, pool.frameCount());
        gauges.set(GaugeId.PAUSE_COUNT, monitor.stallCount());
        gauges.set(GaugeId.PAUSE_NANOS, monitor.stallNanos());
        gauges.set(GaugeId.PAUSE_NANOS_MAX, monitor.stallNanosMax());
        gauges.set(GaugeId.REPORTED_MILLIS, System.currentTimeMillis());
    }

    /** Writes what the broker has done. One thread, not the loop's. */
    void report(BrokerCounts counts) {
        if (file == null) {
            return;
        }
        gauges.set(GaugeId.CLIENTS, counts.clientCount());
        gauges.set(GaugeId.CLIENTS_SERVED, counts.servedClientCount());
        gauges.set(GaugeId.CLIENT_PAIRS, counts.pairCount());
        gauges.set(GaugeId.CLIENT_FRAMES_DELIVERED, counts.deliveredFrames());
        gauges.set(GaugeId.CLIENT_FRAMES_NO_ROOM, counts.noRoomFrames());
        gauges.set(GaugeId.CLIENT_FRAMES_SENT, counts.sentFrames());
        gauges.set(GaugeId.CLIENT_FRAMES_UNCLAIMED, counts.unclaimedFrames());
        gauges.set(GaugeId.CLIENT_FRAMES_REFUSED, counts.refusedFrames());
    }

    @Override
    public void close() {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("counterFile={} problem=\"cannot be removed: {}\"", file.path(), e.toString());
        }
    }
}
