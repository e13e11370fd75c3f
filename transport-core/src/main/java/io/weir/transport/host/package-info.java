/**
 * A host: connections, their handshake, and what leaves by the host's port. {@link io.weir.transport.host.HostStack} is
 * the Node; one thread owns it and everything that it has made.
 */
package io.weir.transport.host;
