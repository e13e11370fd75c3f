/**
 * Weir behind the sockets of {@code java.net}: factories for software that takes a {@link javax.net.SocketFactory},
 * whose sockets are subclasses of {@link java.net.Socket} and {@link java.net.ServerSocket}. What differs from the
 * kernel's sockets is in EMBEDDING.md.
 */
package io.weir.transport.jdk;
