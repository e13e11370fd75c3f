package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;

/**
 * Is told when a transport's interface is gone, on a loop's thread, after every connection over it has ended with the
 * same reason: {@link Transport#setInterfaceEndListener}.
 */
@FunctionalInterface
public interface InterfaceEndListener {
    /**
     * No frame moves any more.
     *
     * @param reason {@link CloseReason#INTERFACE_DELETED} or {@link CloseReason#BROKER_ENDED}
     */
    void onInterfaceEnded(CloseReason reason);

    /** The interface has returned, and new connections work; only with {@link TransportConfig#reopen}. */
    default void onInterfaceReturned() {}
}
