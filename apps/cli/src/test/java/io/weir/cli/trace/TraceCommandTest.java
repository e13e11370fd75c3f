package io.weir.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.observation.CounterFile;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.observation.TraceArchive;
import io.weir.transport.observation.TraceFile;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Subject;
import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.testing.Tshark;
import io.weir.transport.wire.TracedHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link TraceCommand} on rings that this test writes; TraceLiveTest has real transports. */
class TraceCommandTest {
    private static final CounterFile.Facts FACTS =
            new CounterFile.Facts(Subject.TRANSPORT, "eth0", "afxdp", "native/copy", "", "expresspass:1");

    @TempDir
    private Path folder;

    private CounterFile counters;
    private TraceFile trace;
    private TraceRing ring;

    private final PeerFrames peer = new PeerFrames(
            new FramePool(64, 2048),
            io.weir.transport.wire.Path.from(1, TestNetwork.address(1), 40_000)
                    .to(2, TestNetwork.address(2), TestNetwork.PORT),
            77,
            new UnsafeBuffer(new byte[12]),
            77);

    @BeforeEach
    void create() throws IOException {
        counters = CounterFile.create(new CounterFolder(folder.resolve("weir")), FACTS, 1);
        trace = TraceFile.create(counters, 1, TraceRing.SLOTS_MIN);
        ring = trace.ring(0);
        ring.keepEpoch(1_700_000_000_000L, 0);
    }

    @AfterEach
    void close() throws IOException {
        trace.close();
        counters.close();
    }

    private String[] words(String... options) {
        String[] words = Arrays.copyOf(
                new String[] {"trace", "--dir", folder.resolve("weir").toString()}, 3 + options.length);
        System.arraycopy(options, 0, words, 3, options.length);
        return words;
    }

    private String text(String... options) {
        CommandRun run = CommandRun.execute(words(options));
        assertEquals(ExitCode.DONE, run.await(), run.err());
        return run.out();
    }

    private void refused(int status, String words, String... options) {
        CommandRun run = CommandRun.execute(words(options));
        assertEquals(status, run.await(), run.out());
        assertTrue(run.err().contains(words), run.err());
    }

    private void write(byte direction, Frame frame, CounterId reason) {
        int kept = TracedHeaders.bytes(frame.buffer(), frame.offset(), frame.length(), TraceRing.KEPT_BYTES_MAX);
        ring.begin(direction, 5_000, frame.length(), frame.buffer(), frame.offset(), kept);
        ring.end(reason);
        frame.release();
    }

    private void writeSome() {
        write(TraceRing.SENT, peer.credit(7, 100, 0), null);
        write(TraceRing.RECEIVED, peer.data(7, 100, 50, 0, 9), null);
        write(TraceRing.RECEIVED, peer.data(7, 100, 50, 0, 9), CounterId.DROP_CREDIT_REUSED);
        write(TraceRing.SENT, peer.ack(150, 1_000, 1), null);
    }

    @Test
    void last_text_hasEachFrameOnALine() {
        writeSome();
        List<String> lines = text("--last").lines().toList();
        assertEquals(4, lines.size(), lines.toString());
        String ends = TestNetwork.address(1) + ":40000 > " + TestNetwork.address(2) + ":" + TestNetwork.PORT;
        assertTrue(lines.get(0).matches(".*\\.000005000 out " + ends + "  CREDIT 7 ack=100, \\d+ B"), lines.get(0));
        assertTrue(lines.get(2).contains(" in  "), lines.get(2));
        assertTrue(lines.get(2).endsWith(", dropped: DROP_CREDIT_REUSED"), lines.get(2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --type=data           | 2
            --type=credit,ack     | 2
            --type=open           | 0
            --drops               | 1
            --port=40000          | 4
            --port=1,2            | 0
            --count=3             | 3
            --flow=LOCAL          | 4
            --flow=LOCAL:40000    | 4
            --flow=LOCAL:40001    | 0
            --flow=LOCAL,REMOTE   | 4
            --flow=REMOTE,LOCAL   | 4
            --flow=LOCAL,LOCAL    | 0
            --flow=[fd00::1]:7000 | 0
            """)
    void last_filter_showsWhatItMeans(String option, int count) {
        writeSome();
        String given = option.replace("LOCAL", TestNetwork.address(1).toString())
                .replace("REMOTE", TestNetwork.address(2).toString());
        assertEquals(count, text("eth0", "--last", given).lines().count(), given);
    }

    @Test
    void write_pcapng_isReadByTsharkAndHasNoTagIfHidden() throws Exception {
        writeSome();
        Path file = folder.resolve("trace.pcapng");
        for (boolean isHidden : new boolean[] {false, true}) {
            String[] options = {"--last", "-w", file.toString(), "--hide"};
            CommandRun run = CommandRun.execute(words(Arrays.copyOf(options, isHidden ? 4 : 3)));
            assertEquals(ExitCode.DONE, run.await(), run.err());
            assertTrue(run.err().contains("4 frames written, 0 overwritten"), run.err());
            List<String> lines = new Tshark(Path.of("..", ".."), folder)
                    .dissect(file, "-T", "fields", "-e", "weir.tag", "-e", "_ws.col.Info", "-e", "frame.comment");
            assertEquals(4, lines.size(), lines.toString());
            assertEquals(
                    isHidden ? "0x0000000000000000" : "0x000000000000004d",
                    lines.get(0).split("\t", -1)[0]);
            assertTrue(lines.get(1).contains("DATA [100,150)"), lines.toString());
            assertTrue(lines.get(2).endsWith("received clock=5000 dropped=DROP_CREDIT_REUSED"), lines.toString());
        }
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void live_framesComeAndAreOverwritten_showsThemAndWhatIsMissing() {
        writeSome();
        CommandRun run = CommandRun.start(words("--type", "request"));
        run.awaitThat("show a frame", () -> {
            write(TraceRing.SENT, peer.request(8, 3), null);
            return run.out().contains("REQUEST");
        });
        assertFalse(run.out().contains("CREDIT"), "older frames");
        run.awaitThat("miss some", () -> {
            for (int i = 0; i < 2 * TraceRing.SLOTS_MIN; i++) {
                write(TraceRing.SENT, peer.request(8, 3), null);
            }
            return run.out().contains(" frames are missing");
        });
        assertEquals(ExitCode.DONE, run.stop(), run.err());
    }

    @Test
    void live_transportIsClosed_ends() throws IOException {
        CommandRun run = CommandRun.start(words());
        run.awaitThat("show a frame", () -> {
            write(TraceRing.SENT, peer.request(8, 3), null);
            return run.out().contains("REQUEST");
        });
        trace.close();
        assertEquals(ExitCode.DONE, run.await(), run.err());
    }

    @Test
    void time_isOver_ends() {
        assertEquals("", text("--time", "10ms"));
    }

    @Test
    void call_noSuchTransportOrNoFrames_saysSoWithStatus3() throws IOException {
        refused(ExitCode.ENVIRONMENT, "no transport of a process or interface eth7", "eth7");
        try (CounterFile second = CounterFile.create(new CounterFolder(folder.resolve("weir")), FACTS, 1)) {
            assertTrue(second.path().toString().endsWith(".2"));
            refused(ExitCode.ENVIRONMENT, "there are 2 transports", "eth0");
        }
        trace.close();
        refused(ExitCode.ENVIRONMENT, "weir.trace.frames=0", "eth0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --type=nonsense      | 'nonsense' is no type of frame; write one of [credit, data
            --port=70000         | 1 to 65535
            --flow=host          | 'host' is not an IPv4 or IPv6 address
            --flow=10.0.0.1:x    | has no port
            --flow=10.0.0.1:0    | has no port from 1
            --flow=1,2,3         | a flow has two
            --count=0            | write 1 or more
            --time=0s            | no time
            --hide               | add -w FILE
            """)
    void call_wrongOption_saysWhatIsRight(String option, String words) {
        refused(ExitCode.USAGE, words, option);
    }

    @Test
    void ended_captures_areListedTheOldestFirst() throws IOException {
        assertTrue(text("--ended").startsWith("no connection has left a capture in "), "none");
        Path archives = Files.createDirectory(TraceArchive.folderOf(counters.path()));
        Files.writeString(archives.resolve("2.pcapng"), "");
        Files.writeString(archives.resolve("1.pcapng"), "");
        Files.writeString(archives.resolve("other"), "");
        assertEquals(
                List.of(
                        archives.resolve("1.pcapng").toString(),
                        archives.resolve("2.pcapng").toString()),
                text("--ended").lines().toList());
    }
}
