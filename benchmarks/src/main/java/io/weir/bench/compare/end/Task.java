package io.weir.bench.compare.end;

/** What a pair of processes does. */
public enum Task {
    /** One stream from client to server, as fast as it goes. */
    BULK,
    /** A stream each way over one connection, as fast as they go. */
    DUPLEX,
    /** Requests and responses over many open connections. */
    CALLS,
    /** Messages to and fro, one at a time. */
    ROUND_TRIPS,
    /** Connections, one after the other: open, one byte to and fro, close. */
    CONNECTS,
    /** Many open connections, one of which carries a stream. */
    MANY,
    /** One open connection without traffic. */
    IDLE
}
