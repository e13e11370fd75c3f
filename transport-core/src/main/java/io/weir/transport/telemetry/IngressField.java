package io.weir.transport.telemetry;

/**
 * A column of a switch port's {@link FlowTable}, whose rows are the ports that frames for it came by. To add one, add
 * it at the end.
 */
public enum IngressField {
    /** Frames that the port's data queue has taken. */
    DATA_QUEUED,
    /** Frames for which it had no room. */
    DATA_DROPPED,
    /** Not 0 in a row that is used: it stands where a connection's {@link FlowField#IP_VERSION} does. */
    IS_USED,
    /** Credits that were to pass the port's meter. */
    CREDITS_OFFERED,
    /** Of those, how many did not pass. */
    CREDITS_DROPPED
}
