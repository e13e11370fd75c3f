package io.weir.transport.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Subject;
import io.weir.transport.telemetry.TraceRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link TraceFile}, {@link TraceReader} and {@link TraceRing}: what was written is read whole or not at all. */
class TraceReaderTest {
    private static final CounterFile.Facts FACTS =
            new CounterFile.Facts(Subject.TRANSPORT, "eth0", "afxdp", "native/copy", "", "dx:2");
    private static final int SLOTS = TraceRing.SLOTS_MIN;

    @TempDir
    private Path parent;

    private CounterFile counters;
    private TraceFile file;
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(256));

    @BeforeEach
    void create() throws IOException {
        counters = CounterFile.create(new CounterFolder(parent.resolve("weir")), FACTS, 2);
        file = TraceFile.create(counters, 2, SLOTS);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
        counters.close();
    }

    private TraceReader open() throws IOException {
        return TraceReader.open(counters.path());
    }

    /** Writes a frame of as many bytes as its number says, each of which is that number. */
    private void write(TraceRing ring, long number) {
        int bytes = 1 + (int) (number % TraceRing.KEPT_BYTES_MAX);
        frame.setMemory(0, bytes, (byte) number);
        ring.begin(number % 2 == 0 ? TraceRing.SENT : TraceRing.RECEIVED, number, (int) number, frame, 0, bytes);
        ring.end(number % 3 == 0 ? CounterId.DROP_CRC : null);
    }

    private static void requireWhole(TracedFrame read) {
        long number = read.nanos();
        assertEquals(number, read.frameBytes());
        assertEquals(1 + number % TraceRing.KEPT_BYTES_MAX, read.keptBytes());
        for (int i = 0; i < read.keptBytes(); i++) {
            assertEquals((byte) number, read.headers().getByte(i), () -> "byte of frame " + number);
        }
        assertEquals(0, read.headers().getByte(read.keptBytes()));
        assertEquals(number % 2 != 0, read.isReceived());
        assertEquals(number % 3 == 0 ? "DROP_CRC" : null, read.reason());
    }

    private static List<Long> numbers(TraceReader reader) throws IOException {
        List<Long> numbers = new ArrayList<>();
        reader.poll(read -> {
            requireWhole(read);
            numbers.add(read.nanos());
        });
        return numbers;
    }

    @Test
    void poll_framesOfTwoLoops_areThereByTheirTime() throws IOException {
        TraceRing first = file.ring(0);
        TraceRing second = file.ring(1);
        first.keepEpoch(1_000, 0);
        write(first, 1);
        write(second, 2);
        write(second, 3);
        write(first, 4);
        try (TraceReader reader = open()) {
            assertEquals(List.of(1L, 2L, 3L, 4L), numbers(reader));
            assertEquals(List.of(), numbers(reader));
            write(first, 5);
            assertEquals(List.of(5L), numbers(reader));
            assertEquals(3, reader.seen(0));
            assertEquals(0, reader.dropped(0));
        }
    }

    @Test
    void poll_afterTheRingHasWrapped_hasTheLatestAndMissesNone() throws IOException {
        TraceRing ring = file.ring(0);
        for (long i = 1; i <= 3 * SLOTS + 7; i++) {
            write(ring, i);
        }
        try (TraceReader reader = open()) {
            List<Long> numbers = numbers(reader);
            assertEquals(SLOTS, numbers.size());
            assertEquals(2 * SLOTS + 8, numbers.get(0));
            assertEquals(0, reader.dropped(0), "older frames than a ring keeps");
        }
    }

    @Test
    void poll_overrun_countsWhatIsMissingBeforeTheNextFrame() throws IOException {
        TraceRing ring = file.ring(1);
        write(ring, 1);
        try (TraceReader reader = open()) {
            assertEquals(List.of(1L), numbers(reader));
            for (long i = 2; i <= SLOTS + 11; i++) {
                write(ring, i);
            }
            List<Long> missing = new ArrayList<>();
            reader.poll(read -> missing.add(read.droppedBefore()));
            assertEquals(SLOTS, missing.size());
            assertEquals(10, missing.get(0));
            assertEquals(0, missing.get(1));
            assertEquals(10, reader.dropped(1));
            assertEquals(SLOTS + 11, reader.seen(1));
        }
    }

    @Test
    void poll_slotIsBeingOverwritten_leavesItOut() throws IOException {
        TraceRing ring = file.ring(0);
        for (long i = 1; i <= SLOTS; i++) {
            write(ring, i);
        }
        // Over the first slot, and its writer has not come to the end of it.
        ring.begin(TraceRing.SENT, 999, 999, frame, 0, 100);
        try (TraceReader reader = open()) {
            List<Long> numbers = numbers(reader);
            assertEquals(SLOTS - 1, numbers.size());
            assertEquals(2, numbers.get(0));
        }
    }

    @Test
    void skipToEnd_framesBefore_arePassedOver() throws IOException {
        TraceRing ring = file.ring(0);
        write(ring, 1);
        try (TraceReader reader = open()) {
            reader.skipToEnd();
            write(ring, 2);
            assertEquals(List.of(2L), numbers(reader));
        }
    }

    @Test
    void poll_writerIsFasterThanTheReader_hasEachFrameWholeAndCountsTheOthers() throws Exception {
        TraceRing ring = file.ring(0);
        AtomicBoolean goesOn = new AtomicBoolean(true);
        long[] written = new long[1];
        Thread writer = new Thread(() -> {
            while (goesOn.get()) {
                write(ring, ++written[0]);
            }
        });
        long read = 0;
        try (TraceReader reader = open()) {
            reader.skipToEnd();
            writer.start();
            while (read < 20_000 || reader.dropped(0) == 0) {
                read += numbers(reader).size();
            }
            goesOn.set(false);
            writer.join();
            read += numbers(reader).size();
            assertEquals(written[0], read + reader.dropped(0));
            assertEquals(written[0], reader.seen(0));
        } finally {
            goesOn.set(false);
        }
    }

    @Test
    void file_ofATransport_isItsUsersAloneAndGoesWithIt() throws IOException {
        assertEquals("r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
        try (TraceReader reader = open()) {
            assertTrue(reader.isThere());
            file.close();
            assertFalse(reader.isThere());
            assertEquals(List.of(), numbers(reader));
        }
        IOException gone = assertThrows(IOException.class, this::open);
        assertTrue(gone.getMessage().contains("is not there"), gone.getMessage());
    }

    @Test
    void folder_withTraces_listsCountersAlone() {
        CounterFolder folder = new CounterFolder(parent.resolve("weir"));
        assertEquals(List.of(counters.path()), folder.list().files());
    }

    @Test
    void open_whateverIsInTheFile_saysSoOrReadsIt() throws IOException {
        write(file.ring(0), 1);
        byte[] content = Files.readAllBytes(file.path());
        file.close();
        requireRefusal(new byte[0], "is no trace file");
        requireRefusal(Arrays.copyOf(content, 100), "is no trace file");
        requireRefusal(Arrays.copyOf(content, content.length - 1), "is cut short or damaged");
        byte[] newer = content.clone();
        ByteBuffer.wrap(newer).order(ByteOrder.nativeOrder()).putInt(TraceFile.VERSION_OFFSET, 9);
        requireRefusal(newer, "has version 9");
        byte[] foreign = content.clone();
        foreign[0]++;
        requireRefusal(foreign, "is no trace file");
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = content.clone();
            for (int j = 0; j < 20; j++) {
                damaged[8 + random.nextInt(200)] = (byte) random.nextInt();
                damaged[TraceFile.HEADER_BYTES + random.nextInt(400)] = (byte) random.nextInt();
            }
            replace(damaged);
            try (TraceReader reader = open()) {
                reader.poll(read -> assertTrue(read.print() != null && read.keptBytes() <= TraceRing.KEPT_BYTES_MAX));
            } catch (IOException e) {
                assertTrue(
                        e.getMessage()
                                .contains(TraceFile.nextTo(counters.path()).toString()),
                        e.toString());
            }
        }
    }

    private void replace(byte[] content) throws IOException {
        Path path = TraceFile.nextTo(counters.path());
        Files.deleteIfExists(path);
        Files.write(path, content);
    }

    private void requireRefusal(byte[] content, String words) throws IOException {
        replace(content);
        IOException refusal = assertThrows(IOException.class, this::open);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    }

    @Test
    void poll_fileIsCutShortMeanwhile_saysSo() throws IOException {
        byte[] content = Files.readAllBytes(file.path());
        file.close();
        replace(content);
        try (TraceReader reader = open()) {
            assertEquals(List.of(), numbers(reader));
            Files.write(TraceFile.nextTo(counters.path()), new byte[9_000]);
            IOException cut = assertThrows(IOException.class, () -> numbers(reader));
            assertTrue(cut.getMessage().contains("cut short"), cut.getMessage());
        }
    }

    @Test
    void framesWanted_properties_giveANumberOrASentence() {
        assertEquals(TraceFile.FRAMES_DEFAULT, TraceFile.framesWanted(name -> null));
        assertEquals(0, TraceFile.framesWanted(name -> "0"));
        assertEquals(100, TraceFile.framesWanted(name -> " 100 "));
        for (String wrong : List.of("-1", "many", "1048577")) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> TraceFile.framesWanted(name -> wrong))
                    .getMessage()
                    .contains("weir.trace.frames=" + wrong));
        }
    }

    @Test
    void create_anyNumber_keepsAPowerOfTwoOfAtLeastThat() throws IOException {
        file.close();
        for (int[] wantedAndKept : new int[][] {{1, 64}, {64, 64}, {65, 128}, {4_096, 4_096}, {5_000, 8_192}}) {
            try (TraceFile created = TraceFile.create(counters, 1, wantedAndKept[0])) {
                assertEquals(wantedAndKept[1], created.slots());
            }
        }
    }
}
