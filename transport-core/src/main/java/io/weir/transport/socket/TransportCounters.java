package io.weir.transport.socket;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostReport;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.PortInfo;
import io.weir.transport.observation.CounterFile;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.observation.TraceFile;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.LoopReport;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Gauges;
import io.weir.transport.telemetry.Subject;
import io.weir.transport.telemetry.TraceRing;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a transport counts: in a file that others may read, or, where there is none, in memory of the process alone.
 */
final class TransportCounters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransportCounters.class);
    /** One warning for all transports of the process: what one lacks they all lack. */
    private static final AtomicBoolean HAS_WARNED = new AtomicBoolean();

    private static final String MEMORY_BACKEND = "memory";
    private static final long MILLION = 1_000_000;

    /** Null where nobody looks from outside. */
    private final CounterFile file;
    /** What each loop measures, in the order in which loops were made. */
    private final List<Gauges> gauges = new CopyOnWriteArrayList<>();

    private final TransportRecorder recorder;

    /** Null where JMX does not tell of the transport; written by who opens it, and by the loop that stops last. */
    private volatile TransportBean bean;

    private TransportCounters(CounterFile file, TransportRecorder recorder) {
        this.file = file;
        this.recorder = recorder;
    }

    private static Gauges newGauges() {
        return new Gauges(new UnsafeBuffer(new byte[GaugeId.values().length * Long.BYTES]), Long.BYTES);
    }

    /** {@return counters that nobody sees from outside, of a transport by this port, or null} */
    static TransportCounters none(PortInfo port) {
        return new TransportCounters(null, TransportRecorder.withoutFrames(port));
    }

    /**
     * {@return the counters of a transport that is about to open, and what records its frames} A port in memory, which
     * only this process has, has a file where a property names the folder.
     *
     * @param properties finds the value of a property, or null; {@code System::getProperty}
     */
    static TransportCounters open(
            PortInfo port, TransportConfig config, int loopCount, UnaryOperator<String> properties) {
        int tracedFrames = TraceFile.framesWanted(properties);
        CounterFolder folder = CounterFolder.of(properties);
        boolean isAskedFor = properties.apply(CounterFolder.PROPERTY) != null;
        if (folder == null || (!isAskedFor && port.backend().equals(MEMORY_BACKEND))) {
            return none(port);
        }
        String protocols = config.protocols().stream()
                .map(protocol -> protocol.id().name() + ":" + protocol.id().code())
                .distinct()
                .collect(Collectors.joining(" "));
        CounterFile.Facts facts = CounterFile.Facts.of(Subject.TRANSPORT, port, protocols);
        try {
            CounterFile file = CounterFile.create(folder, facts, loopCount);
            return new TransportCounters(file, TransportRecorder.open(port, file, loopCount, tracedFrames));
        } catch (IOException | RuntimeException e) {
            if (HAS_WARNED.compareAndSet(false, true)) {
                LOG.warn(
                        "counterFolder={} problem=\"{}\"; weir stat does not see this process's transports",
                        folder.root(),
                        e.toString());
            }
            return none(port);
        }
    }

    /** {@return what records the transport's frames and events} */
    TransportRecorder recorder() {
        return recorder;
    }

    /** {@return where a loop's host counts} */
    Counters ofLoop(int index) {
        return file == null ? new Counters() : file.counters(index);
    }

    /** {@return what a loop reports to} */
    LoopReport report(int index, HostStack host, FramePool pool, TraceRing trace) {
        Gauges ofLoop = file == null ? newGauges() : file.gauges(index);
        gauges.add(ofLoop);
        LoopReport report = new Report(host, pool, ofLoop, file == null ? noFlows() : file.flows(index));
        return trace == null
                ? report
                : (monitor, nowNanos) -> {
                    report.onReport(monitor, nowNanos);
                    trace.keepEpoch(System.currentTimeMillis(), nowNanos);
                };
    }

    private static FlowTable noFlows() {
        return new FlowTable(new UnsafeBuffer(new byte[FlowTable.bytes(0)]));
    }

    /** {@return what the loops measured at their latest reports: the sum, or the largest where a sum says nothing} */
    long gauge(GaugeId id) {
        long all = 0;
        for (Gauges ofLoop : gauges) {
            all = id.isLargest() ? Math.max(all, ofLoop.get(id)) : all + ofLoop.get(id);
        }
        return all;
    }

    /** Tells of the transport by JMX, where that is wanted. */
    void tellByJmx(PortInfo port, Counters counters) {
        if (TransportBean.isWanted(System::getProperty)) {
            bean = TransportBean.register(port, counters, this::gauge);
        }
    }

    /** Keeps a problem where others can read it. Any thread. */
    void record(Throwable problem) {
        if (file != null) {
            file.record(problem);
        }
    }

    /** Removes the file, once no loop runs any more. The counters can still be read within the process. */
    @Override
    public void close() {
        TransportBean told = bean;
        bean = null;
        if (told != null) {
            told.close();
        }
        if (file == null) {
            return;
        }
        try {
            recorder.close();
            file.close();
        } catch (IOException e) {
            LOG.warn("counterFile={} problem=\"cannot be removed: {}\"", file.path(), e.toString());
        }
    }

    /** Writes what a loop is at. Within a cycle of it; no allocation. */
    private static final class Report implements LoopReport {
        private final HostStack host;
        private final HostReport report;
        private final FramePool pool;
        private final Gauges gauges;
        private final FlowTable flows;
        /** The loop's time at the latest report, or -1 before the first. */
        private long reportedNanos = -1;
        /** The loop's busy time then. */
        private long reportedBusyNanos;
        /** Wire bytes sent by then. */
        private long reportedSentBytes;
        /** Wire bytes received by then. */
        private long reportedReceivedBytes;

        Report(HostStack host, FramePool pool, Gauges gauges, FlowTable flows) {
            this.host = host;
            this.report = new HostReport(host);
            this.pool = pool;
            this.gauges = gauges;
            this.flows = flows;
        }

        @Override
        public void onReport(CycleMonitor monitor, long nowNanos) {
            long busyNanos = monitor.busyNanos();
            long sentBytes = host.counters().get(CounterId.WIRE_BYTES_SENT);
            long receivedBytes = host.counters().get(CounterId.WIRE_BYTES_RECEIVED);
            long passedMicros = (nowNanos - reportedNanos) / 1_000;
            if (reportedNanos >= 0 && passedMicros > 0) {
                gauges.set(GaugeId.DUTY_PPM, (busyNanos - reportedBusyNanos) * 1_000 / passedMicros);
                gauges.set(GaugeId.SEND_RATE_BPS, rateBps(sentBytes - reportedSentBytes, passedMicros));
                gauges.set(GaugeId.RECEIVE_RATE_BPS, rateBps(receivedBytes - reportedReceivedBytes, passedMicros));
            }
            reportedNanos = nowNanos;
            reportedBusyNanos = busyNanos;
            reportedSentBytes = sentBytes;
            reportedReceivedBytes = receivedBytes;
            gauges.set(GaugeId.BUSY_NANOS, busyNanos);
            gauges.set(GaugeId.LOOP_NANOS, nowNanos);
            gauges.set(GaugeId.FRAMES_FREE, pool.available());
            gauges.set(GaugeId.FRAMES, pool.frameCount());
            gauges.set(GaugeId.LINK_RATE_BPS, host.config().link().rateBps());
            gauges.set(GaugeId.PAUSE_COUNT, monitor.stallCount());
            gauges.set(GaugeId.PAUSE_NANOS, monitor.stallNanos());
            gauges.set(GaugeId.PAUSE_NANOS_MAX, monitor.stallNanosMax());
            report.write(gauges, flows, nowNanos);
            // Last, so that who sees it sees the others.
            gauges.set(GaugeId.REPORTED_MILLIS, System.currentTimeMillis());
        }

        private static long rateBps(long bytes, long micros) {
            return bytes * Byte.SIZE * MILLION / micros;
        }
    }
}
