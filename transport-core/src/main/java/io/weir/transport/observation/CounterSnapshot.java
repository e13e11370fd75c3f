package io.weir.transport.observation;

import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.IngressField;
import io.weir.transport.telemetry.Subject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.CountersReader;

/**
 * What a transport, a switch's port or a broker counted until one moment.
 *
 * @param processId its process
 * @param openedMillis when it was opened, in milliseconds since 1970
 * @param facts what it said about itself when it was opened
 * @param loops what each of its loops counted
 * @param errors what went wrong, each kind once
 */
public record CounterSnapshot(
        long processId, long openedMillis, CounterFile.Facts facts, List<Loop> loops, List<ErrorRecord> errors) {
    /**
     * What went wrong.
     *
     * @param count how often
     * @param firstMillis when first, in milliseconds since 1970
     * @param lastMillis when last
     * @param text what it says, with its stack
     */
    public record ErrorRecord(int count, long firstMillis, long lastMillis, String text) {}

    /**
     * What a loop counted.
     *
     * @param counters counts by name, those that are 0 too
     * @param gauges what it measured at its latest report, by name
     * @param flows connections as of that report
     * @param omittedFlows connections without a row
     */
    public record Loop(Map<String, Long> counters, Map<String, Long> gauges, List<Flow> flows, long omittedFlows) {}

    /** A connection, or what came to a switch's port by another one, as of its loop's latest report. */
    public static final class Flow {
        private final long[] values;

        /** Creates one of values by {@link FlowField#ordinal}. */
        private Flow(long[] values) {
            this.values = values;
        }

        /** {@return a value} */
        public long get(FlowField field) {
            return values[field.ordinal()];
        }

        /** {@return a value of a switch's port} */
        public long get(IngressField field) {
            return values[field.ordinal()];
        }
    }

    public CounterSnapshot {
        loops = List.copyOf(loops);
        errors = List.copyOf(errors);
    }

    private static final Map<String, GaugeId> GAUGES =
            Arrays.stream(GaugeId.values()).collect(Collectors.toMap(GaugeId::name, Function.identity()));

    /** {@return whether everything that the header tells of is there} The content has a header. */
    static boolean isWhole(ByteBuffer content) {
        long loops = content.getInt(CounterFileLayout.LOOPS_OFFSET);
        long metadataBytes = content.getInt(CounterFileLayout.METADATA_BYTES_OFFSET);
        long valuesBytes = content.getInt(CounterFileLayout.VALUES_BYTES_OFFSET);
        long rows = content.getInt(CounterFileLayout.FLOW_ROWS_OFFSET);
        long errorsBytes = content.getInt(CounterFileLayout.ERRORS_BYTES_OFFSET);
        boolean isPossible = loops >= 1
                && loops <= CounterFileLayout.LOOPS_MAX
                && metadataBytes >= 0
                && metadataBytes % CountersReader.METADATA_LENGTH == 0
                && valuesBytes == metadataBytes / (CountersReader.METADATA_LENGTH / CountersReader.COUNTER_LENGTH)
                && rows >= 0
                && rows <= CounterFileLayout.FLOW_ROWS_MAX
                && errorsBytes >= 0
                && errorsBytes <= CounterFileLayout.ERRORS_BYTES_MAX
                && content.getInt(CounterFileLayout.ROW_BYTES_OFFSET) == FlowTable.ROW_BYTES;
        return isPossible
                && CounterFileLayout.HEADER_BYTES
                                + metadataBytes
                                + valuesBytes
                                + loops * (FlowTable.HEADER_BYTES + rows * FlowTable.ROW_BYTES + Long.BYTES)
                                + errorsBytes
                        == content.limit()
                && content.getLong(CounterFileLayout.FILE_BYTES_OFFSET) == content.limit();
    }

    /** {@return whether no loop wrote its table of connections while the content was copied} It is whole. */
    static boolean isSteady(ByteBuffer content) {
        int rows = content.getInt(CounterFileLayout.FLOW_ROWS_OFFSET);
        int at = CounterFileLayout.HEADER_BYTES
                + content.getInt(CounterFileLayout.METADATA_BYTES_OFFSET)
                + content.getInt(CounterFileLayout.VALUES_BYTES_OFFSET);
        for (int i = 0; i < content.getInt(CounterFileLayout.LOOPS_OFFSET); i++) {
            if (content.getLong(at + FlowTable.END_OFFSET) != content.getLong(at + FlowTable.beginOffset(rows))) {
                return false;
            }
            at += FlowTable.bytes(rows);
        }
        return true;
    }

    /** {@return what is in a file that is whole} Damage inside it makes values wrong, and nothing worse. */
    static CounterSnapshot of(ByteBuffer content) {
        List<Loop> loops = new ArrayList<>();
        int metadataBytes = content.getInt(CounterFileLayout.METADATA_BYTES_OFFSET);
        int valuesBytes = content.getInt(CounterFileLayout.VALUES_BYTES_OFFSET);
        int rows = content.getInt(CounterFileLayout.FLOW_ROWS_OFFSET);
        int flowBytes = FlowTable.bytes(rows);
        int flowsOffset = CounterFileLayout.HEADER_BYTES + metadataBytes + valuesBytes;
        for (int i = 0; i < content.getInt(CounterFileLayout.LOOPS_OFFSET); i++) {
            int at = flowsOffset + i * flowBytes;
            loops.add(new Loop(
                    new LinkedHashMap<>(),
                    new LinkedHashMap<>(),
                    flows(content, at, at + FlowTable.beginOffset(rows)),
                    content.getLong(at + FlowTable.OMITTED_OFFSET)));
        }
        for (int i = 0; i < metadataBytes / CountersReader.METADATA_LENGTH; i++) {
            addCounter(content, i, CounterFileLayout.HEADER_BYTES + metadataBytes, loops);
        }
        return new CounterSnapshot(
                content.getLong(CounterFileLayout.PROCESS_ID_OFFSET),
                content.getLong(CounterFileLayout.OPENED_MILLIS_OFFSET),
                new CounterFile.Facts(
                        subject(content),
                        text(content, CounterFileLayout.INTERFACE_OFFSET, CounterFileLayout.BACKEND_OFFSET),
                        text(content, CounterFileLayout.BACKEND_OFFSET, CounterFileLayout.MODE_OFFSET),
                        text(content, CounterFileLayout.MODE_OFFSET, CounterFileLayout.MODE_REASON_OFFSET),
                        text(content, CounterFileLayout.MODE_REASON_OFFSET, CounterFileLayout.PROTOCOLS_OFFSET),
                        text(content, CounterFileLayout.PROTOCOLS_OFFSET, CounterFileLayout.HEADER_BYTES)),
                loops,
                errors(content));
    }

    /** {@return who counts there; a transport where the file is damaged} */
    private static Subject subject(ByteBuffer content) {
        Subject[] subjects = Subject.values();
        int number = content.getInt(CounterFileLayout.SUBJECT_OFFSET);
        return subjects[number >= 0 && number < subjects.length ? number : 0];
    }

    /** {@return the log at the end of the content; what is damaged there is left out} */
    private static List<ErrorRecord> errors(ByteBuffer content) {
        int bytes = content.getInt(CounterFileLayout.ERRORS_BYTES_OFFSET);
        byte[] copy = new byte[bytes];
        content.get(content.limit() - bytes, copy);
        List<ErrorRecord> errors = new ArrayList<>();
        UnsafeBuffer log = new UnsafeBuffer(copy);
        endBeforeDamage(log);
        ErrorLogReader.read(log, (count, first, last, text) -> errors.add(new ErrorRecord(count, first, last, text)));
        return errors;
    }

    /** Ends a log before the first length that cannot be: Agrona's reader believes each. */
    private static void endBeforeDamage(UnsafeBuffer log) {
        int at = 0;
        while (at <= log.capacity() - DistinctErrorLog.ENCODED_ERROR_OFFSET) {
            int length = log.getInt(at + DistinctErrorLog.LENGTH_OFFSET);
            if (length < DistinctErrorLog.ENCODED_ERROR_OFFSET || length > log.capacity() - at) {
                log.putInt(at + DistinctErrorLog.LENGTH_OFFSET, 0);
                return;
            }
            at += BitUtil.align(length, DistinctErrorLog.RECORD_ALIGNMENT);
        }
        if (at < log.capacity()) {
            log.setMemory(at, log.capacity() - at, (byte) 0);
        }
    }

    private static void addCounter(ByteBuffer content, int id, int valuesOffset, List<Loop> loops) {
        int record = CounterFileLayout.HEADER_BYTES + id * CountersReader.METADATA_LENGTH;
        if (content.getInt(record) != CountersReader.RECORD_ALLOCATED) {
            return;
        }
        int key = record + CountersReader.KEY_OFFSET;
        int loop = content.getInt(key + CounterFileLayout.KEY_LOOP_OFFSET);
        if (loop < 0 || loop >= loops.size()) {
            return;
        }
        String name = text(content, key + CounterFileLayout.KEY_NAME_OFFSET, key + CountersReader.MAX_KEY_LENGTH);
        boolean isGauge = content.getInt(key + CounterFileLayout.KEY_GAUGE_OFFSET) != 0;
        if (isGauge && !isOf(name, subject(content))) {
            return;
        }
        Map<String, Long> values =
                isGauge ? loops.get(loop).gauges() : loops.get(loop).counters();
        values.put(name, content.getLong(valuesOffset + id * CountersReader.COUNTER_LENGTH));
    }

    /** {@return whether a subject has a gauge; one that this build does not know is shown} */
    private static boolean isOf(String gauge, Subject subject) {
        GaugeId known = GAUGES.get(gauge);
        return known == null || known.isOf(subject);
    }

    private static String text(ByteBuffer content, int offset, int end) {
        int length = Math.max(0, Math.min(content.getInt(offset), end - offset - Integer.BYTES));
        byte[] bytes = new byte[length];
        content.get(offset + Integer.BYTES, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<Flow> flows(ByteBuffer content, int offset, int end) {
        List<Flow> flows = new ArrayList<>();
        for (int row = offset + FlowTable.HEADER_BYTES; row < end; row += FlowTable.ROW_BYTES) {
            long[] values = new long[FlowField.values().length];
            for (int i = 0; i < values.length; i++) {
                values[i] = content.getLong(row + i * Long.BYTES);
            }
            if (values[FlowField.IP_VERSION.ordinal()] != FlowTable.UNUSED) {
                flows.add(new Flow(values));
            }
        }
        return flows;
    }

    /** {@return a counter, all loops together; 0 where there is none of that name} */
    public long counter(String name) {
        return loops.stream()
                .mapToLong(loop -> loop.counters().getOrDefault(name, 0L))
                .sum();
    }

    /** {@return a gauge, all loops together; 0 where there is none of that name} */
    public long gauge(String name) {
        return loops.stream()
                .mapToLong(loop -> loop.gauges().getOrDefault(name, 0L))
                .sum();
    }

    /** {@return the largest value of a gauge among the loops} */
    public long gaugeMax(String name) {
        return loops.stream()
                .mapToLong(loop -> loop.gauges().getOrDefault(name, 0L))
                .max()
                .orElse(0);
    }
}
