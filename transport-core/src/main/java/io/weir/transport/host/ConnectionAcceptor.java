package io.weir.transport.host;

/** Decides about connections that come to a port. Runs on the thread that owns the host. */
public interface ConnectionAcceptor {
    /** {@return the handler of a connection that a peer has opened and proved to want, or null to refuse it} */
    ConnectionHandler onIncoming(Connection connection);

    /** {@return whether openings are taken at all; while not, they are refused as if nobody listened} */
    default boolean isAccepting() {
        return true;
    }
}
