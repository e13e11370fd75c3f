package io.weir.transport.observation;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.TraceRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file that a transport keeps the headers of its latest frames in, a {@link TraceRing} for each loop, mapped into
 * memory. It lies next to the transport's {@link CounterFile}, and closing removes it.
 */
public final class TraceFile implements AutoCloseable {
    /** The property with the number of frames that are kept of each loop: 0 for none. */
    public static final String PROPERTY = "weir.trace.frames";
    /** How many are by default. */
    public static final int FRAMES_DEFAULT = 4_096;

    /** The folder of what ended connections have left. */
    static final String ENDED_FOLDER = "ended";

    static final long MAGIC = 0x4543_5254_5249_4557L; // "WEIRTRCE"
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int LOOPS_OFFSET = 12;
    static final int SLOTS_OFFSET = 16;
    static final int SLOT_BYTES_OFFSET = 20;
    /** When it was made, in nanoseconds since 1970. */
    static final int OPENED_NANOS_OFFSET = 24;
    /** A length of 4 bytes, then the names of reasons for drops, by their numbers less 1, with spaces between. */
    static final int REASONS_OFFSET = 32;

    static final int HEADER_BYTES = 8_192;

    private static final String PREFIX = "trace-";
    private static final long MAPPED_BYTES_MAX = Integer.MAX_VALUE - 8L;

    private final Path file;
    private final UnsafeBuffer memory;
    private final int loopCount;
    private final int slots;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private TraceFile(Path file, UnsafeBuffer memory, int loopCount, int slots) {
        this.file = file;
        this.memory = memory;
        this.loopCount = loopCount;
        this.slots = slots;
    }

    /** {@return where the frames are of the transport that has this counter file} */
    public static Path nextTo(Path counterFile) {
        return counterFile.resolveSibling(PREFIX + counterFile.getFileName());
    }

    /** {@return whether a file next to counter files is none} Their names begin with a number. */
    static boolean isBesideCounters(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(PREFIX) || name.equals(ENDED_FOLDER);
    }

    /**
     * {@return how many frames of each loop are to be kept}
     *
     * @param properties finds the value of a property, or null; {@code System::getProperty}
     * @throws IllegalArgumentException if the property has no number from 0 on
     */
    public static int framesWanted(UnaryOperator<String> properties) {
        String named = properties.apply(PROPERTY);
        if (named == null || named.isBlank()) {
            return FRAMES_DEFAULT;
        }
        try {
            int frames = Integer.parseInt(named.strip());
            if (frames >= 0 && frames <= TraceRing.SLOTS_MAX) {
                return frames;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "-D" + PROPERTY + "=" + named + " is no number of 0 to " + TraceRing.SLOTS_MAX + "; 0 keeps no frames");
    }

    /** {@return how many frames are kept where so many are wanted: a power of two} */
    public static int slots(int frames) {
        int wanted = Math.max(TraceRing.SLOTS_MIN, Math.min(frames, TraceRing.SLOTS_MAX));
        return Integer.highestOneBit(2 * wanted - 1);
    }

    /**
     * {@return a file next to a counter file of this process}
     *
     * @param frames how many frames of each loop are kept, at least; a power of two is
     * @throws IOException if there is no room
     */
    public static TraceFile create(CounterFile counters, int loopCount, int frames) throws IOException {
        int slots = slots(frames);
        while (HEADER_BYTES + (long) loopCount * TraceRing.bytes(slots) > MAPPED_BYTES_MAX) {
            slots /= 2;
        }
        Path file = nextTo(counters.path());
        // The counter file's name was free: one that is left here is of a process that has ended.
        Files.deleteIfExists(file);
        try (FileChannel channel = CounterFolder.create(file)) {
            if (channel == null) {
                throw new IOException(file + " is there already; remove it");
            }
            int fileBytes = HEADER_BYTES + loopCount * TraceRing.bytes(slots);
            CounterFile.fill(channel, fileBytes);
            ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, fileBytes);
            TraceFile created = new TraceFile(file, new UnsafeBuffer(mapped), loopCount, slots);
            created.writeHeader();
            return created;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private void writeHeader() {
        memory.putInt(VERSION_OFFSET, VERSION);
        memory.putInt(LOOPS_OFFSET, loopCount);
        memory.putInt(SLOTS_OFFSET, slots);
        memory.putInt(SLOT_BYTES_OFFSET, TraceRing.SLOT_BYTES);
        memory.putLong(OPENED_NANOS_OFFSET, System.currentTimeMillis() * 1_000_000);
        byte[] reasons = Arrays.stream(CounterId.values())
                .map(Enum::name)
                .collect(Collectors.joining(" "))
                .getBytes(StandardCharsets.US_ASCII);
        memory.putInt(REASONS_OFFSET, reasons.length);
        memory.putBytes(REASONS_OFFSET + Integer.BYTES, reasons, 0, reasons.length);
        // Last: from now on it is a trace file.
        memory.putLongVolatile(MAGIC_OFFSET, MAGIC);
    }

    /** {@return where a loop writes its frames; one object for each loop} */
    public TraceRing ring(int loop) {
        int bytes = TraceRing.bytes(slots);
        return new TraceRing(new UnsafeBuffer(memory, HEADER_BYTES + loop * bytes, bytes));
    }

    /** {@return how many frames of each loop are kept} */
    public int slots() {
        return slots;
    }

    /** {@return where it is} */
    public Path path() {
        return file;
    }

    /** Removes the file. Any thread. */
    @Override
    public void close() throws IOException {
        if (isClosed.compareAndSet(false, true)) {
            Files.deleteIfExists(file);
        }
    }
}
