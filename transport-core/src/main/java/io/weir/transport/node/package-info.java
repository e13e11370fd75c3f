/**
 * The seam between protocol and I/O: a {@link io.weir.transport.node.Node} has ports and does no I/O; a driver
 * moves frames and time for it and contains no protocol.
 *
 * <p>One thread owns a Node and all in it.
 */
package io.weir.transport.node;
