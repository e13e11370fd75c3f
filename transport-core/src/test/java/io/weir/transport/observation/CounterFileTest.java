package io.weir.transport.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.IngressField;
import io.weir.transport.telemetry.Subject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link CounterFile}, {@link CounterFolder} and {@link CounterReading}: the file, its rights, its readers. */
class CounterFileTest {
    private static final CounterFile.Facts FACTS = new CounterFile.Facts(
            Subject.TRANSPORT,
            "eth0",
            "afxdp",
            "native/copy",
            "zero-copy was refused: Operation not supported",
            "weir dctcp");
    private static final String USER = System.getProperty("user.name");

    @TempDir
    private Path parent;

    private CounterFolder folder;

    @BeforeEach
    void nameFolder() {
        folder = new CounterFolder(parent.resolve("weir"));
    }

    private CounterFile create(int loopCount) throws IOException {
        return CounterFile.create(folder, FACTS, loopCount);
    }

    /** {@return a copy of a file that this test may change} */
    private Path copy(CounterFile file, byte[] content) throws IOException {
        Path copy = file.path().resolveSibling("changed");
        Files.deleteIfExists(copy);
        return Files.write(copy, content);
    }

    private static ByteBuffer wrap(byte[] content) {
        return ByteBuffer.wrap(content).order(ByteOrder.nativeOrder());
    }

    @Test
    void read_whatTwoLoopsWrote_isAllThere() throws IOException {
        try (CounterFile file = create(2)) {
            file.counters(0).add(CounterId.FRAMES_SENT, 7);
            file.counters(1).add(CounterId.FRAMES_SENT, 5);
            file.counters(1).increment(CounterId.DROP_CRC);
            file.gauges(0).set(GaugeId.CONNECTIONS, 3);
            file.gauges(1).set(GaugeId.DUTY_PPM, 250_000);
            FlowTable flows = file.flows(1);
            flows.begin();
            flows.set(9, FlowField.IP_VERSION, 4);
            flows.set(9, FlowField.RTT_NANOS, 12_345);
            flows.end(4, 1_000);
            CounterReading reading = CounterReading.of(file.path());
            assertNull(reading.problem());
            assertFalse(reading.isStale());
            CounterSnapshot snapshot = reading.snapshot();
            assertEquals(FACTS, snapshot.facts());
            assertEquals(ProcessHandle.current().pid(), snapshot.processId());
            assertEquals(12, snapshot.counter("FRAMES_SENT"));
            assertEquals(0L, snapshot.loops().get(0).counters().get("DROP_CRC"));
            assertEquals(1L, snapshot.loops().get(1).counters().get("DROP_CRC"));
            assertEquals(3, snapshot.gauge("CONNECTIONS"));
            assertEquals(250_000, snapshot.gaugeMax("DUTY_PPM"));
            assertEquals(
                    CounterId.values().length,
                    snapshot.loops().get(0).counters().size());
            assertEquals(
                    Arrays.stream(GaugeId.values())
                            .filter(id -> id.isOf(Subject.TRANSPORT))
                            .map(GaugeId::name)
                            .toList(),
                    List.copyOf(snapshot.loops().get(1).gauges().keySet()));
            assertEquals(List.of(), snapshot.loops().get(0).flows());
            assertEquals(12_345, snapshot.loops().get(1).flows().get(0).get(FlowField.RTT_NANOS));
            assertEquals(4, snapshot.loops().get(1).omittedFlows());
        }
    }

    @Test
    void countersReader_ofAgrona_readsLabelsAndValues() throws IOException {
        try (CounterFile file = create(2)) {
            Counters counters = file.counters(1);
            for (CounterId id : CounterId.values()) {
                counters.add(id, id.ordinal() + 1);
            }
            UnsafeBuffer content = new UnsafeBuffer(Files.readAllBytes(file.path()));
            int metadataBytes = CounterFileLayout.metadataBytes(2);
            CountersReader reader = new CountersReader(
                    new UnsafeBuffer(content, CounterFileLayout.HEADER_BYTES, metadataBytes),
                    new UnsafeBuffer(
                            content, CounterFileLayout.HEADER_BYTES + metadataBytes, CounterFileLayout.valuesBytes(2)),
                    StandardCharsets.UTF_8);
            AtomicInteger seen = new AtomicInteger();
            reader.forEach((counterId, typeId, key, label) -> {
                seen.incrementAndGet();
                if (typeId < CounterId.values().length) {
                    CounterId id = CounterId.values()[typeId];
                    int loop = key.getInt(CounterFileLayout.KEY_LOOP_OFFSET);
                    assertEquals("loop " + loop + ": " + id.description(), label);
                    assertEquals(loop == 1 ? typeId + 1 : 0, reader.getCounterValue(counterId));
                }
            });
            assertEquals(2 * CounterFileLayout.COUNTERS_PER_LOOP, seen.get());
        }
    }

    @Test
    void read_whatASwitchPortWrote_hasItsGaugesAndIngressAlone() throws IOException {
        CounterFile.Facts facts = new CounterFile.Facts(Subject.SWITCH_PORT, "swp1", "afxdp", "native/copy", "", "");
        try (CounterFile file = CounterFile.create(folder, facts, 1, 2)) {
            file.gauges(0).set(GaugeId.DATA_QUEUE_BYTES, 1_500);
            FlowTable ingress = file.flows(0);
            ingress.begin();
            ingress.set(1, IngressField.IS_USED, 1);
            ingress.set(1, IngressField.DATA_DROPPED, 7);
            ingress.end(0, 1);
            CounterSnapshot snapshot = CounterReading.of(file.path()).snapshot();
            assertEquals(Subject.SWITCH_PORT, snapshot.facts().subject());
            assertEquals(1_500, snapshot.gauge("DATA_QUEUE_BYTES"));
            assertFalse(snapshot.loops().get(0).gauges().containsKey("CONNECTIONS"));
            assertEquals(1, snapshot.loops().get(0).flows().size());
            assertEquals(7, snapshot.loops().get(0).flows().get(0).get(IngressField.DATA_DROPPED));
        }
    }

    @Test
    void record_twoKindsOfProblem_areKeptOnceEachAndCounted() throws IOException {
        try (CounterFile file = create(1)) {
            for (int i = 0; i < 3; i++) {
                file.record(new IllegalStateException("of one kind"));
            }
            file.record(new IOException("of another"));
            List<CounterSnapshot.ErrorRecord> errors =
                    CounterReading.of(file.path()).snapshot().errors();
            assertEquals(2, errors.size());
            assertEquals(3, errors.get(0).count());
            assertTrue(
                    errors.get(0).text().contains("of one kind"), errors.get(0).text());
            assertTrue(errors.get(0).firstMillis() <= errors.get(0).lastMillis());
            assertTrue(errors.get(1).text().startsWith("java.io.IOException: of another"));
        }
    }

    @Test
    void record_moreThanTheFileHasRoomFor_keepsTheFirst() throws IOException {
        try (CounterFile file = create(1)) {
            for (int i = 0; i < 100; i++) {
                file.record(new IllegalStateException("x".repeat(1_000), new IOException("cause " + i)));
            }
            List<CounterSnapshot.ErrorRecord> errors =
                    CounterReading.of(file.path()).snapshot().errors();
            assertFalse(errors.isEmpty());
            file.counters(0).increment(CounterId.FRAMES_SENT);
            assertEquals(1, CounterReading.of(file.path()).snapshot().counter("FRAMES_SENT"));
        }
    }

    @Test
    void read_errorLogDamaged_givesWhatStandsBeforeTheDamage() throws IOException {
        try (CounterFile file = create(1)) {
            file.record(new IllegalStateException("first"));
            file.record(new IOException("second"));
            byte[] whole = Files.readAllBytes(file.path());
            int log = whole.length - CounterFileLayout.ERRORS_BYTES;
            int second = log + BitUtil.align(wrap(whole).getInt(log), DistinctErrorLog.RECORD_ALIGNMENT);
            for (int length : new int[] {-8, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                byte[] content = whole.clone();
                wrap(content).putInt(second, length);
                CounterSnapshot snapshot =
                        CounterReading.of(copy(file, content)).snapshot();
                assertEquals(1, snapshot.errors().size(), length + " B");
            }
        }
    }

    @Test
    void ownUser_nameThatTheMachineDoesNotKnow_isTheNumber() throws IOException {
        String before = System.getProperty("user.name");
        try {
            System.setProperty("user.name", "?");
            Object number = Files.getAttribute(Files.createTempFile(parent, "own", ""), "unix:uid");
            assertEquals(number.toString(), ProcessIdentity.ownUser());
        } finally {
            System.setProperty("user.name", before);
        }
        assertEquals(before, ProcessIdentity.ownUser());
    }

    @Test
    void names_ofCountersAndGauges_fitTheKey() {
        int charsMax = CountersReader.MAX_KEY_LENGTH - CounterFileLayout.KEY_NAME_OFFSET - Integer.BYTES;
        assertTrue(Arrays.stream(CounterId.values()).allMatch(id -> id.name().length() <= charsMax));
        assertTrue(Arrays.stream(GaugeId.values()).allMatch(id -> id.name().length() <= charsMax));
    }

    @Test
    void create_rights_areTheUsersAlone() throws IOException {
        try (CounterFile file = create(1)) {
            Path own = file.path().getParent();
            assertEquals(USER, own.getFileName().toString());
            assertEquals(PosixFilePermissions.fromString("rwx------"), Files.getPosixFilePermissions(own));
            assertEquals(PosixFilePermissions.fromString("r--------"), Files.getPosixFilePermissions(file.path()));
            assertEquals(01777, (int) Files.getAttribute(folder.root(), "unix:mode") & 07777);
        }
    }

    @Test
    void create_sameInterfaceTwice_makesTwoFiles() throws IOException {
        try (CounterFile first = create(1);
                CounterFile second = create(1)) {
            long processId = ProcessHandle.current().pid();
            assertEquals(processId + "-eth0", first.path().getFileName().toString());
            assertEquals(processId + "-eth0.2", second.path().getFileName().toString());
            assertEquals(List.of(first.path(), second.path()), folder.list().files());
        }
        assertEquals(List.of(), folder.list().files());
    }

    @Test
    void counters_fileClosed_countOn() throws IOException {
        CounterFile file = create(1);
        Counters counters = file.counters(0);
        file.close();
        assertFalse(Files.exists(file.path()));
        counters.increment(CounterId.FRAMES_SENT);
        assertEquals(1, counters.get(CounterId.FRAMES_SENT));
    }

    @Test
    void close_twice_leavesTheFileOfALaterTransport() throws IOException {
        CounterFile first = create(1);
        first.close();
        try (CounterFile second = create(1)) {
            assertEquals(first.path(), second.path());
            first.close();
            assertTrue(Files.exists(second.path()));
        }
    }

    @Test
    void read_fileCutShortAnywhere_saysSo() throws IOException {
        try (CounterFile file = create(1)) {
            byte[] whole = Files.readAllBytes(file.path());
            for (int length = 0; length < whole.length; length += length < 2_000 ? 1 : 4_099) {
                CounterReading reading = CounterReading.of(copy(file, Arrays.copyOf(whole, length)));
                assertNull(reading.snapshot());
                assertTrue(reading.problem().contains("cut short"), reading.problem());
            }
        }
    }

    @Test
    void read_fileOfAnotherVersion_saysWhoseReaderKnowsIt() throws IOException {
        try (CounterFile file = create(1)) {
            byte[] content = Files.readAllBytes(file.path());
            wrap(content).putInt(CounterFileLayout.VERSION_OFFSET, CounterFileLayout.VERSION + 1);
            CounterReading reading = CounterReading.of(copy(file, content));
            assertNull(reading.snapshot());
            assertTrue(reading.problem().contains("has version 3, and this reader knows 2"), reading.problem());
        }
    }

    @Test
    void read_foreignThings_saysWhatTheyAre() throws IOException {
        Path text = Files.writeString(parent.resolve("text"), "no counters ".repeat(1_000));
        assertTrue(CounterReading.of(text).problem().contains("is no counter file"));
        assertTrue(CounterReading.of(parent).problem().contains("is no file"));
        assertTrue(CounterReading.of(parent.resolve("none")).problem().contains("is gone"));
        Path link = Files.createSymbolicLink(parent.resolve("link"), text);
        assertTrue(CounterReading.of(link).problem().contains("is no file"));
    }

    @Test
    void read_damagedAnywhere_givesValuesOrASentence() throws IOException {
        try (CounterFile file = create(1)) {
            byte[] whole = Files.readAllBytes(file.path());
            Random random = new Random(59);
            for (int i = 0; i < 500; i++) {
                byte[] content = whole.clone();
                int bound = i % 2 == 0 ? CounterFileLayout.HEADER_BYTES : content.length;
                for (int j = 0; j < 20; j++) {
                    // Not the first 8 bytes, which make it a counter file.
                    content[8 + random.nextInt(bound - 8)] = (byte) random.nextInt();
                }
                CounterReading reading = CounterReading.of(copy(file, content));
                assertTrue(reading.snapshot() != null || reading.problem() != null, "round " + i);
            }
        }
    }

    @Test
    void read_loopWritesMeanwhile_isNotSteady() throws IOException {
        try (CounterFile file = create(2)) {
            file.flows(1).begin();
            assertFalse(CounterSnapshot.isSteady(wrap(Files.readAllBytes(file.path()))));
            // A process that died there must not hold the reader.
            assertNotNull(CounterReading.of(file.path()).snapshot());
        }
    }

    /** Changes whose file it seems to be. */
    private Path fileOf(CounterFile file, long processId, long startTicks, long namespace) throws IOException {
        byte[] content = Files.readAllBytes(file.path());
        wrap(content)
                .putLong(CounterFileLayout.PROCESS_ID_OFFSET, processId)
                .putLong(CounterFileLayout.START_TICKS_OFFSET, startTicks)
                .putLong(CounterFileLayout.NAMESPACE_OFFSET, namespace);
        return copy(file, content);
    }

    @Test
    void stale_numberWithoutProcessOrOfALaterOne_isRemovedByTheNextStart() throws IOException {
        ProcessIdentity own = ProcessIdentity.own();
        assumeTrue(own.startTicks() > 0, "the kernel does not tell when a process began");
        try (CounterFile file = create(1)) {
            Path noProcess = fileOf(file, Integer.MAX_VALUE, 1, own.namespace());
            assertTrue(CounterReading.of(noProcess).isStale());
            Path later = fileOf(file, own.processId(), own.startTicks() - 1, own.namespace());
            assertTrue(CounterReading.of(later).isStale());
            create(1).close();
            assertFalse(Files.exists(later));
            assertTrue(Files.exists(file.path()));
        }
    }

    @Test
    void stale_numberOfAnotherNamespace_staysSinceItCannotBeJudged() throws IOException {
        ProcessIdentity own = ProcessIdentity.own();
        try (CounterFile file = create(1)) {
            Path other = fileOf(file, Integer.MAX_VALUE, 1, own.namespace() + 1);
            assertFalse(CounterReading.of(other).isStale());
            create(1).close();
            assertTrue(Files.exists(other));
        }
    }

    @Test
    void stale_otherVersion_isRemovedToo() throws IOException {
        try (CounterFile file = create(1)) {
            Path stale =
                    fileOf(file, Integer.MAX_VALUE, 1, ProcessIdentity.own().namespace());
            byte[] content = Files.readAllBytes(stale);
            wrap(content).putInt(CounterFileLayout.VERSION_OFFSET, 77);
            Files.write(stale, content);
            CounterReading reading = CounterReading.of(stale);
            assertTrue(reading.isStale() && reading.remove());
            assertFalse(Files.exists(stale));
        }
    }

    @Test
    void create_folderThatOthersRead_isRefused() throws IOException {
        Path own = Files.createDirectories(folder.root().resolve(USER));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        IOException refusal = assertThrows(IOException.class, () -> create(1));
        assertTrue(refusal.getMessage().contains("can be read by others"), refusal.getMessage());
        assertEquals(List.of(), folder.list().files());
    }

    @Test
    void create_folderOfAnotherUser_isRefused() throws IOException {
        Path own = Files.createDirectories(folder.root().resolve(USER));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        try {
            Files.setAttribute(own, "unix:uid", 12_345);
        } catch (IOException e) {
            assumeTrue(false, "only root can give a folder away: " + e.getMessage());
        }
        IOException refusal = assertThrows(IOException.class, () -> create(1));
        assertTrue(refusal.getMessage().contains("is another user's"), refusal.getMessage());
    }

    @Test
    void create_whereNoFolderCanBe_isRefused() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "");
        assertThrows(IOException.class, () -> CounterFile.create(new CounterFolder(file.resolve("weir")), FACTS, 1));
        Path link = Files.createSymbolicLink(folder.root(), parent.resolve("elsewhere"));
        assertThrows(IOException.class, () -> create(1));
        assertTrue(Files.isSymbolicLink(link));
    }

    @Test
    void create_fullFileSystem_isRefusedAndLeavesNothing() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "this machine has no /dev/full");
        try (FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE)) {
            assertThrows(IOException.class, () -> CounterFile.fill(channel, 4_096));
        }
    }

    @Test
    void list_aThousandFiles_areAllRead() throws IOException {
        try (CounterFile file = create(1)) {
            byte[] content = Files.readAllBytes(file.path());
            for (int i = 0; i < 999; i++) {
                Files.write(file.path().resolveSibling("copy-" + i), content);
            }
            List<Path> files = folder.list().files();
            assertEquals(1_000, files.size());
            assertTrue(files.stream().map(CounterReading::of).allMatch(reading -> reading.snapshot() != null));
        }
    }

    @Test
    void of_property_namesOrTurnsOff() {
        assertEquals(CounterFolder.DEFAULT, CounterFolder.of(name -> null).root());
        assertNull(CounterFolder.of(name -> " "));
        assertEquals(Path.of("/run/w"), CounterFolder.of(name -> "/run/w").root());
    }
}
