package io.weir.cli.trace;

import java.io.IOException;

/** Where the frames of a trace go: to people, or to a file. */
interface TraceOutput extends AutoCloseable {
    /**
     * Writes the frames since the latest call.
     *
     * @param countMax the most that are written in all
     * @return how many were read, wanted or not
     */
    int poll(long countMax) throws IOException;

    /** There were no frames for a moment. */
    void onIdle() throws IOException;

    /** {@return frames written} */
    long count();

    @Override
    void close() throws IOException;
}
