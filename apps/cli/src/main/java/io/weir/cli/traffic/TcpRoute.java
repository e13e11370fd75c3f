package io.weir.cli.traffic;

import io.weir.nic.net.NetNamespace;
import java.net.InetAddress;

/**
 * A way of the kernel's TCP from one host to another.
 *
 * @param from the namespace that connects
 * @param to the namespace that listens
 * @param address that of the host that listens
 */
public record TcpRoute(NetNamespace from, NetNamespace to, InetAddress address) {}
