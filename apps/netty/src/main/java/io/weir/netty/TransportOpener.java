package io.weir.netty;

import io.weir.transport.socket.Transport;
import java.io.IOException;

/**
 * Opens the transport that an event loop is to run: for interfaces that are not opened by their name, and for links in
 * memory.
 */
@FunctionalInterface
public interface TransportOpener {
    /**
     * {@return a new transport, whose idle mode is {@code INVOKER}}
     *
     * @throws IOException if it cannot be opened; the message has the reason and the remedy
     */
    Transport open() throws IOException;
}
