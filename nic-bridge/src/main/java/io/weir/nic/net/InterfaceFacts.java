package io.weir.nic.net;

import java.util.List;

/**
 * What the kernel tells about one interface, read once.
 *
 * @param name the interface's name
 * @param index its number in its network namespace
 * @param macAddress its Ethernet address in the low 48 bits
 * @param mtuBytes the largest IP packet
 * @param up whether it was set up
 * @param running whether it is up and has a link partner
 * @param receiveQueueCount how many receive queues are in use
 * @param driver the driver's name, or empty when it does not tell
 * @param linkRateBps the link's rate as the driver tells it, or 0 when it does not
 * @param xdpProgramId the XDP program attached, or 0
 * @param addresses its IPv4 and IPv6 addresses; none that the kernel still checks for another owner
 */
public record InterfaceFacts(
        String name,
        int index,
        long macAddress,
        int mtuBytes,
        boolean up,
        boolean running,
        int receiveQueueCount,
        String driver,
        long linkRateBps,
        int xdpProgramId,
        List<LocalAddress> addresses) {

    /** Copies the list. */
    public InterfaceFacts {
        addresses = List.copyOf(addresses);
    }

    @Override
    public String toString() {
        return "InterfaceFacts[name=" + name + ", index=" + index + ", macAddress=" + MacAddress.text(macAddress)
                + ", mtuBytes=" + mtuBytes + ", up=" + up + ", running=" + running + ", receiveQueueCount="
                + receiveQueueCount + ", driver=" + driver + ", linkRateBps=" + linkRateBps + ", xdpProgramId="
                + xdpProgramId + ", addresses=" + addresses + "]";
    }
}
