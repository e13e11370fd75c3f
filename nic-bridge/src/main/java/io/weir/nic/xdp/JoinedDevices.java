package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import java.util.List;
import java.util.Set;

/**
 * Interfaces whose frames come by other devices. The kernel takes an XDP program for them and hands it down, and takes
 * a socket; but what the program sends to the socket is dropped, since it came by a queue of another device ({@code
 * xsk_rcv_check} in the kernel's net/xdp/xsk.c). Nothing would say so.
 */
final class JoinedDevices {
    /** Drivers of interfaces that are nothing but their members. */
    private static final Set<String> BONDS = Set.of("bonding", "team");
    /** Azure's and Hyper-V's: a virtual function, where there is one, takes over its traffic. */
    private static final String HYPER_V = "hv_netvsc";

    private JoinedDevices() {}

    /** Refuses an interface whose frames come by {@code members}, the interfaces below it. */
    static void requireNone(InterfaceFacts device, List<String> members) throws NicException {
        String name = device.name();
        if (BONDS.contains(device.driver())) {
            throw new NicException("interface " + name + " is a bond (driver " + device.driver() + ") of " + members
                    + ", by whose queues its frames come, so that AF_XDP's sockets of " + name + " would get none; use"
                    + " --backend af-packet, or take a member out and give it the addresses: ip link set "
                    + (members.isEmpty() ? "MEMBER" : members.get(0)) + " nomaster");
        }
        if (device.driver().equals(HYPER_V) && !members.isEmpty()) {
            throw new NicException("interface " + name + " (driver " + HYPER_V + ") has the virtual function " + members
                    + " below it, by whose queues its frames come, so that AF_XDP's sockets of " + name
                    + " would get none; use --backend af-packet, or turn accelerated networking off");
        }
    }
}
