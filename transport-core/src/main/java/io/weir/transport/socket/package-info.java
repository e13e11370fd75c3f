/**
 * The public API: a transport on an interface, blocking and non-blocking sockets for any thread, and handlers that run
 * to completion on the loop's own.
 */
package io.weir.transport.socket;
