package io.weir.transport.observation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * What was read of a file: a snapshot, or a sentence that says why there is none. The file is copied, not mapped: one
 * that is cut short meanwhile hurts nobody.
 *
 * @param file the file
 * @param snapshot what its transport counted, or null
 * @param problem why there is no snapshot, or null
 * @param isStale whether the process that wrote it has ended
 */
public record CounterReading(Path file, CounterSnapshot snapshot, String problem, boolean isStale) {
    /** Longer than any file of 64 loops is. */
    private static final long BYTES_MAX = 64L << 20;

    /** A loop writes its table once a second, for microseconds; one that has died meanwhile never ends. */
    private static final int TRIES_MAX = 10;

    private static final Set<OpenOption> OPTIONS = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /** {@return what is in a file now} Whatever is in it, and whatever happens to it meanwhile. */
    public static CounterReading of(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return problem(file, Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? "is no file" : "is gone");
            }
            ByteBuffer content = read(file, BYTES_MAX);
            for (int i = 1; i < TRIES_MAX && isWhole(content) && !CounterSnapshot.isSteady(content); i++) {
                content = read(file, BYTES_MAX);
            }
            return of(file, content);
        } catch (NoSuchFileException e) {
            return problem(file, "is gone");
        } catch (AccessDeniedException e) {
            return problem(file, "cannot be read; ask its user, or root");
        } catch (IOException e) {
            return problem(file, "cannot be read: " + e.getMessage());
        }
    }

    private static boolean isWhole(ByteBuffer content) {
        return isCounterFile(content)
                && content.getInt(CounterFileLayout.VERSION_OFFSET) == CounterFileLayout.VERSION
                && CounterSnapshot.isWhole(content);
    }

    private static boolean isCounterFile(ByteBuffer content) {
        return content.limit() >= CounterFileLayout.HEADER_BYTES
                && content.getLong(CounterFileLayout.MAGIC_OFFSET) == CounterFileLayout.MAGIC;
    }

    private static CounterReading problem(Path file, String words) {
        return new CounterReading(file, null, file + " " + words, false);
    }

    /**
     * {@return whether a file was that of a process that has ended, and was removed} It looks at the header alone. What
     * cannot be read or removed is no hindrance.
     */
    static boolean removeIfStale(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            ByteBuffer header = read(file, CounterFileLayout.HEADER_BYTES);
            return isCounterFile(header) && writer(header).hasEnded() && delete(file);
        } catch (IOException e) {
            return false;
        }
    }

    /** The frames that the same transport has seen go with it. */
    private static boolean delete(Path file) throws IOException {
        Files.deleteIfExists(TraceFile.nextTo(file));
        return Files.deleteIfExists(file);
    }

    private static ProcessIdentity writer(ByteBuffer content) {
        return new ProcessIdentity(
                content.getLong(CounterFileLayout.PROCESS_ID_OFFSET),
                content.getLong(CounterFileLayout.START_TICKS_OFFSET),
                content.getLong(CounterFileLayout.NAMESPACE_OFFSET));
    }

    private static ByteBuffer read(Path file, long bytesMax) throws IOException {
        try (FileChannel channel = FileChannel.open(file, OPTIONS)) {
            long bytes = Math.min(channel.size(), bytesMax);
            ByteBuffer content = ByteBuffer.allocate((int) bytes).order(ByteOrder.nativeOrder());
            int count = 0;
            while (content.hasRemaining() && count >= 0) {
                count = channel.read(content);
            }
            return content.flip();
        }
    }

    private static CounterReading of(Path file, ByteBuffer content) {
        int bytes = content.limit();
        if (!isCounterFile(content)) {
            return problem(file, "is no counter file, is cut short, or is just being made");
        }
        int version = content.getInt(CounterFileLayout.VERSION_OFFSET);
        ProcessIdentity process = writer(content);
        boolean isStale = process.hasEnded();
        if (version != CounterFileLayout.VERSION) {
            return new CounterReading(
                    file,
                    null,
                    file + " has version " + version + ", and this reader knows " + CounterFileLayout.VERSION
                            + "; use the weir command of process " + process.processId(),
                    isStale);
        }
        if (!CounterSnapshot.isWhole(content)) {
            return new CounterReading(file, null, file + " is cut short or damaged: it has " + bytes + " B", isStale);
        }
        return new CounterReading(file, CounterSnapshot.of(content), null, isStale);
    }

    /** {@return whether a stale file was removed} One that cannot be removed stays. */
    public boolean remove() {
        try {
            return isStale && delete(file);
        } catch (IOException e) {
            return false;
        }
    }
}
