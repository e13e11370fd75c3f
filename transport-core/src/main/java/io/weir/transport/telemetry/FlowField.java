package io.weir.transport.telemetry;

/**
 * A column of a {@link FlowTable}; each takes 64 bits. To add one, add it at the end and set it where the host reports.
 */
public enum FlowField {
    /** The connection's state, by its number in {@link FlowTable#STATES}. */
    STATE,
    /** The protocol's code, or 0 before both ends have agreed. */
    PROTOCOL,
    /** 4 or 6. */
    IP_VERSION,
    /** What its frames leave by, by its number in {@link FlowTable#WAYS}. */
    WAY,
    /** The first 64 bits of this end's address. */
    LOCAL_HIGH,
    /** The last 64 bits of this end's address. */
    LOCAL_LOW,
    /** The first 64 bits of the peer's address. */
    REMOTE_HIGH,
    /** The last 64 bits of the peer's address. */
    REMOTE_LOW,
    /** This end's UDP port. */
    LOCAL_PORT,
    /** The peer's UDP port. */
    REMOTE_PORT,
    /** Bytes that the peer has acknowledged. */
    SENT_BYTES,
    /** Bytes that have come in order. */
    RECEIVED_BYTES,
    /** Rate of the first between the latest two reports. */
    SEND_RATE_BPS,
    /** Rate of the second between the latest two reports. */
    RECEIVE_RATE_BPS,
    /** The smoothed round-trip time, or 0. */
    RTT_NANOS,
    /** Its variation. */
    RTT_VARIATION_NANOS,
    /** The peer's receive window. */
    PEER_WINDOW_BYTES,
    /** The protocol's window, or 0. */
    CONGESTION_WINDOW_BYTES,
    /** Bytes sent whose fate is not known. */
    IN_FLIGHT_BYTES,
    /** Bytes that wait to be sent. */
    BACKLOG_BYTES,
    /** Bytes that wait to be read. */
    UNREAD_BYTES,
    /** Credits that this end made. */
    CREDITS_SENT,
    /** Of those, how many brought data. */
    CREDITS_USED,
    /** Of those, how many the network lost. */
    CREDITS_LOST,
    /** Of those, how many found nothing to send. */
    CREDITS_WASTED,
    /** Of those, how many were given up. */
    CREDITS_EXPIRED,
    /** Credits that came to this end. */
    CREDITS_RECEIVED,
    /** Data frames retransmitted. */
    FRAMES_RETRANSMITTED,
    /** Bytes retransmitted. */
    BYTES_RETRANSMITTED,
    /** How long no byte has moved, as far as reports show. */
    IDLE_NANOS
}
