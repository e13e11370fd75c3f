package io.weir.transport.protocol;

import io.weir.transport.telemetry.CounterId;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Turns what arrives of one flow into what its sender is told, at the receiver. One instance a flow, owned by the thread
 * of its host.
 */
public interface ReceiverProtocol {
    /** The connection is established; the sender has said that {@code backlogBytes} wait (0: nothing was asked for). */
    void onEstablished(long backlogBytes, long nowNanos);

    /** The sender asks for credits. */
    void onRequest(long backlogBytes, int creditSequenceLow32, long nowNanos);

    /** The sender wants no more credits. */
    void onStop(int creditSequenceLow32, long nowNanos);

    /**
     * Looks at an intact data frame before its stream does.
     *
     * @param buffer the slot that holds the frame
     * @param at where the Weir header begins
     * @return the reason for which to ignore the frame, or null
     */
    CounterId onData(UnsafeBuffer buffer, int at, long nowNanos);

    /** Everything has arrived: no more credits. */
    void onFinished(long nowNanos);

    /** The application has made room in the receive buffer. */
    void onRoom(long nowNanos);

    /** {@return when {@link #pollCredit} may have something to do, or NO_DEADLINE} */
    long nextCreditNanos();

    /**
     * Makes the credit that is due, if there is one.
     *
     * @param freeBytes what the receive buffer can take beyond all that has arrived
     * @return its size on the wire, or 0 when none is due or allowed
     */
    int pollCredit(long freeBytes, long nowNanos);

    /** {@return the number of the credit made last} */
    long creditSequence();

    /** {@return the flags of the credit made last} */
    int creditFlags();

    /** {@return the flow's credit ledger} */
    CreditLedger ledger();
}
