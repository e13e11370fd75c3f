package io.weir.nic.net;

import java.net.InetAddress;

/**
 * What a host needs to know to send frames to a destination.
 *
 * @param source the local address that the kernel would send from
 * @param address the gateway, or the destination itself when it is on the link
 * @param macAddress the Ethernet address of {@code address}, in the low 48 bits
 */
public record NextHop(InetAddress source, InetAddress address, long macAddress) {
    @Override
    public String toString() {
        return "NextHop[source=" + source.getHostAddress() + ", address=" + address.getHostAddress() + ", macAddress="
                + MacAddress.text(macAddress) + "]";
    }
}
