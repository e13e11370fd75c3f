package io.weir.transport.observation;

import io.weir.transport.node.PortInfo;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Gauges;
import io.weir.transport.telemetry.Subject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * The file that a transport, a switch's port or a broker keeps its counters in, mapped into memory: a count is a load
 * and an ordered store, as in memory that nobody else sees. Closing removes the file; the memory stays as long as
 * somebody holds a counter.
 */
public final class CounterFile implements AutoCloseable {
    /** How many connections of a loop are shown one by one. */
    public static final int FLOW_ROWS = 256;

    private static final int COUNTER_COUNT = CounterId.values().length;

    private final Path file;
    private final UnsafeBuffer memory;
    private final int loopCount;
    private final int flowRows;
    private final DistinctErrorLog errors;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /**
     * What the file says of who counts there.
     *
     * @param subject who that is
     * @param interfaceName the interface
     * @param backend what moves its frames
     * @param mode how
     * @param modeReason why so
     * @param protocols what a transport speaks, the preferred first: names, each with its code, as in {@code dctcp:4}
     */
    public record Facts(
            Subject subject, String interfaceName, String backend, String mode, String modeReason, String protocols) {
        /** What a port says that it is. */
        public static Facts of(Subject subject, PortInfo port, String protocols) {
            return new Facts(subject, port.name(), port.backend(), port.mode(), port.modeReason(), protocols);
        }
    }

    private CounterFile(Path file, UnsafeBuffer memory, int loopCount, int flowRows) {
        this.file = file;
        this.memory = memory;
        this.loopCount = loopCount;
        this.flowRows = flowRows;
        int errorsOffset = valuesOffset(loopCount) + loopCount * FlowTable.bytes(flowRows);
        this.errors = new DistinctErrorLog(
                new UnsafeBuffer(memory, errorsOffset, CounterFileLayout.ERRORS_BYTES), SystemEpochClock.INSTANCE);
    }

    /**
     * {@return a file for a transport of this process} Those that ended processes of this user have left are removed.
     *
     * @throws IOException if the folder cannot be made, is another user's, or has no room
     */
    public static CounterFile create(CounterFolder folder, Facts facts, int loopCount) throws IOException {
        return create(folder, facts, loopCount, FLOW_ROWS);
    }

    /** {@return the same, with so many rows in the table of each loop} */
    public static CounterFile create(CounterFolder folder, Facts facts, int loopCount, int flowRows)
            throws IOException {
        String user = ProcessIdentity.ownUser();
        folder.removeStale(user);
        ProcessIdentity process = ProcessIdentity.own();
        CounterFolder.Made made = folder.make(user, process.processId(), facts.interfaceName());
        try (FileChannel channel = made.channel()) {
            int fileBytes = CounterFileLayout.fileBytes(loopCount, flowRows);
            fill(channel, fileBytes);
            ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, fileBytes);
            CounterFile created = new CounterFile(made.file(), new UnsafeBuffer(mapped), loopCount, flowRows);
            created.writeCounters();
            created.writeHeader(facts, process);
            return created;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(made.file());
            throw e;
        }
    }

    /** Has the file system set the memory aside: what it has no room for would hit the loop that counts there first. */
    static void fill(FileChannel channel, int fileBytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(fileBytes);
        while (zeros.hasRemaining()) {
            channel.write(zeros);
        }
    }

    private void writeCounters() {
        int metadataBytes = CounterFileLayout.metadataBytes(loopCount);
        CountersManager manager = new CountersManager(
                new UnsafeBuffer(memory, CounterFileLayout.HEADER_BYTES, metadataBytes),
                new UnsafeBuffer(
                        memory,
                        CounterFileLayout.HEADER_BYTES + metadataBytes,
                        CounterFileLayout.valuesBytes(loopCount)),
                StandardCharsets.UTF_8);
        for (int loop = 0; loop < loopCount; loop++) {
            for (CounterId id : CounterId.values()) {
                allocate(manager, loop, id.ordinal(), id.name(), id.description());
            }
            for (GaugeId id : GaugeId.values()) {
                allocate(manager, loop, COUNTER_COUNT + id.ordinal(), id.name(), id.description());
            }
        }
    }

    private static void allocate(CountersManager manager, int loop, int typeId, String name, String description) {
        manager.allocate("loop " + loop + ": " + description, typeId, key -> {
            key.putInt(CounterFileLayout.KEY_LOOP_OFFSET, loop);
            key.putInt(CounterFileLayout.KEY_GAUGE_OFFSET, typeId < COUNTER_COUNT ? 0 : 1);
            key.putStringAscii(CounterFileLayout.KEY_NAME_OFFSET, name);
        });
    }

    private void writeHeader(Facts facts, ProcessIdentity process) {
        memory.putInt(CounterFileLayout.VERSION_OFFSET, CounterFileLayout.VERSION);
        memory.putInt(CounterFileLayout.LOOPS_OFFSET, loopCount);
        memory.putLong(CounterFileLayout.FILE_BYTES_OFFSET, memory.capacity());
        memory.putLong(CounterFileLayout.PROCESS_ID_OFFSET, process.processId());
        memory.putLong(CounterFileLayout.START_TICKS_OFFSET, process.startTicks());
        memory.putLong(CounterFileLayout.NAMESPACE_OFFSET, process.namespace());
        memory.putLong(CounterFileLayout.OPENED_MILLIS_OFFSET, System.currentTimeMillis());
        memory.putInt(CounterFileLayout.METADATA_BYTES_OFFSET, CounterFileLayout.metadataBytes(loopCount));
        memory.putInt(CounterFileLayout.VALUES_BYTES_OFFSET, CounterFileLayout.valuesBytes(loopCount));
        memory.putInt(CounterFileLayout.FLOW_ROWS_OFFSET, flowRows);
        memory.putInt(CounterFileLayout.ROW_BYTES_OFFSET, FlowTable.ROW_BYTES);
        memory.putInt(CounterFileLayout.SUBJECT_OFFSET, facts.subject().ordinal());
        memory.putInt(CounterFileLayout.ERRORS_BYTES_OFFSET, CounterFileLayout.ERRORS_BYTES);
        putText(CounterFileLayout.INTERFACE_OFFSET, CounterFileLayout.BACKEND_OFFSET, facts.interfaceName());
        putText(CounterFileLayout.BACKEND_OFFSET, CounterFileLayout.MODE_OFFSET, facts.backend());
        putText(CounterFileLayout.MODE_OFFSET, CounterFileLayout.MODE_REASON_OFFSET, facts.mode());
        putText(CounterFileLayout.MODE_REASON_OFFSET, CounterFileLayout.PROTOCOLS_OFFSET, facts.modeReason());
        putText(CounterFileLayout.PROTOCOLS_OFFSET, CounterFileLayout.HEADER_BYTES, facts.protocols());
        // Last: from now on it is a counter file.
        memory.putLongVolatile(CounterFileLayout.MAGIC_OFFSET, CounterFileLayout.MAGIC);
    }

    private void putText(int offset, int end, String text) {
        byte[] bytes = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, end - offset - Integer.BYTES);
        memory.putInt(offset, length, ByteOrder.nativeOrder());
        memory.putBytes(offset + Integer.BYTES, bytes, 0, length);
    }

    private int valuesOffset(int loop) {
        return CounterFileLayout.HEADER_BYTES
                + CounterFileLayout.metadataBytes(loopCount)
                + CounterFileLayout.valuesBytes(loop);
    }

    /** {@return where a loop counts} */
    public Counters counters(int loop) {
        int bytes = COUNTER_COUNT * CountersReader.COUNTER_LENGTH;
        return new Counters(new UnsafeBuffer(memory, valuesOffset(loop), bytes), CountersReader.COUNTER_LENGTH);
    }

    /** {@return where a loop writes what it measures} */
    public Gauges gauges(int loop) {
        int offset = valuesOffset(loop) + COUNTER_COUNT * CountersReader.COUNTER_LENGTH;
        int bytes = GaugeId.values().length * CountersReader.COUNTER_LENGTH;
        return new Gauges(new UnsafeBuffer(memory, offset, bytes), CountersReader.COUNTER_LENGTH);
    }

    /** {@return where a loop writes what its connections are at} */
    public FlowTable flows(int loop) {
        int bytes = FlowTable.bytes(flowRows);
        return new FlowTable(new UnsafeBuffer(memory, valuesOffset(loopCount) + loop * bytes, bytes));
    }

    /**
     * Keeps a problem: with its stack the first time, counted from then on. A problem for which the file has no room is
     * kept no more. Any thread; for what is rare.
     */
    public void record(Throwable problem) {
        errors.record(problem);
    }

    /** {@return where it is} */
    public Path path() {
        return file;
    }

    /**
     * Removes the file. What is counted from now on nobody else sees. Any thread; once it is closed, a file of the same
     * name is another transport's.
     */
    @Override
    public void close() throws IOException {
        if (isClosed.compareAndSet(false, true)) {
            Files.deleteIfExists(file);
        }
    }
}
