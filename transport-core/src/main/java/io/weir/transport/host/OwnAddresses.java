package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.IpAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The addresses of a host: those that openings are taken to, and those that it had, whose connections outlive them by a
 * second, as an address may come back by then. No address is among both. Owned by the host's thread.
 */
final class OwnAddresses {
    /** How long connections outlive their address: who replaces one by itself takes less. */
    static final long REMOVAL_NANOS = 1_000_000_000L;

    /** Those that are ours; replaced as a whole by {@link #set}. */
    private List<IpAddress> addresses;
    /** Those that were ours and whose connections are to end at {@link #removalNanos}. */
    private final Set<IpAddress> removed = new HashSet<>();
    /** When the connections of {@link #removed} end, or NO_DEADLINE; moved by each removal. */
    private long removalNanos = NO_DEADLINE;

    OwnAddresses(List<IpAddress> addresses) {
        this.addresses = List.copyOf(addresses);
    }

    /** The host has these addresses from now on. */
    void set(List<IpAddress> ours, long nowNanos) {
        removed.addAll(addresses);
        removed.removeAll(ours);
        addresses = List.copyOf(ours);
        if (!removed.isEmpty()) {
            removalNanos = nowNanos + REMOVAL_NANOS;
        }
    }

    /** {@return whether the datagram goes to one of ours} */
    boolean areDestinationOf(Datagram datagram) {
        for (int i = 0; i < addresses.size(); i++) {
            IpAddress address = addresses.get(i);
            if (address.low() == datagram.destinationLow()
                    && address.high() == datagram.destinationHigh()
                    && address.isV6() == datagram.isV6()) {
                return true;
            }
        }
        return false;
    }

    /** {@return when {@link #takeRemoved} has addresses to give, or NO_DEADLINE} */
    long nextTimeoutNanos() {
        return removalNanos;
    }

    /** {@return the addresses whose time is over; they are forgotten here} */
    Set<IpAddress> takeRemoved(long nowNanos) {
        if (nowNanos < removalNanos) {
            return Set.of();
        }
        removalNanos = NO_DEADLINE;
        Set<IpAddress> over = Set.copyOf(removed);
        removed.clear();
        return over;
    }
}
