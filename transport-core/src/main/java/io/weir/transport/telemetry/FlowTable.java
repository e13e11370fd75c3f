package io.weir.transport.telemetry;

import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bounded table of connections in memory that others read: a row for each of the first connections of a loop, by
 * their numbers. One thread writes it, between {@link #begin} and {@link #end}. No allocation.
 *
 * <p>The number of the latest report that has ended stands in front of the rows, that of the latest that has begun
 * behind them. Who copies the table from its start to its end, and then finds both equal, has one report.
 */
public final class FlowTable {
    /** What {@link FlowField#STATE} means. */
    public static final List<String> STATES = List.of("opening", "half open", "established", "lingering", "closed");
    /** What {@link FlowField#WAY} means. */
    public static final List<String> WAYS = List.of("link", "shared memory", "in process");

    /** The length of a row. */
    public static final int ROW_BYTES = FlowField.values().length * Long.BYTES;

    /** Where the number of the latest report stands that has ended. */
    public static final int END_OFFSET = 0;
    /** Where the number of connections stands that have no row. */
    public static final int OMITTED_OFFSET = 8;
    /** Where the time of the latest report stands, by the loop's clock. */
    public static final int NANOS_OFFSET = 16;
    /** Where the rows begin. */
    public static final int HEADER_BYTES = 64;

    /** What an unused row's {@link FlowField#IP_VERSION} is. */
    public static final int UNUSED = 0;

    private final UnsafeBuffer memory;
    private final int rowCount;
    /** Where the number of the latest report stands that has begun. */
    private final int beginOffset;
    /** Reports that have begun. The writer's thread only. */
    private long number;

    /** Creates a table over memory that is zero. */
    public FlowTable(UnsafeBuffer memory) {
        this.memory = memory;
        this.rowCount = (memory.capacity() - HEADER_BYTES - Long.BYTES) / ROW_BYTES;
        this.beginOffset = beginOffset(rowCount);
    }

    /** {@return how many bytes a table of so many rows takes} */
    public static int bytes(int rowCount) {
        return beginOffset(rowCount) + Long.BYTES;
    }

    /** {@return where the number of the latest report stands that has begun, in a table of so many rows} */
    public static int beginOffset(int rowCount) {
        return HEADER_BYTES + rowCount * ROW_BYTES;
    }

    /** {@return how many rows there are} */
    public int rowCount() {
        return rowCount;
    }

    /** Begins a report. */
    public void begin() {
        number++;
        memory.putLongVolatile(beginOffset, number);
    }

    /** {@return a value of the report before} */
    public long get(int row, FlowField field) {
        return memory.getLong(offset(row, field));
    }

    /** Sets a value. */
    public void set(int row, FlowField field, long value) {
        memory.putLong(offset(row, field), value);
    }

    /** Sets a value of a switch port's table. */
    public void set(int row, IngressField field, long value) {
        memory.putLong(HEADER_BYTES + row * ROW_BYTES + field.ordinal() * Long.BYTES, value);
    }

    /** Says that no connection has a row. */
    public void clear(int row) {
        set(row, FlowField.IP_VERSION, UNUSED);
    }

    /** {@return when the report before was made} */
    public long reportedNanos() {
        return memory.getLong(NANOS_OFFSET);
    }

    /** Ends a report. */
    public void end(int omitted, long nowNanos) {
        memory.putLong(OMITTED_OFFSET, omitted);
        memory.putLong(NANOS_OFFSET, nowNanos);
        memory.putLongVolatile(END_OFFSET, number);
    }

    private static int offset(int row, FlowField field) {
        return HEADER_BYTES + row * ROW_BYTES + field.ordinal() * Long.BYTES;
    }
}
