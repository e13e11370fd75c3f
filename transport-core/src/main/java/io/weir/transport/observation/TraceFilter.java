package io.weir.transport.observation;

import io.weir.transport.wire.FrameEnds;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.IpAddress;
import java.util.List;
import java.util.Set;

/**
 * Which frames of a trace are wanted: those that satisfy all of it.
 *
 * @param ends addresses, with or without a port, each of which is an end of the frame; none for any
 * @param ports UDP ports, one of which is a port of the frame; none for any
 * @param types what the frame may be; none for anything
 * @param dropsOnly whether only dropped frames are wanted
 */
public record TraceFilter(List<End> ends, Set<Integer> ports, Set<FrameType> types, boolean dropsOnly) {
    /** Everything. */
    public static final TraceFilter ALL = new TraceFilter(List.of(), Set.of(), Set.of(), false);

    /**
     * An end of a flow.
     *
     * @param address its address
     * @param port its UDP port, or 0 for any
     */
    public record End(IpAddress address, int port) {
        private boolean isAt(IpAddress otherAddress, int otherPort) {
            return address.equals(otherAddress) && (port == 0 || port == otherPort);
        }
    }

    public TraceFilter {
        ends = List.copyOf(ends);
        ports = Set.copyOf(ports);
        types = Set.copyOf(types);
    }

    /** {@return whether a frame is wanted} */
    public boolean accepts(TracedFrame frame) {
        if (dropsOnly && frame.reason() == null) {
            return false;
        }
        if (ends.isEmpty() && ports.isEmpty() && types.isEmpty()) {
            return true;
        }
        FrameEnds found = frame.ends();
        return found != null
                && (types.isEmpty() || (found.type() != null && types.contains(found.type())))
                && (ports.isEmpty() || ports.contains(found.sourcePort()) || ports.contains(found.destinationPort()))
                && isBetween(found);
    }

    private boolean isBetween(FrameEnds found) {
        if (ends.isEmpty()) {
            return true;
        }
        End first = ends.get(0);
        boolean isFrom = first.isAt(found.source(), found.sourcePort());
        boolean isTo = first.isAt(found.destination(), found.destinationPort());
        if (ends.size() == 1) {
            return isFrom || isTo;
        }
        End second = ends.get(1);
        return (isFrom && second.isAt(found.destination(), found.destinationPort()))
                || (isTo && second.isAt(found.source(), found.sourcePort()));
    }
}
