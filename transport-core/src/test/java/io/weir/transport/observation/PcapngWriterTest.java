package io.weir.transport.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Tshark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link PcapngWriter}: tshark reads what it writes, also where it stops half-way. */
class PcapngWriterTest {
    private static final long NANOS = 1_700_000_000_123_456_789L;
    private static final UnsafeBuffer FRAME = new UnsafeBuffer(new byte[100]);

    @TempDir
    private Path folder;

    private static PcapngWriter.About about(int interfaceIndex, PcapngWriter.Direction direction, long dropped) {
        return new PcapngWriter.About(
                interfaceIndex, NANOS, 1_514, direction, dropped, dropped == 0 ? null : "dropped=DROP_CRC \u00fc");
    }

    @Test
    void frame_withAllThatIsKnown_isWhatTsharkShows() throws Exception {
        Path file = folder.resolve("all.pcapng");
        try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(file))) {
            assertEquals(0, writer.addInterface("eth0", "afxdp native/copy", 176));
            assertEquals(1, writer.addInterface("eth0.1", null, 176));
            writer.frame(about(0, PcapngWriter.Direction.INBOUND, 0), FRAME, 0, 61);
            writer.frame(about(1, PcapngWriter.Direction.OUTBOUND, 17), FRAME, 0, 62);
            writer.frame(about(1, PcapngWriter.Direction.UNKNOWN, 0), FRAME, 0, 0);
            writer.statistics(1, NANOS - 5, NANOS, 4_711, 17);
            assertEquals(writer.byteCount(), Files.size(file));
        }
        List<String> lines = new Tshark(Path.of(".."), folder)
                .dissect(
                        file,
                        "-T",
                        "fields",
                        "-E",
                        "separator=|",
                        "-e",
                        "frame.interface_name",
                        "-e",
                        "frame.interface_description",
                        "-e",
                        "frame.time_epoch",
                        "-e",
                        "frame.len",
                        "-e",
                        "frame.cap_len",
                        "-e",
                        "frame.packet_flags_direction",
                        "-e",
                        "frame.drop_count",
                        "-e",
                        "frame.comment");
        assertEquals(3, lines.size(), lines.toString());
        assertEquals("eth0|afxdp native/copy|1700000000.123456789|1514|61|1||", hexless(lines.get(0)));
        assertEquals("eth0.1||1700000000.123456789|1514|62|2|17|dropped=DROP_CRC \u00fc", hexless(lines.get(1)));
        assertEquals("eth0.1||1700000000.123456789|1514|0|||", hexless(lines.get(2)));
    }

    /** {@return the line with its numbers as decimals} */
    private static String hexless(String line) {
        return line.replaceAll("0x0+([0-9]+)", "$1");
    }

    @Test
    void statistics_droppedFrames_areWhatCapinfosCounts() throws Exception {
        Path file = folder.resolve("statistics.pcapng");
        try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(file))) {
            writer.addInterface("eth0", null, 176);
            writer.frame(about(0, PcapngWriter.Direction.INBOUND, 0), FRAME, 0, 60);
            writer.statistics(0, NANOS - 5, NANOS, 4_711, 4_710);
        }
        Tshark.require();
        Process capinfos = new ProcessBuilder("capinfos", "-M", file.toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(capinfos.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, capinfos.waitFor(), text);
        assertTrue(text.contains("Number of stat entries = 1"), text);
    }

    @Test
    void file_thatEndsAnywhere_isReadUpToThere() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Integer> ends = new ArrayList<>();
        try (PcapngWriter writer = new PcapngWriter(bytes)) {
            writer.addInterface("eth0", null, 176);
            for (int i = 1; i <= 3; i++) {
                ends.add(bytes.size());
                writer.frame(about(0, PcapngWriter.Direction.INBOUND, i), FRAME, 0, 60 + i);
            }
        }
        Tshark tshark = new Tshark(Path.of(".."), folder);
        assertEquals(2, count(tshark, bytes, ends.get(2), 0));
        // tshark says that the file is cut short, by its status too.
        assertEquals(1, count(tshark, bytes, ends.get(1) + 30, 2));
    }

    private int count(Tshark tshark, ByteArrayOutputStream bytes, int length, int status)
            throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("part.pcapng"), Arrays.copyOf(bytes.toByteArray(), length));
        List<String> lines = new ArrayList<>();
        assertEquals(status, tshark.run(file, lines, "-T", "fields", "-e", "frame.len"), lines.toString());
        return lines.size();
    }
}
