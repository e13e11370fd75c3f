package io.weir.transport.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.telemetry.Subject;
import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.TracedHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link TraceArchive}: what is kept of connections that ended badly, and that it is bounded. */
class TraceArchiveTest {
    private static final CounterFile.Facts FACTS =
            new CounterFile.Facts(Subject.TRANSPORT, "eth0", "afxdp", "native/copy", "", "dx:2");

    @TempDir
    private Path parent;

    private final FramePool pool = new FramePool(64, 2048);
    private CounterFile counters;
    private TraceFile trace;
    private TraceRing ring;
    private TraceArchive archive;

    @BeforeEach
    void create() throws IOException {
        counters = CounterFile.create(new CounterFolder(parent.resolve("weir")), FACTS, 1);
        trace = TraceFile.create(counters, 1, TraceRing.SLOTS_MIN);
        ring = trace.ring(0);
        archive = new TraceArchive(counters.path(), "eth0", 1);
    }

    @AfterEach
    void close() throws IOException {
        archive.close();
        trace.close();
        counters.close();
    }

    private static io.weir.transport.wire.Path path(int port) {
        return io.weir.transport.wire.Path.from(1, TestNetwork.address(1), port)
                .to(2, TestNetwork.address(2), TestNetwork.PORT);
    }

    private void write(int port) {
        Frame frame = new PeerFrames(pool, path(port), 7, new UnsafeBuffer(new byte[12]), 7).request(8, 3);
        int kept = TracedHeaders.bytes(frame.buffer(), frame.offset(), frame.length(), TraceRing.KEPT_BYTES_MAX);
        ring.begin(TraceRing.SENT, 5, frame.length(), frame.buffer(), frame.offset(), kept);
        ring.end(null);
        frame.release();
    }

    private void offer(int port, long nowNanos) {
        archive.offer(0, path(port), "RESET", new TraceArchive.Ring(ring, nowNanos));
    }

    private void awaitDone(long count) {
        while (archive.writtenCount() + archive.skippedCount() < count) {
            Thread.onSpinWait();
        }
    }

    private List<Path> files() throws IOException {
        return TraceArchive.list(TraceArchive.folderOf(counters.path()));
    }

    @Test
    void offer_manyConnections_keepsTheLatestAndNoMoreThanItMay() throws IOException {
        int count = TraceArchive.FILES_MAX + 4;
        for (int i = 1; i <= count; i++) {
            write(i);
            offer(i, i * TraceArchive.GAP_NANOS_MIN);
            awaitDone(i);
        }
        assertEquals(0, archive.skippedCount());
        List<Path> files = files();
        assertEquals(TraceArchive.FILES_MAX, files.size());
        assertTrue(files.get(0).toString().contains("_5-" + TestNetwork.address(2)), files.toString());
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(files.get(0).getParent())));
    }

    @Test
    void offer_filesThatAreLong_makesRoomByBytes() throws IOException {
        Path folder = Files.createDirectory(TraceArchive.folderOf(counters.path()));
        Path old = Files.write(folder.resolve("1.pcapng"), new byte[(int) TraceArchive.BYTES_MAX - 100]);
        Path newer = Files.write(folder.resolve("2.pcapng"), new byte[10]);
        write(9);
        offer(9, TraceArchive.GAP_NANOS_MIN);
        awaitDone(1);
        assertEquals(2, files().size());
        assertTrue(Files.exists(newer) && !Files.exists(old), files().toString());
    }

    @Test
    void offer_tooSoonOrWithoutFrames_leavesNoFile() throws IOException {
        write(1);
        write(2);
        offer(1, 0);
        offer(2, TraceArchive.GAP_NANOS_MIN - 1);
        awaitDone(2);
        assertEquals(1, archive.skippedCount());
        offer(3, 2 * TraceArchive.GAP_NANOS_MIN);
        archive.close();
        assertEquals(1, files().size(), "a connection without frames");
        assertTrue(files().get(0).toString().endsWith("-RESET.pcapng"), files().toString());
    }
}
