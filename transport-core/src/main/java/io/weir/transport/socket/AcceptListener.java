package io.weir.transport.socket;

/**
 * Is told that {@link WeirServerSocket#tryAccept} gives a connection, or that none will come any more. Runs on a loop's
 * thread, of several loops on several; it must not block.
 */
@FunctionalInterface
public interface AcceptListener {
    /** A connection has come, or the socket or its transport has ended. */
    void onAcceptable(WeirServerSocket socket);
}
