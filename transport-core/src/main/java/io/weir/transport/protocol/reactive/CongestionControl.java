package io.weir.transport.protocol.reactive;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.time.Deadline;
import org.agrona.concurrent.UnsafeBuffer;

/** Decides how much of one flow may be in flight, and how fast it leaves. One instance per flow; no allocation. */
public interface CongestionControl {
    /** A window that never limits. */
    long UNLIMITED_BYTES = 1L << 40;

    /** {@return payload bytes that may be in flight; one segment may be whenever nothing is} */
    long windowBytes();

    /**
     * {@return payload bytes that {@link #rateBps} may bring into flight: more than the window, where the pace keeps
     * back what exceeds it}
     */
    default long inFlightBytesMax() {
        return windowBytes();
    }

    /** {@return the rate on the wire at which segments leave, or 0 for as fast as the window and the link let them} */
    default long rateBps() {
        return 0;
    }

    /** Looks at each acknowledgement before anything else, also while a loss is being repaired. */
    default void observe(AckSample ack, long nowNanos) {}

    /**
     * An acknowledgement brought news. Not called while a loss is being repaired that has been reacted to.
     *
     * @param isLimited whether the flow was held back of late by its window or rate, and not by its application or host
     *     alone
     */
    default void onAck(AckSample ack, boolean isLimited, long nowNanos) {}

    /**
     * Frames were lost: called once for all that were in flight together.
     *
     * @param inFlightBytes what was in flight when the loss was found
     */
    default void onLoss(long inFlightBytes, long nowNanos) {}

    /**
     * Nothing was heard for a retransmission time-out.
     *
     * @param inFlightBytes what was in flight until then; of several time-outs in a row, until the first
     */
    void onRetransmissionTimeout(long inFlightBytes, long nowNanos);

    /** {@return whether it reacts to the time that frames take, so that none may wait to be received in a batch} */
    default boolean measuresDelay() {
        return false;
    }

    /** {@return whether switches may mark its frames instead of dropping them} */
    default boolean understandsMarks() {
        return false;
    }

    /** Writes its fields into a segment that leaves. */
    default void onSegment(UnsafeBuffer buffer, int at, long nowNanos) {}

    /** {@return when {@link #onTimeout} has something to do, or NO_DEADLINE} */
    default long nextTimeoutNanos() {
        return Deadline.NO_DEADLINE;
    }

    /** Does what is due; harmless when nothing is. */
    default void onTimeout(long nowNanos) {}
}
