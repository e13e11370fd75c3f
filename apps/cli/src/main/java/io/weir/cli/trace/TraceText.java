package io.weir.cli.trace;

import io.weir.transport.observation.TraceFilter;
import io.weir.transport.observation.TraceReader;
import io.weir.transport.observation.TracedFrame;
import io.weir.transport.wire.FrameEnds;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Prints the frames of a trace, each on a line. */
final class TraceText implements TraceOutput {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSSSSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final TraceReader reader;
    private final TraceFilter filter;
    private final PrintWriter out;
    /** Frames printed. */
    private long count;
    /** Frames that are missing since the latest line. */
    private long missing;

    TraceText(TraceReader reader, TraceFilter filter, PrintWriter out) {
        this.reader = reader;
        this.filter = filter;
        this.out = out;
    }

    @Override
    public int poll(long countMax) throws IOException {
        int read = reader.poll(frame -> onFrame(frame, countMax));
        out.flush();
        return read;
    }

    private void onFrame(TracedFrame frame, long countMax) {
        missing += frame.droppedBefore();
        if (count >= countMax || !filter.accepts(frame)) {
            return;
        }
        if (missing > 0) {
            out.println("... " + missing + " frames are missing, which were overwritten before they were read");
            missing = 0;
        }
        out.println(line(frame));
        count++;
    }

    private static String line(TracedFrame frame) {
        FrameEnds ends = frame.ends();
        Instant time = Instant.ofEpochSecond(
                Math.floorDiv(frame.wallNanos(), NANOS_PER_SECOND), Math.floorMod(frame.wallNanos(), NANOS_PER_SECOND));
        return TIME.format(time) + (frame.isReceived() ? " in  " : " out ") + (ends == null ? "" : ends.text() + "  ")
                + frame.print() + ", " + frame.frameBytes() + " B"
                + (frame.reason() == null ? "" : ", dropped: " + frame.reason());
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public void onIdle() {
        // Each line is printed at once.
    }

    @Override
    public void close() {
        out.flush();
    }
}
