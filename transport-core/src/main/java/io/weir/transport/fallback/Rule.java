package io.weir.transport.fallback;

import io.weir.transport.protocol.ProtocolId;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;

/**
 * One line of {@link Rules}.
 *
 * @param connects whether it is for connections that this process opens
 * @param listens whether it is for ports that it listens on
 * @param networks the peer's addresses, or those to listen at; empty for all
 * @param ports the peer's ports, or those to listen on; empty for all
 * @param preference what it wants
 * @param interfaceName the interface that Weir uses; empty with {@link Preference#TCP} alone
 * @param protocol what schedules the connections that it opens from a port that is chosen for them; null for what the
 *     transport prefers
 * @param origin where it stands, for messages
 */
public record Rule(
        boolean connects,
        boolean listens,
        List<Network> networks,
        List<PortRange> ports,
        Preference preference,
        String interfaceName,
        ProtocolId protocol,
        String origin) {

    public Rule {
        networks = List.copyOf(networks);
        ports = List.copyOf(ports);
        Objects.requireNonNull(preference, "preference is null; give weir, prefer or tcp");
        Objects.requireNonNull(interfaceName, "interfaceName is null; give an empty text for none");
    }

    /** Ports from {@code first} to {@code last}. */
    record PortRange(int first, int last) {
        boolean contains(int port) {
            return first <= port && port <= last;
        }
    }

    /** Addresses that begin with the same bits. */
    record Network(InetAddress address, int prefixBits) {
        @Override
        public String toString() {
            return address.getHostAddress() + "/" + prefixBits;
        }

        boolean contains(InetAddress other) {
            byte[] mine = address.getAddress();
            byte[] others = other.getAddress();
            if (mine.length != others.length) {
                return false;
            }
            for (int bit = 0; bit < prefixBits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if ((mine[bit >> 3] & mask) != (others[bit >> 3] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    boolean matches(InetAddress address, int port) {
        return (networks.isEmpty() || networks.stream().anyMatch(network -> network.contains(address)))
                && (ports.isEmpty() || ports.stream().anyMatch(range -> range.contains(port)));
    }
}
