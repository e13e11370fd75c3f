package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** Every frame that started on a link: when, where, how long, and its bytes. */
final class FrameRecord {
    private final List<Departure> departures = new ArrayList<>();

    /** One frame on one link, its bytes in hexadecimal. */
    record Departure(long atNanos, String link, int wireBytes, String bytes) {
        @Override
        public String toString() {
            return atNanos + " ns, " + link + ", " + wireBytes + " B: " + bytes;
        }
    }

    void add(String link, Frame frame, long nowNanos) {
        byte[] bytes = new byte[frame.length()];
        frame.buffer().getBytes(frame.offset(), bytes);
        departures.add(new Departure(
                nowNanos, link, frame.wireBytes(), HexFormat.ofDelimiter(" ").formatHex(bytes)));
    }

    /** {@return all frames by their times; those of one link and time in the order in which they started} */
    List<Departure> inOrder() {
        List<Departure> sorted = new ArrayList<>(departures);
        sorted.sort(Comparator.comparingLong(Departure::atNanos).thenComparing(Departure::link));
        return sorted;
    }
}
