package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * A hash over every frame that starts on a link: which link, when, how long, and the end of the headers. Two runs with
 * the same hash have done the same; whatever differs anywhere changes a frame or its time.
 */
public final class TraceHash implements SimTrace {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /**
     * Of a frame's headers only the end is hashed, where whatever changes from one frame of a flow to the next stands.
     */
    private static final int HEADER_BYTES = 24;

    private long hash = MULTIPLIER;

    /** Creates the hash of an empty trace. */
    public TraceHash() {}

    @Override
    public void onDeparture(SimLink link, Frame frame, long nowNanos) {
        long h = mix(hash ^ nowNanos);
        h = mix(h ^ ((long) link.number() << Integer.SIZE | frame.wireBytes()));
        int end = frame.offset() + frame.length();
        for (int at = end - HEADER_BYTES; at < end; at += Long.BYTES) {
            h = (h ^ frame.buffer().getLong(at, ByteOrder.LITTLE_ENDIAN)) * MULTIPLIER;
            h ^= h >>> 29;
        }
        hash = h;
    }

    private static long mix(long value) {
        long z = value * MULTIPLIER;
        return z ^ (z >>> 32);
    }

    /** {@return the hash so far} */
    public long value() {
        return hash;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%016x", hash);
    }
}
