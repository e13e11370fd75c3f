package io.weir.bench.compare.end;

/** What uses a connection. Calls come from one thread at a time. */
interface PipeUser {
    /** The connection is open. */
    void onOpen(Pipe pipe);

    /** Bytes arrived. */
    void onBytes(Pipe pipe, int bytes);

    /** There is room again. */
    void onWritable(Pipe pipe);

    /** The connection is over; a reason if it broke, or null. */
    void onClosed(Pipe pipe, String failure);
}
