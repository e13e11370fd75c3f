package io.weir.transport.observation;

import io.weir.transport.telemetry.TraceRing;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Predicate;

/**
 * Writes the frames that a {@link TraceReader} reads as pcapng, those that are wanted, and says which are missing
 * because they had been overwritten. One thread.
 */
public final class TraceCapture implements AutoCloseable {
    private final TraceReader reader;
    private final PcapngWriter writer;
    private final Predicate<TracedFrame> filter;
    private final boolean isHiding;
    /** By loop: frames that are missing since the latest one that was written. */
    private final long[] missing;
    /** By loop: frames that were missing when {@link #writeStatistics} said so last. */
    private final long[] toldDropped;
    /** When the first frame was, in nanoseconds since 1970, or 0. */
    private long startNanos;
    /** When the latest one was. */
    private long latestNanos;
    /** Frames written. */
    private long count;

    /**
     * Begins a capture.
     *
     * @param interfaceName the transport's
     * @param description what it is, in a few words
     * @param isHiding whether tags, cookies and tokens are left out
     */
    public TraceCapture(
            TraceReader reader,
            OutputStream out,
            String interfaceName,
            String description,
            Predicate<TracedFrame> filter,
            boolean isHiding)
            throws IOException {
        this.reader = reader;
        this.filter = filter;
        this.isHiding = isHiding;
        this.writer = new PcapngWriter(out);
        this.missing = new long[reader.loopCount()];
        this.toldDropped = new long[reader.loopCount()];
        for (int i = 0; i < reader.loopCount(); i++) {
            String name = reader.loopCount() == 1 ? interfaceName : interfaceName + "." + i;
            writer.addInterface(name, description, TraceRing.KEPT_BYTES_MAX);
        }
        writer.flush();
    }

    /**
     * Writes the frames that there are since the latest call.
     *
     * @param countMax the most that are written in all
     * @return how many frames were read, wanted or not
     */
    public int poll(long countMax) throws IOException {
        int read = reader.poll(frame -> onFrame(frame, countMax));
        writer.flush();
        return read;
    }

    private void onFrame(TracedFrame frame, long countMax) throws IOException {
        missing[frame.loop()] += frame.droppedBefore();
        if (count >= countMax || !filter.test(frame)) {
            return;
        }
        if (isHiding) {
            frame.hideSecrets();
        }
        frame.writeTo(writer, frame.loop(), missing[frame.loop()]);
        missing[frame.loop()] = 0;
        latestNanos = Math.max(latestNanos, frame.wallNanos());
        startNanos = startNanos == 0 ? frame.wallNanos() : startNanos;
        count++;
    }

    /** {@return whether frames are missing of which no statistics tell yet} */
    public boolean hasNewDrops() {
        for (int i = 0; i < toldDropped.length; i++) {
            if (reader.dropped(i) != toldDropped[i]) {
                return true;
            }
        }
        return false;
    }

    /** Writes how many frames there were until now, and how many of those are missing. */
    public void writeStatistics() throws IOException {
        for (int i = 0; i < toldDropped.length; i++) {
            toldDropped[i] = reader.dropped(i);
            writer.statistics(i, startNanos, latestNanos, reader.seen(i), reader.dropped(i));
        }
        writer.flush();
    }

    /** {@return frames written} */
    public long count() {
        return count;
    }

    /** {@return frames that were overwritten before they were read} */
    public long dropped() {
        long sum = 0;
        for (int i = 0; i < toldDropped.length; i++) {
            sum += reader.dropped(i);
        }
        return sum;
    }

    /** Ends the capture with its statistics, and closes the stream. */
    @Override
    public void close() throws IOException {
        try {
            writeStatistics();
        } finally {
            writer.close();
        }
    }
}
