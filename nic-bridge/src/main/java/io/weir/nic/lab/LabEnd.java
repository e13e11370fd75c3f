package io.weir.nic.lab;

import io.weir.nic.net.MacAddress;
import io.weir.nic.net.NetNamespace;
import java.util.List;

/**
 * One end of a link.
 *
 * @param namespace where the interface is
 * @param interfaceName what it is called there
 * @param macAddress its Ethernet address, or 0 for one of the kernel's choice
 * @param addresses its addresses with their prefixes, as in {@code 10.0.0.1/24} or {@code fd00::1/64}
 */
public record LabEnd(NetNamespace namespace, String interfaceName, long macAddress, List<String> addresses) {
    public LabEnd {
        addresses = List.copyOf(addresses);
    }

    /** Describes an end with the given addresses. */
    public LabEnd(NetNamespace namespace, String interfaceName, String... addresses) {
        this(namespace, interfaceName, 0, List.of(addresses));
    }

    /** {@return this with an Ethernet address} */
    public LabEnd withMac(long address) {
        return new LabEnd(namespace, interfaceName, address, addresses);
    }

    @Override
    public String toString() {
        return "LabEnd[namespace=" + namespace + ", interfaceName=" + interfaceName + ", macAddress="
                + MacAddress.text(macAddress) + ", addresses=" + addresses + "]";
    }

    boolean hasIpv6() {
        return addresses.stream().anyMatch(address -> address.indexOf(':') >= 0);
    }
}
