package io.weir.transport.scenario.run;

import io.weir.pacer.RateMath;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.scenario.topology.Wiring.Port;
import io.weir.transport.wire.AcceptHeader;
import java.util.Arrays;

/** How long a handshake takes between hosts of a network in which nothing else is on its way. */
final class RoundTrips {
    private static final int UNREACHED = -1;
    /** An opening, or an acceptance, over IPv4. */
    private static final int WIRE_BYTES = AcceptHeader.BYTES + 66;

    private final Wiring wiring;
    /** Nanoseconds from {@link #origin} to each Node and back; {@link #UNREACHED} while not known. */
    private final long[] nanos;

    private final int[] queue;
    /** The host that {@link #nanos} are for. */
    private int origin = UNREACHED;

    RoundTrips(Wiring wiring) {
        this.wiring = wiring;
        this.nanos = new long[wiring.nodeCount()];
        this.queue = new int[wiring.nodeCount()];
    }

    /** {@return the round trip between two hosts on a path of the fewest links} O(links) where {@code from} changes. */
    long nanos(int from, int to) {
        if (from != origin) {
            explore(from);
        }
        return nanos[to];
    }

    private void explore(int from) {
        origin = from;
        Arrays.fill(nanos, UNREACHED);
        nanos[from] = 0;
        queue[0] = from;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int node = queue[head];
            if (node != from && wiring.isHost(node)) {
                continue;
            }
            for (Port port : wiring.ports(node)) {
                if (nanos[port.peer()] == UNREACHED) {
                    nanos[port.peer()] = nanos[node] + 2 * linkNanos(wiring.link(port));
                    queue[tail++] = port.peer();
                }
            }
        }
    }

    private static long linkNanos(LinkSpec link) {
        return link.propagationNanos() + RateMath.serializationNanosCeil(WIRE_BYTES, link.rateBps());
    }
}
