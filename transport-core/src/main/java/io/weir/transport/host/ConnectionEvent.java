package io.weir.transport.host;

/** What rarely happens to a connection, for who looks at a host: {@link HostStack#setEventListener}. */
public enum ConnectionEvent {
    /** It stands: both ends know of each other. */
    OPENED,
    /** It has ended; it knows how. */
    ENDED,
    /** Nothing acknowledged what it had sent, and it retransmits. */
    RETRANSMITS,
    /** Memory was refused to one of its buffers; without a connection, to a new one. */
    MEMORY_REFUSED
}
