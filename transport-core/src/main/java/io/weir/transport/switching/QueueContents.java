package io.weir.transport.switching;

import io.weir.transport.frame.Frame;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.PassingFrame;
import java.util.Arrays;

/**
 * What a data queue consists of, in wire bytes by the kind of frame, and what it consisted of when it was longest.
 * Costs a look at each frame that comes and goes, so ports have one only where somebody measures. Owned by its port's
 * thread; no allocation after construction.
 */
public final class QueueContents {
    /** Kinds of frames that share a data queue. */
    public enum Kind {
        /** Data that a credit permits. */
        CREDITED_DATA,
        /** Data of protocols without credits. */
        OTHER_DATA,
        /** What opens connections: OPEN, CHALLENGE, ACCEPT. */
        OPENING,
        /** Acknowledgements. */
        ACKNOWLEDGEMENT,
        /** Requests for credits, and stops. */
        REQUEST,
        /** Anything else: resets, frames that are not Weir's. */
        OTHER;

        private static final int COUNT = values().length;
    }

    private final PassingFrame passing = new PassingFrame();
    /** Wire bytes that wait now, by {@link Kind}. Written by {@link #onArrival} and {@link #onDeparture}. */
    private final long[] bytes = new long[Kind.COUNT];
    /** The same when their sum was largest. Written by {@link #onArrival}. */
    private final long[] longest = new long[Kind.COUNT];
    /** The sum of {@link #bytes}. */
    private long sumBytes;
    /** The sum of {@link #longest}. */
    private long longestBytes;

    void onArrival(Frame frame) {
        bytes[kindOf(frame).ordinal()] += frame.wireBytes();
        sumBytes += frame.wireBytes();
        if (sumBytes > longestBytes) {
            longestBytes = sumBytes;
            System.arraycopy(bytes, 0, longest, 0, bytes.length);
        }
    }

    void onDeparture(Frame frame) {
        bytes[kindOf(frame).ordinal()] -= frame.wireBytes();
        sumBytes -= frame.wireBytes();
    }

    void clear() {
        Arrays.fill(bytes, 0);
        sumBytes = 0;
    }

    private Kind kindOf(Frame frame) {
        FrameType type = passing.lookAt(frame).type();
        if (type == null) {
            return Kind.OTHER;
        }
        return switch (type) {
            case DATA -> passing.isCredited() ? Kind.CREDITED_DATA : Kind.OTHER_DATA;
            case OPEN, CHALLENGE, ACCEPT -> Kind.OPENING;
            case ACK -> Kind.ACKNOWLEDGEMENT;
            case REQUEST, STOP -> Kind.REQUEST;
            case CREDIT, RESET -> Kind.OTHER;
        };
    }

    /** {@return the most wire bytes that have waited at once} */
    public long bytesMax() {
        return longestBytes;
    }

    /** {@return how many of them were of frames of this kind} */
    public long bytesAtMax(Kind kind) {
        return longest[kind.ordinal()];
    }
}
