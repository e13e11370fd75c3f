package io.weir.cli.perf;

import io.weir.transport.host.CloseReason;

/**
 * Something that happened to a control connection.
 *
 * @param kind what
 * @param message the message that came, or null
 * @param problem why what came is no message, or null
 * @param closeReason how the connection ended, or null
 */
record ControlEvent(Kind kind, ControlMessage message, String problem, CloseReason closeReason) {
    static final ControlEvent SIGNAL = new ControlEvent(Kind.SIGNAL, null, null, null);
    static final ControlEvent CONNECTED = new ControlEvent(Kind.CONNECTED, null, null, null);
    static final ControlEvent ENDED = new ControlEvent(Kind.ENDED, null, null, null);

    /** What can happen. */
    enum Kind {
        /** The connection is open. */
        CONNECTED,
        /** A message came. */
        MESSAGE,
        /** Something came that is no message. */
        MALFORMED,
        /** The peer sends no more. */
        ENDED,
        /** The connection is over. */
        CLOSED,
        /** Something else did. */
        SIGNAL
    }

    static ControlEvent message(ControlMessage message) {
        return new ControlEvent(Kind.MESSAGE, message, null, null);
    }

    static ControlEvent malformed(String problem) {
        return new ControlEvent(Kind.MALFORMED, null, problem, null);
    }

    static ControlEvent closed(CloseReason reason) {
        return new ControlEvent(Kind.CLOSED, null, null, reason);
    }
}
