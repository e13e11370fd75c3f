package io.weir.transport.observation;

import io.weir.transport.telemetry.TraceRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Follows the frames of a transport, from outside its process and without its help. What has been overwritten before it
 * was read is counted. The file is copied, not mapped: one that is cut short hurts nobody. One thread.
 */
public final class TraceReader implements AutoCloseable {
    private static final int LOOPS_MAX = 64;

    private final Path file;
    private final FileChannel channel;
    private final String[] reasons;
    private final long openedNanos;
    private final Loop[] loops;
    private final UnsafeBuffer headers = TracedFrame.newMemory();

    /** Is told of each frame. */
    @FunctionalInterface
    public interface Sink {
        /** The frame's headers are good until this returns. */
        void onFrame(TracedFrame frame) throws IOException;
    }

    /** Where the reader is in a loop's ring. */
    private static final class Loop {
        private final int index;
        private final long ringAt;
        private final int slots;
        private final ByteBuffer header = newBuffer(TraceRing.HEADER_BYTES);
        private final ByteBuffer copies;
        /** The number of the next slot to read, or -1 before the first look. */
        private long next = -1;
        /** Where in {@link #copies} the next frame is. */
        private int at;
        /** Where in {@link #copies} the frames end. */
        private int end;
        /** Frames right before the next one that were overwritten. */
        private long missing;
        /** All of those. */
        private long dropped;
        /** Frames since the first look, those among them. */
        private long seen;
        /** When the loop's clock was 0, in nanoseconds since 1970. */
        private long epochNanos;

        Loop(int index, long ringAt, int slots) {
            this.index = index;
            this.ringAt = ringAt;
            this.slots = slots;
            this.copies = newBuffer(slots * TraceRing.SLOT_BYTES);
        }

        private boolean hasFrame() {
            return at < end;
        }

        private long frameNanos() {
            return copies.getLong(at + TraceRing.NANOS_OFFSET);
        }

        private void miss(long count) {
            missing += count;
            dropped += count;
        }
    }

    private TraceReader(Path file, FileChannel channel, ByteBuffer header) throws IOException {
        this.file = file;
        this.channel = channel;
        int loopCount = header.getInt(TraceFile.LOOPS_OFFSET);
        int slots = header.getInt(TraceFile.SLOTS_OFFSET);
        int reasonBytes = header.getInt(TraceFile.REASONS_OFFSET);
        boolean isPossible = loopCount >= 1
                && loopCount <= LOOPS_MAX
                && slots >= TraceRing.SLOTS_MIN
                && slots <= TraceRing.SLOTS_MAX
                && Integer.bitCount(slots) == 1
                && header.getInt(TraceFile.SLOT_BYTES_OFFSET) == TraceRing.SLOT_BYTES
                && reasonBytes >= 0
                && reasonBytes <= TraceFile.HEADER_BYTES - TraceFile.REASONS_OFFSET - Integer.BYTES;
        if (!isPossible || channel.size() != TraceFile.HEADER_BYTES + (long) loopCount * TraceRing.bytes(slots)) {
            throw new IOException(file + " is cut short or damaged: it has " + channel.size() + " B");
        }
        byte[] names = new byte[reasonBytes];
        header.get(TraceFile.REASONS_OFFSET + Integer.BYTES, names);
        this.reasons = new String(names, StandardCharsets.US_ASCII).split(" ", -1);
        this.openedNanos = header.getLong(TraceFile.OPENED_NANOS_OFFSET);
        this.loops = new Loop[loopCount];
        for (int i = 0; i < loopCount; i++) {
            loops[i] = new Loop(i, TraceFile.HEADER_BYTES + (long) i * TraceRing.bytes(slots), slots);
        }
    }

    private static ByteBuffer newBuffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * {@return a reader of the frames of the transport that has this counter file}
     *
     * @throws IOException with a sentence, if there is no trace file, or none that it can read
     */
    public static TraceReader open(Path counterFile) throws IOException {
        Path file = TraceFile.nextTo(counterFile);
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(file + " is no file");
            }
            FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            try {
                return new TraceReader(file, channel, readHeader(file, channel));
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (NoSuchFileException e) {
            throw new IOException(
                    file + " is not there: the transport keeps no frames (-D" + TraceFile.PROPERTY
                            + "=0), had no room for them, or is gone",
                    e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + " cannot be read; ask its user, or root", e);
        }
    }

    private static ByteBuffer readHeader(Path file, FileChannel channel) throws IOException {
        ByteBuffer header = newBuffer(TraceFile.HEADER_BYTES);
        if (!read(channel, header, 0) || header.getLong(TraceFile.MAGIC_OFFSET) != TraceFile.MAGIC) {
            throw new IOException(file + " is no trace file, is cut short, or is just being made");
        }
        int version = header.getInt(TraceFile.VERSION_OFFSET);
        if (version != TraceFile.VERSION) {
            throw new IOException(file + " has version " + version + ", and this reader knows " + TraceFile.VERSION
                    + "; use the weir command of that process");
        }
        return header;
    }

    /** {@return whether the file had as many bytes as the buffer has room} Then that is full, from its start. */
    private static boolean read(FileChannel channel, ByteBuffer target, long position) throws IOException {
        int start = target.position();
        int count = 0;
        while (target.hasRemaining() && count >= 0) {
            count = channel.read(target, position + target.position() - start);
        }
        return !target.hasRemaining();
    }

    private void requireRead(ByteBuffer target, long position) throws IOException {
        if (!read(channel, target, position)) {
            throw new IOException(file + " was cut short");
        }
    }

    /** Passes over all frames that there are by now: those that come later are read. */
    public void skipToEnd() throws IOException {
        for (Loop loop : loops) {
            loop.next = endedNow(loop);
        }
    }

    private long endedNow(Loop loop) throws IOException {
        requireRead(loop.header.clear(), loop.ringAt);
        loop.epochNanos = loop.header.getLong(TraceRing.EPOCH_OFFSET);
        return loop.header.getLong(TraceRing.ENDED_OFFSET);
    }

    /**
     * Hands over all frames since the latest call, by their time: at the first one all that are still there.
     *
     * @return how many
     */
    public int poll(Sink sink) throws IOException {
        int count = 0;
        for (Loop loop : loops) {
            copyNew(loop);
        }
        for (Loop loop = earliest(); loop != null; loop = earliest()) {
            sink.onFrame(take(loop));
            count++;
        }
        return count;
    }

    private void copyNew(Loop loop) throws IOException {
        long ended = endedNow(loop);
        boolean isFirst = loop.next < 0;
        long oldest = Math.max(0, ended - loop.slots);
        long from = isFirst ? oldest : loop.next;
        if (ended < from) {
            throw new IOException(file + " is damaged: its frames are fewer than they were");
        }
        long missed = Math.max(0, oldest - from);
        from = Math.max(from, oldest);
        int count = (int) (ended - from);
        if (count > 0) {
            copySlots(loop, from, count);
            requireRead(loop.header.clear(), loop.ringAt);
            long whole = loop.header.getLong(TraceRing.BEGUN_OFFSET) - loop.slots;
            int overwritten = (int) Math.max(0, Math.min(count, whole - from));
            loop.at = overwritten * TraceRing.SLOT_BYTES;
            loop.end = count * TraceRing.SLOT_BYTES;
            missed += overwritten;
        }
        if (isFirst) {
            // What was overwritten before the first look is older than what the ring keeps.
            loop.seen += Math.max(0, count - missed);
        } else {
            loop.seen += ended - loop.next;
            loop.miss(missed);
        }
        loop.next = ended;
    }

    private void copySlots(Loop loop, long from, int count) throws IOException {
        int first = (int) (from & (loop.slots - 1L));
        int untilEnd = Math.min(count, loop.slots - first);
        long slotsAt = loop.ringAt + TraceRing.HEADER_BYTES;
        loop.copies.clear().limit(untilEnd * TraceRing.SLOT_BYTES);
        requireRead(loop.copies, slotsAt + (long) first * TraceRing.SLOT_BYTES);
        loop.copies.limit(count * TraceRing.SLOT_BYTES);
        requireRead(loop.copies, slotsAt);
    }

    private Loop earliest() {
        Loop found = null;
        for (Loop loop : loops) {
            if (loop.hasFrame() && (found == null || loop.frameNanos() < found.frameNanos())) {
                found = loop;
            }
        }
        return found;
    }

    /** Damage inside a slot makes the frame wrong, and nothing worse. */
    private TracedFrame take(Loop loop) {
        ByteBuffer slots = loop.copies;
        int slot = loop.at;
        loop.at += TraceRing.SLOT_BYTES;
        int kept = slots.getShort(slot + TraceRing.KEPT_BYTES_OFFSET);
        kept = Math.max(0, Math.min(kept, TraceRing.KEPT_BYTES_MAX));
        headers.setMemory(0, TraceRing.SLOT_BYTES, (byte) 0);
        headers.putBytes(0, slots, slot + TraceRing.FRAME_OFFSET, kept);
        int reason = Byte.toUnsignedInt(slots.get(slot + TraceRing.REASON_OFFSET)) - 1;
        long missing = loop.missing;
        loop.missing = 0;
        return new TracedFrame(
                loop.index,
                slots.getLong(slot + TraceRing.NANOS_OFFSET),
                loop.epochNanos,
                slots.getInt(slot + TraceRing.FRAME_BYTES_OFFSET),
                slots.get(slot + TraceRing.DIRECTION_OFFSET) == TraceRing.RECEIVED,
                reasonOf(reason),
                missing,
                headers,
                kept);
    }

    private String reasonOf(int reason) {
        if (reason < 0) {
            return null;
        }
        return reason < reasons.length ? reasons[reason] : "reason " + reason;
    }

    /** {@return how many loops there are} */
    public int loopCount() {
        return loops.length;
    }

    /** {@return frames that a loop has had since the first look, with those that were overwritten} */
    public long seen(int loop) {
        return loops[loop].seen;
    }

    /** {@return frames of a loop that were overwritten before they were read} */
    public long dropped(int loop) {
        return loops[loop].dropped;
    }

    /** {@return when the transport was opened, in nanoseconds since 1970} */
    public long openedNanos() {
        return openedNanos;
    }

    /** {@return whether the transport still has its file: it removes it when it is closed} */
    public boolean isThere() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
