/**
 * AF_XDP ports. A port's rings are memory shared with the kernel that Java reads and writes itself; a system call is
 * made for set-up, and at run time only to wake the kernel up, at most once a flush.
 *
 * <p>One thread owns a port, and all ports that share its frame pool; what another thread may call says so.
 */
package io.weir.nic.xdp;
