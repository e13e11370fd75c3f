package io.weir.transport.protocol;

import io.weir.transport.telemetry.CounterId;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers for one flow, at its sender, how much may leave now. One instance a flow, owned by the thread of its host.
 * Reliability is not its business: what is sent, and when it is lost, the connection knows.
 */
public interface SenderProtocol {
    /** The connection is established, and its opening has asked for credits already. */
    void onOpeningRequested(long nowNanos);

    /** Something waits to be sent. Called at each change that may have made it so; harmless when nothing changed. */
    void onBacklog(ControlSink out, long nowNanos);

    /**
     * A credit came.
     *
     * @param hasBacklog whether there is anything to send that the window lets pass
     * @return the reason for which the credit was ignored, or null
     */
    CounterId onCredit(int sequenceLow32, int flags, boolean hasBacklog, long nowNanos);

    /**
     * A credit was found that had lain unread while the host did not run: the slot of the link that it stands for may be
     * gone.
     *
     * @param hasBacklog whether there is anything to send that the window lets pass
     * @return the reason for which the credit was ignored, or null
     */
    CounterId onStaleCredit(int sequenceLow32, int flags, boolean hasBacklog, long nowNanos);

    /** {@return whether one data frame may leave now} */
    boolean maySend(long nowNanos);

    /**
     * Spends the permission for one data frame and writes the protocol's fields of its header.
     *
     * @param buffer the slot that holds the frame
     * @param at where the Weir header begins
     * @param backlogBytes what is left to send after this frame
     */
    void onSegment(UnsafeBuffer buffer, int at, long backlogBytes, long nowNanos);

    /** {@return the highest number of all credits that have come, for requests and stops} */
    long highestCredit();

    /** {@return what became of the credits that came, or null for a protocol without credits} */
    CreditUse creditUse();

    /** {@return when {@link #onTimeout} has something to do, or NO_DEADLINE} */
    long nextTimeoutNanos();

    /**
     * Does what is due; harmless when nothing is.
     *
     * @param hasBacklog whether anything waits to be sent, within the window or beyond it
     */
    void onTimeout(ControlSink out, boolean hasBacklog, long nowNanos);
}
