package io.weir.transport.observation;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import org.agrona.concurrent.status.CountersReader;

/**
 * Where things stand in a counter file: a header, the metadata and the values of Agrona's {@code CountersReader}, a
 * {@link FlowTable} for each loop, and Agrona's {@code DistinctErrorLog}. All numbers are in the machine's byte order,
 * which on those that Weir runs on is little-endian. A change of it raises {@link #VERSION}; counters and gauges may
 * come and go, since each has its name with it.
 */
final class CounterFileLayout {
    static final long MAGIC = 0x5352_4E43_5249_4557L; // "WEIRCNRS"
    static final int VERSION = 2;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int LOOPS_OFFSET = 12;
    static final int FILE_BYTES_OFFSET = 16;
    static final int PROCESS_ID_OFFSET = 24;
    static final int START_TICKS_OFFSET = 32;
    static final int NAMESPACE_OFFSET = 40;
    static final int OPENED_MILLIS_OFFSET = 48;
    static final int METADATA_BYTES_OFFSET = 56;
    static final int VALUES_BYTES_OFFSET = 60;
    static final int FLOW_ROWS_OFFSET = 64;
    static final int ROW_BYTES_OFFSET = 68;
    static final int SUBJECT_OFFSET = 72;
    static final int ERRORS_BYTES_OFFSET = 76;

    /** Texts: each a length of 4 bytes, then as many bytes of UTF-8 as fit. */
    static final int INTERFACE_OFFSET = 128;

    static final int BACKEND_OFFSET = 256;
    static final int MODE_OFFSET = 320;
    static final int MODE_REASON_OFFSET = 384;
    static final int PROTOCOLS_OFFSET = 896;
    static final int HEADER_BYTES = 1_024;

    // Within the key of a counter: its loop, whether it is a gauge, and its name.
    static final int KEY_LOOP_OFFSET = 0;
    static final int KEY_GAUGE_OFFSET = 4;
    static final int KEY_NAME_OFFSET = 8;

    /** The most loops that a transport has. */
    static final int LOOPS_MAX = 64;
    /** The most rows of a loop's table that a reader believes. */
    static final int FLOW_ROWS_MAX = 65_536;
    /** Some ten errors with their stacks. */
    static final int ERRORS_BYTES = 32_768;
    /** The longest error log that a reader believes. */
    static final int ERRORS_BYTES_MAX = 1 << 20;

    static final int COUNTERS_PER_LOOP = CounterId.values().length + GaugeId.values().length;

    private CounterFileLayout() {}

    /** {@return how many bytes the metadata of so many loops' counters take} */
    static int metadataBytes(int loopCount) {
        return loopCount * COUNTERS_PER_LOOP * CountersReader.METADATA_LENGTH;
    }

    /** {@return how many bytes the values of so many loops' counters take} */
    static int valuesBytes(int loopCount) {
        return loopCount * COUNTERS_PER_LOOP * CountersReader.COUNTER_LENGTH;
    }

    /** {@return how long the file is} */
    static int fileBytes(int loopCount, int flowRows) {
        return HEADER_BYTES
                + metadataBytes(loopCount)
                + valuesBytes(loopCount)
                + loopCount * FlowTable.bytes(flowRows)
                + ERRORS_BYTES;
    }
}
