package io.weir.transport.host;

/** Is told what the application's own code did wrong, on the thread that owns the host. It must not block. */
@FunctionalInterface
public interface FaultListener {
    /**
     * A handler, acceptor, listener or task threw {@code problem}, or a handler returned what it must not.
     *
     * @param connection the connection that has ended with {@link CloseReason#HANDLER_FAILED} because of it, or null
     *     where the code belonged to none
     */
    void onFault(Connection connection, Throwable problem);
}
