package io.weir.transport.protocol;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.time.Deadline;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers for one flow, at its sender, how much may leave now. One instance per flow, owned by the thread of its host.
 * Reliability is not its business: what is sent, and when it is lost, the connection knows and tells.
 *
 * <p>What has a default is for protocols of another kind: those without credits need none of the credit methods, those
 * with credits none of the feedback.
 */
public interface SenderProtocol {
    // ---- how much may leave

    /**
     * {@return whether one data frame may leave now}
     *
     * @param inFlightBytes payload that has left and of which nothing has been heard
     */
    boolean maySend(long inFlightBytes, long nowNanos);

    /**
     * Spends the permission for one data frame and writes the protocol's fields of its header.
     *
     * @param buffer the slot that holds the frame
     * @param at where the Weir header begins
     * @param backlogBytes what is left to send after this frame
     */
    void onSegment(UnsafeBuffer buffer, int at, long backlogBytes, long nowNanos);

    /** Writes the protocol's fields of a data frame without payload that it has asked for. */
    default void onProbe(UnsafeBuffer buffer, int at, long nowNanos) {}

    /** {@return payload bytes that may be in flight now, or 0 for a protocol without a window: for reports} */
    default long windowBytes() {
        return 0;
    }

    /** Something waits to be sent. Called at each change that may have made it so; harmless when nothing changed. */
    default void onBacklog(ControlSink out, long nowNanos) {}

    /** {@return whether its frames tell switches that they may mark instead of dropping} */
    default boolean understandsMarks() {
        return true;
    }

    /** {@return whether it reacts to the time that frames take, so that none may wait to be received in a batch} */
    default boolean measuresDelay() {
        return false;
    }

    // ---- feedback

    /** An acknowledgement brought news. The sample is the caller's, and good until this returns. */
    default void onAck(AckSample ack, long nowNanos) {}

    /**
     * An acknowledgement came that others have overtaken: it has no news of the stream, but what switches had to say.
     *
     * @param window the window field
     * @param marks the marks, see {@code Marks}
     */
    default void onLateAck(int window, int marks, long nowNanos) {}

    /**
     * Nothing was heard for a retransmission time-out.
     *
     * @return whether all that was in flight counts as lost. Otherwise the oldest of it is retransmitted to ask, once,
     *     and nothing is lost before the answer: a time-out may be no more than a pause of the peer
     */
    default boolean onRetransmissionTimeout(long nowNanos) {
        return false;
    }

    // ---- credits

    /** {@return whether credits tell of what has arrived, so that the peer may be late with its acknowledgements} */
    default boolean creditsAcknowledge() {
        return false;
    }

    /**
     * The connection is established, and its opening has asked for credits already.
     *
     * @param waitNanos how long the first may wait for its turn at the receiver, as that has said
     */
    default void onOpeningRequested(long waitNanos, long nowNanos) {}

    /**
     * A credit came.
     *
     * @param hasBacklog whether there is anything to send that the window lets pass
     * @return the reason for which the credit was ignored, or null
     */
    default CounterId onCredit(int sequenceLow32, int flags, boolean hasBacklog, long nowNanos) {
        return CounterId.DROP_CREDIT_UNKNOWN;
    }

    /**
     * A credit was found that had lain unread while the host did not run: the slot of the link that it stands for may
     * be gone.
     *
     * @param hasBacklog whether there is anything to send that the window lets pass
     * @return the reason for which the credit was ignored, or null
     */
    default CounterId onStaleCredit(int sequenceLow32, int flags, boolean hasBacklog, long nowNanos) {
        return CounterId.DROP_CREDIT_UNKNOWN;
    }

    /** {@return how many frames are about to leave without a request, which need not ask for them} */
    default int framesInHand() {
        return 0;
    }

    /**
     * {@return the highest number of all credits that have come and will not be spent any more, for requests and stops}
     */
    default long highestCredit() {
        return 0;
    }

    /** {@return the use of the credits that came, or null for a protocol without credits} */
    default CreditUse creditUse() {
        return null;
    }

    // ---- time

    /** {@return when {@link #onTimeout} has something to do, or when {@link #maySend} will say yes; or NO_DEADLINE} */
    default long nextTimeoutNanos() {
        return Deadline.NO_DEADLINE;
    }

    /**
     * Does what is due; harmless when nothing is.
     *
     * @param hasBacklog whether anything waits to be sent, within the window or beyond it
     */
    default void onTimeout(ControlSink out, boolean hasBacklog, long nowNanos) {}
}
