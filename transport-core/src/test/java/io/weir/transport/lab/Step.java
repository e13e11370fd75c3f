package io.weir.transport.lab;

/**
 * Something that a schedule does to a host at a time.
 *
 * @param kind what
 * @param host to whom, counted from 0; for an application the flow's host
 * @param flow whose application, or -1
 * @param amount how long, how many bytes or how many frames
 */
record Step(Kind kind, long atNanos, int host, int flow, long amount) {
    /** What is done. */
    enum Kind {
        /** The host loses its core for {@code amount} nanoseconds. */
        PAUSE,
        /** The host crashes. */
        CRASH,
        /** It starts again. */
        RESTART,
        /** The pool is left with {@code amount} frames. */
        TAKE_FRAMES,
        /** The pool has its frames again. */
        GIVE_FRAMES,
        /** The application at {@code host} takes at most {@code amount} bytes at a time from now on, and reads. */
        READ,
        /** The application at {@code host}, which converses, may send {@code amount} bytes more, and writes. */
        WRITE,
        /** The application at {@code host} aborts. */
        ABORT
    }

    @Override
    public String toString() {
        return kind + "@" + atNanos / 1_000 + "us h" + host + (flow < 0 ? "" : " flow " + flow) + " " + amount;
    }
}
