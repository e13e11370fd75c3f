package io.weir.transport.wire;

/** Whether frames have their payload with them. */
public enum Payload {
    /** They have, and checksums protect it: every real link. */
    CARRIED,
    /**
     * They have not: a frame holds its headers and knows its length, and buffers count bytes and keep none. Checksums,
     * which would cover what is not there, are neither made nor checked. For simulations in which only sizes and times
     * count; all hosts of a network must agree.
     */
    ELIDED
}
