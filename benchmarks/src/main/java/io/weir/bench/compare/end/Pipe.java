package io.weir.bench.compare.end;

/** One connection, as its user sees it. Called on the thread that calls the {@link PipeUser} only. */
interface Pipe {
    /**
     * {@return how many bytes of a message of whatever content there was room for; {@link PipeUser#onWritable} follows
     * if not all}
     */
    int write(int bytes);

    /** Ends it: what was written is delivered. */
    void close();
}
