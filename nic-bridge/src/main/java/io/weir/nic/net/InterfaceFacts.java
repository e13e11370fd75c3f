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
 * @param linkRateBps the link's rate as the driver tells it, or 0 when it does not; {@link #VETH_RATE_BPS} of a veth
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
    /**
     * The rate taken for a veth. Its driver says 10 Gbps, but it has no line, and two cores move more than that in
     * large frames. This is above what a core moves, so that the cores set the pace and not the number.
     */
    public static final long VETH_RATE_BPS = 40_000_000_000L;

    /** The driver's name of virtual Ethernet pairs. */
    public static final String VETH = "veth";

    public InterfaceFacts {
        addresses = List.copyOf(addresses);
    }

    /** {@return whether this is an end of a virtual Ethernet pair} */
    public boolean isVeth() {
        return driver.equals(VETH);
    }

    @Override
    public String toString() {
        return "InterfaceFacts[name=" + name + ", index=" + index + ", macAddress=" + MacAddress.text(macAddress)
                + ", mtuBytes=" + mtuBytes + ", up=" + up + ", running=" + running + ", receiveQueueCount="
                + receiveQueueCount + ", driver=" + driver + ", linkRateBps=" + linkRateBps + ", xdpProgramId="
                + xdpProgramId + ", addresses=" + addresses + "]";
    }
}
