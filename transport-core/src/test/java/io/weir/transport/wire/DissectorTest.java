package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.testing.Captures;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.testing.Tshark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests docs/wireshark/weir.lua: tshark must say of every frame what {@link FramePrinter} says. */
class DissectorTest {
    private static final Path SCRIPT = Path.of("..", "docs", "wireshark", "weir.lua");

    private static final int[] WINDOWS = {DataHeader.WINDOW_UNSET, 0, 45_000};

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireTshark() throws IOException, InterruptedException {
        Tshark.require();
    }

    private List<String> dissect(Path capture, String... options) throws IOException, InterruptedException {
        return new Tshark(Path.of(".."), folder).dissect(capture, options);
    }

    @Test
    void info_everyFrameOfARun_isWhatThePrinterSays() throws Exception {
        for (boolean isV6 : new boolean[] {false, true}) {
            List<String> expected = new ArrayList<>();
            Path capture = folder.resolve("run.pcap");
            record(capture, expected, isV6, ExpressPass.weir());
            List<String> infos = dissect(capture, "-T", "fields", "-e", "_ws.col.Info");
            assertEquals(expected, infos);
            Set<String> types =
                    infos.stream().map(info -> info.split(" ", 2)[0]).collect(Collectors.toSet());
            assertTrue(
                    types.containsAll(Set.of("OPEN", "CHALLENGE", "ACCEPT", "CREDIT", "DATA", "ACK")),
                    types.toString());
            assertTrue(
                    infos.stream().anyMatch(info -> info.startsWith("ACK") && info.contains("[")),
                    "an ack with ranges");
        }
    }

    private static void record(Path capture, List<String> expected, boolean isV6, ProtocolConfig protocol) {
        try (Captures pcap = new Captures(capture);
                TestNetwork network = new TestNetwork(3, 1_000_000_000L, protocol)
                        .ipv6(isV6)
                        .impaired(Fault.Impairment.NONE.withLoss(30_000), Long.MAX_VALUE)
                        .pair(20_000)) {
            network.simulator().setTrace((link, frame, now) -> {
                expected.add(FramePrinter.print(frame));
                pcap.write(frame, now);
            });
            network.connect(0, 1, 2, new StreamProbe(1, 100_000, 2), new StreamProbe(2, 20_000, 1));
            network.simulator().run(100_000_000);
        }
    }

    @Test
    void info_everyFrameOfEachReactiveProtocol_isWhatThePrinterSays() throws Exception {
        for (ProtocolKind kind : Catalogue.KINDS) {
            if (!kind.realPortObstacle().isEmpty()) {
                continue; // it leaves no frames on a real port to dissect
            }
            List<String> expected = new ArrayList<>();
            Path capture = folder.resolve("run.pcap");
            record(capture, expected, false, kind.usual());
            List<String> infos = dissect(capture, "-T", "fields", "-e", "_ws.col.Info");
            assertEquals(expected, infos, kind.toString());
            assertTrue(
                    infos.stream()
                            .anyMatch(info ->
                                    info.contains("protocol=" + kind.id().code())),
                    kind.toString());
        }
    }

    @Test
    void info_windowsAndMarks_areWhatThePrinterSays() throws Exception {
        FramePool pool = new FramePool(64, 2048);
        io.weir.transport.wire.Path path = io.weir.transport.wire.Path.from(1, TestNetwork.address(1), 40_000)
                .to(2, TestNetwork.address(2), TestNetwork.PORT);
        PeerFrames peer = new PeerFrames(pool, path, -1, new UnsafeBuffer(new byte[12]), Long.MIN_VALUE);
        List<String> expected = new ArrayList<>();
        Path capture = folder.resolve("marks.pcap");
        try (Captures pcap = new Captures(capture)) {
            for (int i = 0; i < 48; i++) {
                int window = WINDOWS[i / 16];
                int marks = i % 16;
                Frame data = peer.data(0, 1, 50);
                Frame ack = peer.ack(1, 20, 1, 5, 10);
                write(data, path, at -> DataHeader.window(data.buffer(), at, window, marks));
                write(ack, path, at -> AckHeader.window(ack.buffer(), at, window, marks));
                for (Frame frame : List.of(data, ack)) {
                    pcap.write(frame, expected.size());
                    expected.add(FramePrinter.print(frame));
                    frame.release();
                }
            }
        }
        assertEquals(expected, dissect(capture, "-T", "fields", "-e", "_ws.col.Info"));
        assertEquals("DATA [1,51) credit=0 backlog=0 rate=45000 RM RMA CNP", expected.get(2 * 47));
        assertTrue(expected.get(2 * 4 + 1).endsWith(" rate=none"), expected.get(2 * 4 + 1));
        List<String> details = dissect(capture, "-V");
        assertTrue(details.stream().noneMatch(line -> line.contains("Malformed") || line.contains("Lua Error")));
        assertTrue(details.stream().anyMatch(line -> line.contains("Rate granted by switches, kbit/s: 45000")));
        assertTrue(details.stream().anyMatch(line -> line.contains("Congestion notification (DCQCN): True")));
    }

    /** Writes them as a switch may, and mends the checksum. */
    private static void write(Frame frame, io.weir.transport.wire.Path path, IntConsumer change) {
        HeaderTemplate template = new HeaderTemplate(path);
        int bytes = frame.length() - template.bytes();
        change.accept(frame.offset() + template.bytes());
        template.finish(frame, bytes, Dscp.DATA, Dscp.ECN_ECT0);
    }

    @Test
    void script_protocolNames_areTheWordsOfTheirCodes() throws IOException {
        String script = Files.readString(SCRIPT);
        int start = script.indexOf("local protocols = {");
        String table = script.substring(start, script.indexOf('}', start));
        for (ProtocolKind kind : Catalogue.KINDS) {
            String code = "[" + kind.id().code() + "] = ";
            String entry = code + "\"" + kind.id().name() + "\"";
            assertTrue(!table.contains(code) || table.contains(entry), entry + " is not in " + table);
        }
        assertTrue(table.contains("[1] = \"expresspass\""), table);
    }

    @Test
    void info_everyTypeMadeByHand_isWhatThePrinterSaysAndIsWellFormed() throws Exception {
        FramePool pool = new FramePool(64, 2048);
        io.weir.transport.wire.Path path = io.weir.transport.wire.Path.from(1, TestNetwork.address(1), 40_000)
                .to(2, TestNetwork.address(2), TestNetwork.PORT);
        PeerFrames peer = new PeerFrames(pool, path, -1, new UnsafeBuffer(new byte[12]), Long.MIN_VALUE);
        List<Frame> frames = List.of(
                peer.open(7, 1L << 40),
                peer.challenge(),
                peer.accept(1_000, 5),
                peer.credit(4_294_967_295L, 7, 1),
                peer.data(3, 1L << 40, 50, DataHeader.FLAG_FIN, 9),
                peer.grantingData(4, 1L << 40, 50, 4_294_967_295L),
                peer.dataWithAck(5, 100, 50, 1L << 40, 1),
                peer.dataWithAck(5, 100, 50, 1L << 40, 1, (1L << 40) + 5, (1L << 40) + 10),
                peer.dataWithCredit(6, 100, 50, 4_294_967_295L, 16),
                peer.end(0),
                peer.ack(1L << 40, 20, 1, (1L << 40) + 5, (1L << 40) + 10, (1L << 40) + 20, (1L << 40) + 30),
                peer.request(8, 3),
                peer.stop(3),
                peer.reset(4));
        Path capture = folder.resolve("types.pcap");
        try (Captures pcap = new Captures(capture)) {
            frames.forEach(frame -> pcap.write(frame, frame.index()));
        }
        List<String> infos = dissect(capture, "-T", "fields", "-e", "_ws.col.Info");
        assertEquals(frames.stream().map(FramePrinter::print).toList(), infos);
        assertEquals(
                EnumSet.allOf(FrameType.class).stream().map(Enum::name).collect(Collectors.toSet()),
                infos.stream().map(info -> info.split(" ", 2)[0]).collect(Collectors.toSet()));
        List<String> details = dissect(capture, "-V");
        assertTrue(details.stream().noneMatch(line -> line.contains("Malformed") || line.contains("Lua Error")));
        assertTrue(details.stream().anyMatch(line -> line.contains("Highest credit received: 3")), "fields are named");
        List<String> bad = dissect(
                capture,
                "-o",
                "udp.check_checksum:TRUE",
                "-o",
                "ip.check_checksum:TRUE",
                "-Y",
                "udp.checksum.status == 0 || ip.checksum.status == 0");
        assertEquals(List.of(), bad, "frames whose checksums Wireshark finds wrong");
    }
}
