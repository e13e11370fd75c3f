/**
 * AF_PACKET ports: the way for kernels and drivers without AF_XDP. The kernel copies each frame into a ring that Java
 * reads, and handles it itself too; its own answer to our datagrams is prevented by the sockets that reserve the ports.
 *
 * <p>One thread owns a port; what another thread may call says so.
 */
package io.weir.nic.packet;
