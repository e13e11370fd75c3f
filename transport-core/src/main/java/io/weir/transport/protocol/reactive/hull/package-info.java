/** HULL: phantom queues on the ports of switches, DCTCP's window and a pacer at the sender. */
package io.weir.transport.protocol.reactive.hull;
