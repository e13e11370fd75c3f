package io.weir.agent;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImplFactory;
import java.util.List;

/** What {@link Socket} and {@link ServerSocket} are made of from now on. */
final class Factories {
    private Factories() {}

    /**
     * Sets the agent's factories.
     *
     * @param parts the provider of channels, the factory of sockets, and that of those that listen
     * @param notes what is to be said where the program has its own
     */
    @SuppressWarnings("deprecation") // the one way to every socket of a process
    static void install(Object[] parts, List<String> notes) throws IOException {
        try {
            Socket.setSocketImplFactory((SocketImplFactory) parts[1]);
            ServerSocket.setSocketFactory((SocketImplFactory) parts[2]);
        } catch (java.net.SocketException e) {
            notes.add("sockets stay those of a factory that the program has set itself: " + e.getMessage());
        }
    }
}
