package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Every frame that started on a link: when, where, how long, and its bytes; and when frames came to nodes. */
final class FrameRecord {
    private final List<Departure> departures = new ArrayList<>();
    private final Set<Arrival> arrivals = new HashSet<>();
    private final List<Arrival> ties = new ArrayList<>();

    /** That a frame comes to a node. */
    record Arrival(long atNanos, String node) {}

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

    /** Notes that a frame will come to {@code node}. */
    void addArrival(String node, long atNanos) {
        Arrival arrival = new Arrival(atNanos, node);
        if (!arrivals.add(arrival)) {
            ties.add(arrival);
        }
    }

    /**
     * {@return when two frames came to one node in the same nanosecond: by two ports, as a link carries one at a time}
     */
    List<Arrival> ties() {
        return List.copyOf(ties);
    }

    /** {@return all frames by their times; those of one link and time in the order in which they started} */
    List<Departure> inOrder() {
        List<Departure> sorted = new ArrayList<>(departures);
        sorted.sort(Comparator.comparingLong(Departure::atNanos).thenComparing(Departure::link));
        return sorted;
    }
}
