/**
 * Reliability that no protocol owns: the bytes of one direction of a connection, what of them is sent, acknowledged,
 * lost or missing, and when to give up waiting.
 */
package io.weir.transport.flow;
