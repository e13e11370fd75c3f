package io.weir.transport.protocol;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.time.Deadline;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Turns what arrives of one flow into what its sender is told, at the receiver: credits, or fields of acknowledgements.
 * One instance per flow, owned by the thread of its host.
 *
 * <p>What has a default is for protocols of another kind.
 */
public interface ReceiverProtocol {
    /**
     * Looks at an intact data frame before its stream does.
     *
     * @param buffer the slot that holds the frame
     * @param at where the Weir header begins
     * @param isMarked whether a switch has marked it Congestion Experienced
     * @return the reason for which to ignore the frame, or null
     */
    CounterId onData(UnsafeBuffer buffer, int at, boolean isMarked, long nowNanos);

    /**
     * {@return whether data that switches could not have marked counts as marked: for receivers that give more to a
     * sender without marks, which could otherwise escape them}
     */
    default boolean distrustsUnmarkable() {
        return false;
    }

    // ---- acknowledgements

    /** {@return data frames that one acknowledgement may cover, where the host is set to {@code hostFrames}} */
    default int framesPerAck(int hostFrames) {
        return hostFrames;
    }

    /** {@return whether the frame just looked at is to be acknowledged at once} */
    default boolean wantsAck() {
        return false;
    }

    /** {@return whether its acknowledgements may ride on data: not where switches hold or change them} */
    default boolean acksRideOnData() {
        return true;
    }

    /**
     * {@return whether its credits tell a sender with a backlog of all that has arrived} Then its retransmission timer
     * does not depend on acknowledgements.
     */
    default boolean creditsAcknowledge() {
        return false;
    }

    /** Writes the protocol's fields of an acknowledgement, whose others stand. */
    default void onAck(UnsafeBuffer buffer, int at, long nowNanos) {}

    // ---- credits

    /** The connection is established; the sender has said that {@code backlogBytes} wait (0: nothing was asked for). */
    default void onEstablished(long backlogBytes, long nowNanos) {}

    /** The handshake took {@code rttNanos} from this end's frame to the peer's answer, neither of them repeated. */
    default void onHandshake(long rttNanos) {}

    /** The standing credit that is out has left by itself, past the host's meter, which has charged all of it. */
    default void onCreditMetered() {}

    /**
     * {@return link bytes of data that came by credits which the host's meter was not asked about, since the last call}
     */
    default int takeOwedBytes() {
        return 0;
    }

    /**
     * The sender asks for credits, in a frame with this packet number.
     *
     * @return whether the receiver knew of no backlog before
     */
    default boolean onRequest(long backlogBytes, int creditSequenceLow32, int packetNumberLow32, long nowNanos) {
        return false;
    }

    /** The sender wants no more credits, in a frame with this packet number. */
    default void onStop(int creditSequenceLow32, int packetNumberLow32, long nowNanos) {}

    /** Everything has arrived: no more credits. */
    default void onFinished(long nowNanos) {}

    /** The application has made room in the receive buffer. */
    default void onRoom(long nowNanos) {}

    /** {@return when {@link #pollCredit} may have something to do, or NO_DEADLINE} */
    default long nextCreditNanos() {
        return Deadline.NO_DEADLINE;
    }

    /** {@return how many frames the standing credits of the host's flows may bring, all of them together} */
    default int standingFrames() {
        return 0;
    }

    /** {@return whether the next credit is the first since the flow began to ask} */
    default boolean isFirstCredit() {
        return false;
    }

    /**
     * {@return whether what {@link #pollCredit} makes next leaves at once} Then the host asks only when its meter has
     * room, and lets its flows take turns.
     */
    default boolean waitsForMeter() {
        return false;
    }

    /**
     * Makes the credit that is due, if there is one.
     *
     * @param freeBytes what the receive buffer can take beyond all that has arrived
     * @return its size on the wire, or 0 when none is due or allowed
     */
    default int pollCredit(long freeBytes, long nowNanos) {
        return 0;
    }

    /** {@return the number of the credit made last; the first of its numbers where it grants several frames} */
    default long creditSequence() {
        return 0;
    }

    /** {@return how many frames the credit made last grants} */
    default int creditFrames() {
        return 1;
    }

    /** The sender has said how many frames one credit may grant it: as a switch on the way back to it lets it. */
    default void onCreditFramesMax(int framesMax) {}

    /** {@return the flags of the credit made last} */
    default int creditFlags() {
        return 0;
    }

    /** {@return the flow's credit ledger, or null for a protocol without credits} */
    default CreditLedger ledger() {
        return null;
    }
}
