package io.weir.cli.perf;

/** How the messages of a workload lie in a stream: a length, then as many bytes; each is answered by one byte. */
final class MessageFormat {
    /** The length, without its own bytes, in network order. */
    static final int HEADER_BYTES = 4;

    private MessageFormat() {}
}
