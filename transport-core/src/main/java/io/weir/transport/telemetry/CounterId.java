package io.weir.transport.telemetry;

/**
 * Every count that a Node keeps. To add one, add a constant here and to the table of docs/WIRE.md if it is a reason for
 * which a frame is dropped.
 */
public enum CounterId {
    /** Frames handed to the Node. */
    FRAMES_RECEIVED("frames handed to the node"),
    /** Wire bytes that came in by a port. */
    WIRE_BYTES_RECEIVED("wire bytes received"),
    /** Wire bytes that left a port. */
    WIRE_BYTES_SENT("wire bytes sent"),
    /** Frames that left the Node. */
    FRAMES_SENT("frames that left the node"),

    /** A frame that is not an IP datagram of ours: it should have gone to the kernel. */
    DROP_NOT_OURS("drop: not an IPv4 or IPv6 UDP datagram"),
    /** A frame whose lengths contradict each other. */
    DROP_MALFORMED("drop: lengths contradict each other or the frame is truncated"),
    /** An IP header or UDP checksum that is wrong or missing. */
    DROP_CHECKSUM("drop: IP or UDP checksum wrong or missing"),
    /** A CRC32C that is wrong. */
    DROP_CRC("drop: CRC32C wrong"),
    /** A version of the Weir header that this build does not know. */
    DROP_VERSION("drop: unknown version"),
    /** A frame type that this build does not know. */
    DROP_TYPE("drop: unknown frame type"),
    /** A tag that belongs to no connection, or a peer address that is not that connection's. */
    DROP_TAG("drop: tag of no connection"),
    /** A reset that claims to answer a frame which was never sent. */
    DROP_RESET_UNPROVED("drop: reset that answers no frame of ours"),
    /** A frame whose type makes no sense in the state that its connection is in. */
    DROP_STATE("drop: frame not allowed in the connection's state"),
    /** An opening frame for a port on which nobody listens, refused. */
    DROP_NO_LISTENER("drop: no listener on the port"),
    /** An opening frame smaller than the largest reply to it. */
    DROP_OPENING_SHORT("drop: opening frame shorter than its largest reply"),
    /** A cookie or token that is forged or too old. */
    DROP_COOKIE("drop: cookie or token forged or expired"),
    /** An opening when as many are unconfirmed as may be, in all or of this peer. */
    DROP_BACKLOG("drop: too many unconfirmed openings or waiting replies"),
    /** An opening that was refused: no memory, or too many connections, in all or of this peer. */
    DROP_BUSY("drop: opening refused, no memory or too many connections"),
    /** No free frame for something that had to be sent or received. */
    DROP_NO_FRAME("drop: frame pool empty"),

    /** A frame for a transport of the same process that had no room for it. */
    DROP_OWN_HOST("drop: another transport of this process had no room"),
    /** A frame for a connection of another loop of the transport that had no room for it. */
    DROP_HANDED_OVER("drop: the loop that has the connection had no room"),

    /** Data that echoes a credit which was never sent. */
    DROP_CREDIT_UNKNOWN("drop: data for a credit never sent"),
    /** Data that echoes a credit already used, or too old to tell. */
    DROP_CREDIT_REUSED("drop: data for a credit already used or too old"),
    /** Data without a credit on a connection whose protocol demands one. */
    DROP_CREDIT_MISSING("drop: data without a credit"),
    /** Data outside the receive window. */
    DROP_OUTSIDE_WINDOW("drop: data outside the receive window"),
    /** Data that would need more reassembly ranges than the bound. */
    DROP_REASSEMBLY("drop: too many gaps in the stream"),
    /** Data for which the host's buffers had no memory left. */
    DROP_NO_MEMORY("drop: no memory left for received data"),
    /** An acknowledgement of data that was never sent, or ranges that contradict each other. */
    DROP_ACK_INVALID("drop: acknowledgement of unsent data or impossible ranges"),
    /** A credit received twice, or too old to tell. */
    DROP_CREDIT_DUPLICATE("drop: credit received twice or too old"),
    /** A credit for more frames than the ends have agreed on. */
    DROP_CREDIT_FRAMES("drop: credit for more frames than agreed"),

    /** Credits that a host made and gave to its own credit queue, or that a switch port's meter let through. */
    CREDITS_SENT("credits sent"),
    /** Credits that the host's own credit queue refused: the limit at the NIC. */
    CREDITS_DROPPED_AT_HOST("credits dropped by the host's own limit"),
    /** Credits received: one for each frame that they grant, like all counts of credits at hosts. */
    CREDITS_RECEIVED("credits received"),
    /** Credits that sent a frame. */
    CREDITS_USED("credits used"),
    /** Credits that found nothing to send. */
    CREDITS_WASTED("credits wasted: nothing to send"),
    /** Credits that were too old when their turn came. */
    CREDITS_EXPIRED("credits expired before use"),
    /** Requests that a sender repeated because no credit came in time. */
    REQUESTS_REPEATED("requests repeated: no credit came in time"),
    /**
     * Repeated requests that told a receiver of a backlog it did not know: what had told it was lost. Where nothing is
     * lost, none may be.
     */
    BACKLOGS_UNHEARD("backlogs that only a repeated request told of"),

    /** Data frames sent, retransmissions included. */
    DATA_FRAMES_SENT("data frames sent"),
    /** Acknowledgements that left on data of the other direction. */
    ACKS_ON_DATA("acknowledgements that left on data"),
    /** Credits for several frames that left on data of the other direction. */
    CREDITS_ON_DATA("credits that left on data"),
    /** Data frames accepted. */
    DATA_FRAMES_RECEIVED("data frames received"),
    /** Data frames whose bytes had all been received before. */
    DATA_FRAMES_DUPLICATE("data frames received twice"),
    /** Acknowledgements of frames whose departure the device had not told, or of which it was forgotten. */
    DEPARTURES_UNKNOWN("acknowledgements without the device's departure stamp"),
    /** Retransmitted payload bytes. */
    BYTES_RETRANSMITTED("payload bytes retransmitted"),
    /** Data frames that brought bytes again. */
    FRAMES_RETRANSMITTED("data frames retransmitted"),
    /** Retransmission time-outs. */
    RETRANSMISSION_TIMEOUTS("retransmission time-outs"),
    /** Frames that left without a credit: handshake, acks, requests, stops, resets. */
    CREDITLESS_FRAMES_SENT("frames sent without a credit"),
    /** The wire bytes of those. */
    CREDITLESS_BYTES_SENT("wire bytes sent without a credit"),

    /** Frames that came by the port of one loop of a transport and went to the one that has their connection. */
    FRAMES_HANDED_OVER("frames handed over to the loop that has the connection"),

    /** Connections opened, by either side. */
    CONNECTIONS_OPENED("connections opened"),
    /** Connections whose frames go to another Ethernet address than before, or bear another. */
    PATHS_CHANGED("paths changed"),
    /** Times that a path turned out to swallow long frames, so that a stream's segments shrank. */
    BLACK_HOLES_FOUND("black holes of a smaller path MTU"),
    /** Connections that ended in order. */
    CONNECTIONS_CLOSED("connections closed in order"),
    /** Connections that were reset or timed out. */
    CONNECTIONS_ABORTED("connections reset or timed out"),
    /** Times that the application's own code, called by the Node, failed. */
    CALLBACK_FAULTS("faults of the application's handlers, listeners and tasks"),

    /** Frames of connections that the host never had, or has forgotten, answered with a reset. */
    RESETS_UNKNOWN_SENT("resets sent to peers of unknown connections"),
    /** Frames of connections whose end the host remembers, answered with a reset that says so. */
    RESETS_ENDED_SENT("resets sent to peers of ended connections"),
    /** Times that a silent peer was asked whether it is there. */
    KEEP_ALIVES_SENT("keep-alive requests"),

    /** Times that a stream's window or send buffer was to grow, and the memory of all buffers was too little for it. */
    BUFFER_GROWTHS_REFUSED("buffer growths refused: memory budget"),

    /** Times that the driver did not run the Node although it should have. */
    PAUSES("pauses of the driver"),

    /**
     * Acknowledgements whose time stamps cannot be: no round trip, or one of more than a second. The stamps were
     * ignored.
     */
    STAMPS_IMPOSSIBLE("impossible time stamps ignored"),

    /** A frame for an address that no port of the switch leads to, with nowhere to flood it. */
    DROP_NO_ROUTE("drop: no port for the destination"),
    /** A frame for everybody, or for nobody who is known, beyond what its ingress port may flood. */
    DROP_FLOOD_LIMIT("drop: more frames to every port than the ingress port may send"),
    /** A frame whose way leads back out of the port by which it came. */
    DROP_SAME_PORT("drop: destination is behind the ingress port"),
    /** A data frame for which a switch port's data queue had no room. */
    DROP_DATA_QUEUE("drop: data queue full"),
    /** A credit for which a switch port's credit queue had no room: the rate limit at work. */
    DROP_CREDIT_QUEUE("drop: credit queue full"),
    /** A credit for data that the port's link cannot send in time, because the switch has paused. */
    DROP_CREDIT_LATE("drop: credit for a link that lost time to a pause"),
    /** A frame that found no room to wait for the modelled link from its host. */
    DROP_INGRESS_QUEUE("drop: ingress link queue full"),
    /** A frame longer than the port's MTU. */
    DROP_TOO_LONG("drop: frame longer than the port's MTU"),
    /** Frames marked Congestion Experienced. */
    FRAMES_MARKED("frames marked congestion experienced"),
    /** Round acknowledgements that a switch port held back until their flow's turn came (TFC). */
    ACKS_HELD("acknowledgements held until their turn"),
    /** Round acknowledgements that were let go before their turn: held for too long, or too many at once. */
    HOLDS_EXCEEDED("acknowledgements let go before their turn"),
    /** Flows that marked a port's time slots and were replaced because nothing came from them any more. */
    DELIMITERS_REPLACED("delimiter flows replaced"),
    /** Round marks of a flow whose round had not ended. */
    ROUND_MARKS_IGNORED("round marks before the round's end ignored"),
    /** Windows that came to a host without having been asked for. */
    ROUND_ACKS_IGNORED("windows that were not asked for ignored"),
    /** Frames copied to every port because their destination is not known. */
    FRAMES_FLOODED("frames flooded");

    private final String description;

    CounterId(String description) {
        this.description = description;
    }

    /** {@return what is counted, in words} */
    public String description() {
        return description;
    }

    /** {@return whether a frame ends here} */
    public boolean isDrop() {
        return name().startsWith("DROP_");
    }
}
