package io.weir.cli.demo;

import io.weir.cli.lab.LabNetwork;
import java.net.InetAddress;

/** One of the two hosts, in the order of the scenario. */
enum Side {
    LEFT("left", "client"),
    RIGHT("right", "server");

    private final String label;
    private final String role;

    Side(String label, String role) {
        this.label = label;
        this.role = role;
    }

    /** {@return what the host does: the client connects, sends and asks} */
    String role() {
        return role;
    }

    /** {@return the host's address} */
    InetAddress address() {
        return LabNetwork.address(ordinal());
    }

    @Override
    public String toString() {
        return label;
    }
}
