/**
 * What the kernel knows of interfaces, addresses, routes, neighbours and namespaces, asked by rtnetlink and ethtool
 * calls alone: they follow the calling thread into its network namespace, which the files under {@code /sys} do not.
 *
 * <p>For set-up and connecting, on application threads; nothing here is on a hot path.
 */
package io.weir.nic.net;
