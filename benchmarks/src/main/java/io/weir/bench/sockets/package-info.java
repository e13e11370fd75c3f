/** Compares {@code java.net.Socket} over Weir with Weir's own sockets, over the same transports. */
package io.weir.bench.sockets;
