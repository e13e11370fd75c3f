/**
 * DPDK ports: devices that the kernel has given up, or never had. What the kernel does for other ports is done here:
 * the port answers ARP and neighbour discovery, and asks by them.
 *
 * <p>One thread owns a port; what another thread may call says so. The environment (EAL) is one for the process.
 */
package io.weir.nic.dpdk;
