/**
 * The seam between a connection and the protocol that schedules it. One protocol is one package and one constant of
 * {@link io.weir.transport.protocol.ProtocolId}; protocols do not know each other.
 */
package io.weir.transport.protocol;
