package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.observation.CounterFolder;
import io.weir.transport.observation.TraceArchive;
import io.weir.transport.observation.TraceCapture;
import io.weir.transport.observation.TraceFile;
import io.weir.transport.observation.TraceFilter;
import io.weir.transport.observation.TraceReader;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Tshark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link TransportRecorder} and {@link TraceArchive}: which frames of transports that run others can read. */
class TransportTraceTest {
    private static final byte SECRET = 'Z';

    @TempDir
    private Path parent;

    private final Map<String, String> before = new TreeMap<>();
    private CounterFolder folder;

    @BeforeEach
    void useFolder() {
        setProperty(CounterFolder.PROPERTY, parent.resolve("weir").toString());
        setProperty(TraceFile.PROPERTY, "");
        folder = new CounterFolder(parent.resolve("weir"));
    }

    private void setProperty(String name, String value) {
        before.putIfAbsent(name, System.getProperty(name, ""));
        System.setProperty(name, value);
    }

    @AfterEach
    void restoreProperties() {
        before.forEach((name, value) -> {
            if (value.isEmpty()) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    private static void exchange(TwoTransports two) throws IOException {
        byte[] secret = new byte[4_000];
        Arrays.fill(secret, SECRET);
        two.near().write(ByteBuffer.wrap(secret));
        assertEquals(secret.length, two.far().inputStream().readNBytes(secret.length).length);
    }

    private static List<String> print(Path counters, TraceFilter filter) throws IOException {
        List<String> lines = new ArrayList<>();
        try (TraceReader reader = TraceReader.open(counters)) {
            reader.poll(frame -> {
                if (filter.accepts(frame)) {
                    lines.add((frame.isReceived() ? "in " : "out ")
                            + frame.print()
                            + (frame.reason() == null ? "" : " " + frame.reason()));
                }
            });
        }
        return lines;
    }

    @Test
    void ring_ofATransport_hasEveryFrameBothWaysAndNoPayload() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            exchange(two);
            for (Path counters : folder.list().files()) {
                List<String> lines = print(counters, TraceFilter.ALL);
                for (String way : List.of("in ", "out ")) {
                    assertTrue(lines.stream().anyMatch(line -> line.startsWith(way)), lines.toString());
                }
                assertTrue(lines.stream().anyMatch(line -> line.contains(" DATA [")), lines.toString());
                assertTrue(lines.stream().noneMatch(line -> line.contains("cut short")), lines.toString());
                // Tags may have this byte, but not as often in a row.
                String content =
                        new String(Files.readAllBytes(TraceFile.nextTo(counters)), StandardCharsets.ISO_8859_1);
                assertFalse(content.contains("Z".repeat(4)), "payload is in the file");
            }
            two.client.close();
            two.server.close();
            long sent = two.client.counters().get(CounterId.FRAMES_SENT);
            assertTrue(sent > 0);
        }
        try (var left = Files.list(folder.root().resolve(System.getProperty("user.name")))) {
            assertEquals(List.of(), left.filter(Files::isRegularFile).toList());
        }
    }

    @Test
    void capture_ofATransport_isWhatTheDissectorReadsOfIt() throws Exception {
        Path file = parent.resolve("trace.pcapng");
        List<String> printed;
        try (TwoTransports two = new TwoTransports()) {
            exchange(two);
            two.client.close();
            // The server's, which is told of the end and is quiet then.
            Path counters = folder.list().files().get(0);
            printed = capture(counters, file);
        }
        List<String> dissected = new Tshark(Path.of(".."), parent)
                .dissect(file, "-T", "fields", "-e", "_ws.col.Info", "-e", "frame.comment");
        assertEquals(printed, dissected);
    }

    private static List<String> capture(Path counters, Path file) throws IOException {
        List<String> printed = new ArrayList<>();
        try (TraceReader reader = TraceReader.open(counters);
                TraceCapture capture = new TraceCapture(
                        reader,
                        Files.newOutputStream(file),
                        "memory",
                        "test",
                        frame -> {
                            printed.add(frame.print() + "\t" + (frame.isReceived() ? "received" : "sent") + " clock="
                                    + (frame.nanos() & 0xFFFF_FFFFL)
                                    + (frame.reason() == null ? "" : " dropped=" + frame.reason()));
                            return true;
                        },
                        false)) {
            capture.poll(Long.MAX_VALUE);
            assertEquals(printed.size(), capture.count());
            assertEquals(0, capture.dropped());
        }
        assertTrue(printed.size() > 6, printed.toString());
        return printed;
    }

    @Test
    void archive_connectionIsReset_leavesItsFramesAlone() throws Exception {
        setProperty(TraceFile.PROPERTY, "256");
        Path ended;
        try (TwoTransports two = new TwoTransports()) {
            exchange(two);
            try (WeirSocket other = two.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE);
                    WeirSocket accepted = two.listener().accept()) {
                other.write(ByteBuffer.wrap(new byte[] {1}));
                assertEquals(1, accepted.inputStream().read());
                ended = TraceArchive.folderOf(folder.list().files().get(0));
                other.abort();
                assertThrows(IOException.class, () -> {
                    accepted.inputStream().read();
                    accepted.inputStream().read();
                });
                awaitFile(ended);
                String port = Integer.toString(other.localAddress().getPort());
                Path file = TraceArchive.list(ended).get(0);
                assertTrue(file.toString().endsWith("_" + port + "-RESET.pcapng"), file.toString());
                List<String> lines = new Tshark(Path.of(".."), parent)
                        .dissect(file, "-T", "fields", "-e", "udp.port", "-e", "_ws.col.Info");
                assertTrue(lines.stream().allMatch(line -> line.contains(port)), lines.toString());
                assertTrue(lines.get(lines.size() - 1).contains("\tRESET reason="), lines.toString());
                assertTrue(lines.stream().anyMatch(line -> line.contains("\tDATA ")), lines.toString());
            }
        }
    }

    private static void awaitFile(Path ended) throws IOException {
        while (TraceArchive.list(ended).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void open_noFramesWanted_countsAndKeepsNone() throws Exception {
        setProperty(TraceFile.PROPERTY, "0");
        try (TwoTransports two = new TwoTransports()) {
            exchange(two);
            for (Path counters : folder.list().files()) {
                IOException none = assertThrows(IOException.class, () -> TraceReader.open(counters));
                assertTrue(none.getMessage().contains("weir.trace.frames=0"), none.getMessage());
            }
            assertEquals(2, folder.list().files().size());
        }
    }

    @Test
    void open_numberThatIsNone_saysSo() {
        setProperty(TraceFile.PROPERTY, "lots");
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, TwoTransports::new);
        assertTrue(wrong.getMessage().contains("weir.trace.frames=lots"), wrong.getMessage());
        assertNotNull(wrong);
    }
}
