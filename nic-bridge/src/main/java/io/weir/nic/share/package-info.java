/**
 * Ports through memory that two processes share: rings of frames in a sealed memory file, a bell to wake the other
 * side, and the Unix sockets by which both are handed over.
 *
 * <p>Neither side trusts the other. Each keeps its own counts in its own memory and checks what it reads of the other's
 * once; a value that cannot be is counted and ends the port.
 *
 * <p>One thread owns a port; what another thread may call says so.
 */
package io.weir.nic.share;
