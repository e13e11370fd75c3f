package io.weir.nic.switching;

import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.observation.CounterFile;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Gauges;
import io.weir.transport.telemetry.IngressField;
import io.weir.transport.telemetry.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a switch's counts can be seen from outside: a file for the switch and one for each of its ports. The loop's
 * thread writes them about once a second; files come and go by other threads, with the ports.
 */
final class SwitchCounters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchCounters.class);
    /** What the switch itself is called, next to the names of interfaces. */
    private static final String SWITCH = "switch";

    private static final CounterId[] IDS = CounterId.values();

    /** Null where nobody is to see them. */
    private final CounterFolder folder;
    /** Of the switch; null where there is none. */
    private final Entry own;
    /** In the order of the ports; replaced as a whole. */
    private volatile List<Entry> ports = List.of();
    /** Frames that had come and gone at the latest report. The loop's thread writes it. */
    private volatile long reportedSum = -1;
    /** Time of the loop in cycles with work, at the latest report. */
    private long reportedBusyNanos;
    /** When the latest report was. */
    private long reportedNanos;

    /** A file, and what the loop writes there. */
    private record Entry(String name, CounterFile file, Counters counters, Gauges gauges, FlowTable ingress) {
        static Entry create(CounterFolder folder, CounterFile.Facts facts, int rows) throws IOException {
            CounterFile file = CounterFile.create(folder, facts, 1, rows);
            return new Entry(facts.interfaceName(), file, file.counters(0), file.gauges(0), file.flows(0));
        }

        /** Shows what others count. */
        void copy(Counters from) {
            for (CounterId id : IDS) {
                counters.add(id, from.get(id) - counters.get(id));
            }
        }
    }

    private SwitchCounters(CounterFolder folder, Entry own) {
        this.folder = folder;
        this.own = own;
    }

    /** {@return the counters of a switch that is about to start} Without a folder nobody sees them. */
    static SwitchCounters open(CounterFolder folder) {
        if (folder != null) {
            try {
                CounterFile.Facts facts = new CounterFile.Facts(Subject.SWITCH, SWITCH, "", "", "", "");
                return new SwitchCounters(folder, Entry.create(folder, facts, 0));
            } catch (IOException | RuntimeException e) {
                warn(folder, e);
            }
        }
        return new SwitchCounters(null, null);
    }

    private static void warn(CounterFolder folder, Exception problem) {
        LOG.warn(
                "counterFolder={} problem=\"{}\"; weir stat does not see all of this switch",
                folder.root(),
                problem.toString());
    }

    /** The switch has these ports from now on. Not the loop's thread: files are made. */
    void setPorts(List<PortInfo> infos) {
        if (own == null) {
            return;
        }
        List<Entry> before = ports;
        List<Entry> after = new ArrayList<>();
        for (PortInfo info : infos) {
            Entry entry = entryOf(before, info.name(), infos.size());
            if (entry == null) {
                entry = create(info, infos.size());
            }
            if (entry != null) {
                after.add(entry);
            }
        }
        ports = List.copyOf(after);
        before.stream().filter(entry -> !after.contains(entry)).forEach(SwitchCounters::remove);
    }

    private Entry create(PortInfo info, int portCount) {
        CounterFile.Facts facts = new CounterFile.Facts(
                Subject.SWITCH_PORT, info.name(), info.backend(), info.mode(), info.modeReason(), "");
        try {
            return Entry.create(folder, facts, portCount);
        } catch (IOException | RuntimeException e) {
            warn(folder, e);
            return null;
        }
    }

    /** {@return the entry of a port that can show so many others, or null} */
    private static Entry entryOf(List<Entry> entries, String name, int rows) {
        for (Entry entry : entries) {
            if (entry.name().equals(name) && entry.ingress().rowCount() == rows) {
                return entry;
            }
        }
        return null;
    }

    private static void remove(Entry entry) {
        try {
            entry.file().close();
        } catch (IOException e) {
            LOG.warn(
                    "counterFile={} problem=\"cannot be removed: {}\"",
                    entry.file().path(),
                    e.toString());
        }
    }

    // ---- what the loop writes

    /** {@return whether frames have moved since the latest report} Any thread. */
    boolean isBehind(SwitchPipeline pipeline, List<Counters> portCounters) {
        return own != null && movedCount(pipeline, portCounters) != reportedSum;
    }

    private static long movedCount(SwitchPipeline pipeline, List<Counters> portCounters) {
        long sum = pipeline.counters().get(CounterId.FRAMES_RECEIVED);
        for (Counters counters : portCounters) {
            sum += counters.get(CounterId.FRAMES_SENT);
        }
        return sum;
    }

    /** Writes what the switch itself is at. The loop's thread. */
    void report(SwitchPipeline pipeline, List<Counters> portCounters, CycleMonitor monitor, long nowNanos) {
        if (own == null) {
            return;
        }
        reportedSum = movedCount(pipeline, portCounters);
        own.copy(pipeline.counters());
        Gauges gauges = own.gauges();
        long passedMicros = (nowNanos - reportedNanos) / 1_000;
        if (reportedNanos > 0 && passedMicros > 0) {
            gauges.set(GaugeId.DUTY_PPM, (monitor.busyNanos() - reportedBusyNanos) * 1_000 / passedMicros);
        }
        reportedNanos = nowNanos;
        reportedBusyNanos = monitor.busyNanos();
        gauges.set(GaugeId.BUSY_NANOS, reportedBusyNanos);
        gauges.set(GaugeId.LOOP_NANOS, nowNanos);
        gauges.set(GaugeId.FRAMES_FREE, pipeline.pool().available());
        gauges.set(GaugeId.FRAMES, pipeline.pool().frameCount());
        gauges.set(GaugeId.PAUSE_COUNT, monitor.stallCount());
        gauges.set(GaugeId.PAUSE_NANOS, monitor.stallNanos());
        gauges.set(GaugeId.PAUSE_NANOS_MAX, monitor.stallNanosMax());
        gauges.set(GaugeId.REPORTED_MILLIS, System.currentTimeMillis());
    }

    /** Writes what one of its ports is at. The loop's thread; a port that has no file yet is passed over. */
    void report(int number, String name, SwitchPort port, NetPort netPort, long nowNanos) {
        List<Entry> entries = ports;
        Entry entry = number < entries.size() ? entries.get(number) : null;
        if (entry == null || !entry.name().equals(name)) {
            return;
        }
        entry.copy(port.counters());
        Gauges gauges = entry.gauges();
        gauges.set(GaugeId.PORT_NUMBER, number);
        gauges.set(GaugeId.LINK_RATE_BPS, port.config().linkRateBps());
        gauges.set(GaugeId.DATA_QUEUE_BYTES, port.dataQueueBytes());
        gauges.set(GaugeId.DATA_QUEUE_BYTES_MAX, port.dataQueueBytesMax());
        gauges.set(GaugeId.CREDIT_QUEUE_FRAMES, port.creditQueueFrames());
        gauges.set(GaugeId.CREDIT_QUEUE_FRAMES_MAX, port.creditQueueFramesMax());
        gauges.set(GaugeId.FRAMES_LOST, netPort.lostFrames());
        writeIngress(entry.ingress(), port, nowNanos);
        gauges.set(GaugeId.REPORTED_MILLIS, System.currentTimeMillis());
    }

    private static void writeIngress(FlowTable rows, SwitchPort port, long nowNanos) {
        long[] queued = port.dataQueuedByIngress();
        long[] dropped = port.dataDroppedByIngress();
        long[] offered = port.creditsOfferedByIngress();
        long[] creditsDropped = port.creditsDroppedByIngress();
        rows.begin();
        int shown = Math.min(rows.rowCount(), queued.length);
        for (int row = 0; row < shown; row++) {
            rows.set(row, IngressField.IS_USED, 1);
            rows.set(row, IngressField.DATA_QUEUED, queued[row]);
            rows.set(row, IngressField.DATA_DROPPED, dropped[row]);
            rows.set(row, IngressField.CREDITS_OFFERED, offered[row]);
            rows.set(row, IngressField.CREDITS_DROPPED, creditsDropped[row]);
        }
        rows.end(queued.length - shown, nowNanos);
    }

    @Override
    public void close() {
        List<Entry> before = ports;
        ports = List.of();
        before.forEach(SwitchCounters::remove);
        if (own != null) {
            remove(own);
        }
    }
}
