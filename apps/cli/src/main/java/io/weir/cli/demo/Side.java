package io.weir.cli.demo;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** One of the two hosts. */
enum Side {
    LEFT("left", "client", 1),
    RIGHT("right", "server", 2);

    private final String label;
    private final String role;
    private final int lastByte;

    Side(String label, String role, int lastByte) {
        this.label = label;
        this.role = role;
        this.lastByte = lastByte;
    }

    /** {@return what the host does: the client connects, sends and asks} */
    String role() {
        return role;
    }

    /** {@return the host's address, as text} */
    String addressText() {
        return "10.79.0." + lastByte;
    }

    /** {@return the host's address} */
    InetAddress address() {
        try {
            return InetAddress.getByName(addressText());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("a literal address needs no resolution", e);
        }
    }

    /** {@return the host's Ethernet address where there is no kernel to choose one} */
    long macAddress() {
        return 0x02_00_00_00_4F_00L | lastByte;
    }

    @Override
    public String toString() {
        return label;
    }
}
