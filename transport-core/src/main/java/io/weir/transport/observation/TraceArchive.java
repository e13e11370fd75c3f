package io.weir.transport.observation;

import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.wire.FrameEnds;
import io.weir.transport.wire.Path;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps the last frames of connections that ended badly: for each a capture, in a folder of its user that has room for
 * {@value #FILES_MAX} and {@value #BYTES_MAX} bytes, the oldest of which make room. A loop hands over which connection;
 * a thread that exists only then writes.
 */
public final class TraceArchive implements AutoCloseable {
    /** The most files that the folder has. */
    public static final int FILES_MAX = 16;
    /** The most bytes that they have. */
    public static final long BYTES_MAX = 16L << 20;
    /** A loop archives no more than one connection in this time. */
    public static final long GAP_NANOS_MIN = 100_000_000;

    private static final int LOOKS_MAX = 1_000;
    private static final long LOOK_NANOS = 20_000;
    private static final int WAITING_MAX = 16;
    private static final long IDLE_MILLIS = 1_000;
    private static final String SUFFIX = ".pcapng";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final java.nio.file.Path counterFile;
    private final String interfaceName;
    private final ThreadPoolExecutor writer;
    /** By loop: when it archived last, by its clock. Each is its loop's. */
    private final long[] latestNanos;

    private final AtomicLong writtenCount = new AtomicLong();
    private final AtomicLong skippedCount = new AtomicLong();

    /** Creates an archive of the transport that has this counter file, and frames next to it. */
    public TraceArchive(java.nio.file.Path counterFile, String interfaceName, int loopCount) {
        this.counterFile = counterFile;
        this.interfaceName = interfaceName;
        this.latestNanos = new long[loopCount];
        Arrays.fill(latestNanos, -GAP_NANOS_MIN);
        this.writer = new ThreadPoolExecutor(
                1, 1, IDLE_MILLIS, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(WAITING_MAX), work -> {
                    Thread thread = new Thread(work, "weir-archive");
                    thread.setDaemon(true);
                    return thread;
                });
        writer.allowCoreThreadTimeOut(true);
    }

    /** {@return where the archives are of the user who has this counter file} */
    public static java.nio.file.Path folderOf(java.nio.file.Path counterFile) {
        return counterFile.resolveSibling(TraceFile.ENDED_FOLDER);
    }

    /**
     * A ring at a moment.
     *
     * @param frames a loop's
     * @param nowNanos the loop's time
     */
    public record Ring(TraceRing frames, long nowNanos) {}

    /**
     * Has what a loop's ring has of a connection written. The loop's thread; it waits for nobody.
     *
     * @param reason how the connection ended, in words
     */
    public void offer(int loop, Path path, String reason, Ring ring) {
        if (ring.nowNanos() - latestNanos[loop] < GAP_NANOS_MIN) {
            skippedCount.incrementAndGet();
            return;
        }
        latestNanos[loop] = ring.nowNanos();
        TraceRing frames = ring.frames();
        long begun = frames.begunCount();
        try {
            writer.execute(() -> {
                awaitEnded(frames, begun);
                write(loop, path, reason);
            });
        } catch (RejectedExecutionException e) {
            skippedCount.incrementAndGet();
        }
    }

    /** The frame that ended the connection may still be at hand; its slot ends within microseconds. */
    private static void awaitEnded(TraceRing frames, long begun) {
        for (int i = 0; i < LOOKS_MAX && frames.count() < begun; i++) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void write(int loop, Path path, String reason) {
        try {
            ByteBuffer capture = capture(loop, path, reason);
            if (capture != null) {
                keep(capture, path, reason);
                writtenCount.incrementAndGet();
            }
        } catch (IOException | RuntimeException e) {
            // Nothing depends on it, and the folder may be full or gone.
            skippedCount.incrementAndGet();
        }
    }

    /** {@return the connection's frames, or null if there are none any more} */
    private ByteBuffer capture(int loop, Path path, String reason) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceReader reader = TraceReader.open(counterFile);
                TraceCapture capture = new TraceCapture(
                        reader,
                        bytes,
                        interfaceName,
                        "connection " + end(path, true) + " to " + end(path, false) + ": " + reason,
                        frame -> frame.loop() == loop && isOf(frame.ends(), path),
                        false)) {
            capture.poll(Long.MAX_VALUE);
            if (capture.count() == 0) {
                return null;
            }
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static boolean isOf(FrameEnds ends, Path path) {
        return ends != null && ends.isOn(path);
    }

    private static String end(Path path, boolean isLocal) {
        return isLocal ? path.local() + " port " + path.localPort() : path.remote() + " port " + path.remotePort();
    }

    private void keep(ByteBuffer capture, Path path, String reason) throws IOException {
        java.nio.file.Path folder = folderOf(counterFile);
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            // As a rule.
        }
        // An IPv6 address has colons, which some file systems do not.
        String name = TIME.format(Instant.now()) + "-" + path.local() + "_" + path.localPort() + "-" + path.remote()
                + "_" + path.remotePort() + "-" + reason;
        java.nio.file.Path file = folder.resolve(name.replaceAll("[^A-Za-z0-9._-]", "-") + SUFFIX);
        makeRoom(folder, capture.remaining());
        try (FileChannel channel = CounterFolder.create(file)) {
            if (channel == null) {
                throw new IOException(file + " is there already");
            }
            while (capture.hasRemaining()) {
                channel.write(capture);
            }
        }
    }

    /** Removes the oldest until one more of this length has room; their names begin with their time. */
    private static void makeRoom(java.nio.file.Path folder, long neededBytes) throws IOException {
        List<java.nio.file.Path> files = list(folder);
        long bytes = neededBytes;
        for (java.nio.file.Path file : files) {
            bytes += size(file);
        }
        int count = files.size() + 1;
        for (int i = 0; i < files.size() && (bytes > BYTES_MAX || count > FILES_MAX); i++) {
            bytes -= size(files.get(i));
            count--;
            Files.deleteIfExists(files.get(i));
        }
    }

    private static long size(java.nio.file.Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            // Another process has removed it.
            return 0;
        }
    }

    /** {@return the archives in a folder, the oldest first; none where there is no folder} */
    public static List<java.nio.file.Path> list(java.nio.file.Path folder) throws IOException {
        List<java.nio.file.Path> files = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<java.nio.file.Path> entries = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
                entries.forEach(files::add);
            }
        }
        files.sort(null);
        return files;
    }

    /** {@return captures written} */
    public long writtenCount() {
        return writtenCount.get();
    }

    /** {@return connections that were not archived: too soon after another, or there was no room} */
    public long skippedCount() {
        return skippedCount.get();
    }

    /** Waits until what was offered is written: a few files. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            boolean hasEnded = writer.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            assert hasEnded;
        } catch (InterruptedException e) {
            writer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
