package io.weir.transport.host;

import io.weir.transport.node.PortEnd;
import java.util.Locale;

/** How a connection came to its end. */
public enum CloseReason {
    /** Both directions ended in order. */
    FINISHED,
    /** The peer refused the opening: nobody listens there. */
    REFUSED,
    /** The network sent the opening back: it does not reach the peer's host. */
    UNREACHABLE,
    /** The peer refused the opening: it has no memory for another connection, or as many as it may have. */
    BUSY,
    /** The peer speaks no protocol that this host speaks. */
    NO_PROTOCOL,
    /** The peer aborted the connection. */
    RESET,
    /** This end aborted the connection. */
    ABORTED,
    /** This end's handler or listener threw an exception, or returned what it must not. */
    HANDLER_FAILED,
    /** The peer did not answer the opening in time. */
    OPEN_TIMED_OUT,
    /** Nothing came from the peer for too long. */
    TIMED_OUT,
    /** No byte came or went for as long as the connection may be idle. */
    IDLE_TIMED_OUT,
    /** The peer does not know the connection: it has restarted, or ended it and its message was lost. */
    FORGOTTEN,
    /** The host was closed. */
    HOST_CLOSED,
    /** The interface was deleted, or moved to another network namespace. */
    INTERFACE_DELETED,
    /** The broker that owns the interface ended, or hung up on this process. */
    BROKER_ENDED,
    /** The interface's MTU is smaller than any connection can use. */
    MTU_TOO_SMALL,
    /** This end's own address was removed from the interface. */
    ADDRESS_REMOVED;

    /** {@return how connections end when their port does so} */
    public static CloseReason of(PortEnd end) {
        return switch (end) {
            case INTERFACE_DELETED -> INTERFACE_DELETED;
            case BROKER_ENDED -> BROKER_ENDED;
        };
    }

    /** {@return a phrase for messages, as in "refused" or "reset by the peer"} */
    public String phrase() {
        return switch (this) {
            case FINISHED -> "ended in order";
            case BUSY -> "the peer has no room for it";
            case NO_PROTOCOL -> "no protocol in common";
            case RESET -> "reset by the peer";
            case ABORTED -> "closed by this end";
            case HANDLER_FAILED -> "this end's handler failed";
            case OPEN_TIMED_OUT -> "no answer to the opening";
            case TIMED_OUT -> "nothing came from the peer";
            case IDLE_TIMED_OUT -> "no byte moved for the idle time-out";
            case FORGOTTEN -> "the peer does not know it, it may have restarted";
            case HOST_CLOSED -> "the transport was closed";
            case INTERFACE_DELETED -> PortEnd.INTERFACE_DELETED.phrase();
            case BROKER_ENDED -> PortEnd.BROKER_ENDED.phrase();
            case MTU_TOO_SMALL -> "the interface takes no packets that are long enough";
            case ADDRESS_REMOVED -> "this end's address was removed";
            default -> name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
