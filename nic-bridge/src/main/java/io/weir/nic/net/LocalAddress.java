package io.weir.nic.net;

import java.net.InetAddress;

/**
 * An address that an interface has.
 *
 * @param address the address itself
 * @param prefixBits how many of its leading bits name the network
 */
public record LocalAddress(InetAddress address, int prefixBits) {
    /** {@return as in {@code 10.0.0.1/24}} */
    @Override
    public String toString() {
        return address.getHostAddress() + "/" + prefixBits;
    }
}
