package io.weir.transport.telemetry;

/**
 * What is taken for a while and must be given back, by kind: see {@link Ledger}. To add one, add a constant here and
 * count it where its owner fills a ledger.
 */
public enum AccountId {
    /** Frames of a pool that are not free. */
    FRAMES("frames"),
    /** Frames that a kernel or a device has, to receive into or to transmit. */
    RING_ENTRIES("ring entries"),
    /** Bytes of chunks that stream buffers hold. */
    BUFFER_BYTES("buffer bytes"),
    /** Bytes of a buffer budget that are set aside for what connections are made of. */
    RESERVED_BYTES("reserved bytes"),
    /** Connections, those that linger included. */
    CONNECTIONS("connections"),
    /** Openings that were accepted and are not confirmed. */
    HALF_OPENS("half-open connections"),
    /** Entries of maps by which frames find connections and half-open ones. */
    MAP_ENTRIES("map entries"),
    /** Tags of ended connections that are kept and that nothing will ever forget. */
    LOST_TAGS("lost tags"),
    /** Peers with an account. */
    PEERS("peers"),
    /** What idle flows hold in standing credits, in units of their budget. */
    STANDING_UNITS("standing credits"),
    /** Deadlines that are set. */
    TIMERS("timers"),
    /** Places in the queues of what is to leave. */
    TURNS("turns"),
    /** UDP ports that connections or listeners have. */
    PORTS("ports"),
    /** Clients of a broker. */
    CLIENTS("clients"),
    /** Open files of the process. */
    DESCRIPTORS("descriptors"),
    /** Threads of the process. */
    THREADS("threads"),
    /** Bytes that the process has mapped from the kernel. */
    MAPPED_BYTES("mapped bytes"),
    /** Network namespaces with a name. */
    NAMESPACES("namespaces");

    private final String plural;

    AccountId(String plural) {
        this.plural = plural;
    }

    @Override
    public String toString() {
        return plural;
    }
}
