package io.weir.nic.net;

import java.net.InetAddress;

/**
 * One thing that the kernel says of its interfaces, addresses, neighbours or routes: that it is so now, or no longer.
 */
public sealed interface KernelEvent {
    /** {@return whether it has ended: deleted, removed, expired} */
    boolean isGone();

    /**
     * An interface.
     *
     * @param isGone whether it was deleted, or left the namespace
     * @param index its number
     * @param name its name, or empty
     * @param isUp whether it was set up
     * @param isRunning whether it has a link partner too
     * @param macAddress its Ethernet address in the low 48 bits, or 0
     * @param mtuBytes the largest IP packet, or 0 where the message does not tell
     * @param receiveQueueCount its receive queues, or 0 where the message does not tell
     * @param parentIndex the interface that it is on top of, or 0
     * @param vlanId its VLAN, or 0 for an interface that is no VLAN's
     */
    record Link(
            boolean isGone,
            int index,
            String name,
            boolean isUp,
            boolean isRunning,
            long macAddress,
            int mtuBytes,
            int receiveQueueCount,
            int parentIndex,
            int vlanId)
            implements KernelEvent {
        @Override
        public String toString() {
            return "Link[isGone=" + isGone + ", index=" + index + ", name=" + name + ", isUp=" + isUp + ", isRunning="
                    + isRunning + ", macAddress=" + MacAddress.text(macAddress) + ", mtuBytes=" + mtuBytes
                    + ", receiveQueueCount=" + receiveQueueCount + ", parentIndex=" + parentIndex + ", vlanId=" + vlanId
                    + "]";
        }
    }

    /**
     * An address of an interface.
     *
     * @param isGone whether it was removed
     * @param index the interface's number
     * @param address the address
     * @param prefixBits how many of its leading bits name the network
     * @param isUsable whether it may be used: IPv6 first looks for another host that has it
     */
    record Address(boolean isGone, int index, InetAddress address, int prefixBits, boolean isUsable)
            implements KernelEvent {}

    /**
     * A neighbour on an interface's link.
     *
     * @param isGone whether the kernel has forgotten it
     * @param index the interface's number
     * @param address its address
     * @param macAddress its Ethernet address in the low 48 bits, or 0 while it is not known
     * @param state the kernel's state (NUD_...)
     */
    record Neighbour(boolean isGone, int index, InetAddress address, long macAddress, NeighbourState state)
            implements KernelEvent {
        /** {@return whether frames may be sent to {@link #macAddress}} */
        public boolean isUsable() {
            return !isGone && macAddress != 0 && state.isUsable();
        }

        @Override
        public String toString() {
            return "Neighbour[isGone=" + isGone + ", index=" + index + ", address=" + address.getHostAddress()
                    + ", macAddress=" + MacAddress.text(macAddress) + ", state=" + state + "]";
        }
    }

    /**
     * A route, which says no more than that ways may have changed.
     *
     * @param isGone whether it was removed
     */
    record Route(boolean isGone) implements KernelEvent {}
}
