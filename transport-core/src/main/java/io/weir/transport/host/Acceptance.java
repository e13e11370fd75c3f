package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.PauseCode;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The responder's side of a handshake: what the accepting frames say, and when to repeat them until a frame of the
 * initiator confirms the connection. {@link Opening} is the initiator's side.
 */
final class Acceptance {
    private static final int BACK_OFF_MAX = 6;
    /**
     * An initiator whose data confirms asks for credits until it has some, and one that has heard no acceptance opens
     * again: another acceptance is for those that have taken their data back.
     */
    private static final int DOUBLINGS_FOR_DATA = 3;

    private final HostStack host;
    private final FlowPauses pauses;
    private final PeerOffer offer;
    private final int listenerId;
    /** Whether the accepting frames say that data confirms the connection. */
    private final boolean dataConfirms;
    /** Accepting frames that have left, those before there was a connection included; raised by {@link #write}. */
    private int count;
    /** Whether they grant the flow's first credit; written with the first. */
    private boolean isGranting;
    /** When the first of them left; written with it. */
    private long firstNanos;
    /** When the next repetition is due, or NO_DEADLINE; set by {@link #write}. */
    private long retryNanos = NO_DEADLINE;

    /**
     * Accepts an opening.
     *
     * @param listenerId the number of who decides about the connection once it is confirmed
     * @param dataConfirms whether what the peer asked credits for is to confirm the connection
     */
    Acceptance(HostStack host, FlowPauses pauses, PeerOffer offer, int listenerId, boolean dataConfirms) {
        this.listenerId = listenerId;
        this.host = host;
        this.pauses = pauses;
        this.offer = offer;
        this.dataConfirms = dataConfirms;
    }

    /** {@return the number of who decides about the connection once it is confirmed} */
    int listenerId() {
        return listenerId;
    }

    /** The opening was accepted before there was a connection, {@code before} times, the first at {@code nanos}. */
    void startFrom(int before, long nanos) {
        count = before;
        firstNanos = nanos;
    }

    /**
     * Writes an accepting frame behind a frame's headers, but for its packet number.
     *
     * @return its length from the Weir header on
     */
    int write(UnsafeBuffer target, int at, Connection connection, long nowNanos) {
        HostConfig config = host.config();
        if (count == 0) {
            firstNanos = nowNanos;
            // Credits begin once the initiator can know the tag that its data must carry.
            connection.receiver().protocol().onEstablished(offer.backlogBytes(), nowNanos);
            isGranting = offer.backlogBytes() == 0 && connection.output().takeGrant(nowNanos) != DataHeader.NO_CREDIT;
        }
        long backlogBytes = connection.sendBuffer().endOffset();
        int request = backlogBytes > 0 ? AcceptHeader.FLAG_CREDIT_REQUEST : 0;
        int confirmation = dataConfirms ? AcceptHeader.FLAG_DATA_CONFIRMS : 0;
        int grant = isGranting ? AcceptHeader.FLAG_GRANT : 0;
        int flags = request | confirmation | grant | AcceptHeader.FLAG_TAKES_RIDERS;
        AcceptHeader.write(target, at, flags, offer.tag(), connection.localTag());
        AcceptHeader.choice(target, at, offer.protocol().code(), host.network().mtuBytes(connection.path()));
        AcceptHeader.amounts(target, at, connection.receiveBuffer().windowBytes(), backlogBytes);
        AcceptHeader.pauseCode(target, at, host.pauses().code(nowNanos));
        AcceptHeader.creditFrames(target, at, Math.min(config.creditFramesMax(), offer.creditFrames()));
        AcceptHeader.waitCode(target, at, PauseCode.of(connection.egress().turnWaitNanos()));
        host.handshake().bakeToken(connection.path().remote(), target, AcceptHeader.tokenAt(at), nowNanos);
        long timeoutNanos = config.timers().retransmitNanosInitial();
        int doublings = Math.min(count + (dataConfirms ? DOUBLINGS_FOR_DATA : 0), BACK_OFF_MAX);
        retryNanos = nowNanos + (timeoutNanos << doublings) + pauses.peerNanos();
        count++;
        return AcceptHeader.BYTES;
    }

    /**
     * {@return the time since the acceptance left, which now is confirmed, or 0 if that is no round trip: it was
     * repeated and nobody knows which was heard, or its confirmation waited for a credit}
     */
    long roundTripNanos(long nowNanos) {
        return count == 1 && !dataConfirms ? nowNanos - firstNanos : 0;
    }

    /** {@return when an acceptance that nothing has confirmed is to be repeated} */
    long nextTimeoutNanos() {
        return retryNanos;
    }

    /**
     * {@return whether the accepting frame is to be repeated; the question is answered yes once} It, or what confirms
     * it, may be lost: an initiator with nothing to send would never notice.
     */
    boolean isRetryDue(long nowNanos) {
        boolean isDue = retryNanos <= nowNanos;
        if (isDue) {
            retryNanos = NO_DEADLINE;
        }
        return isDue;
    }
}
