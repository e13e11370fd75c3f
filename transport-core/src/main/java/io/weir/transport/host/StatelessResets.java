package io.weir.transport.host;

import io.weir.transport.frame.Frame;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells peers of connections that this host does not have, because it has restarted or its end was lost. The
 * frame that came is turned round, and its tag and packet number prove that the answer is from somebody who has seen
 * it. Of connections that ended in order the tags are kept: their peers learn that all has arrived.
 *
 * <p>At most so many per second, and {@value EndedConnections#ANSWERS_PER_END} for each connection that ended in order:
 * a stranger can make a host send them, none longer than its cause.
 */
final class StatelessResets {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** How far behind the latest packet number the one of a proof may be: what can be in flight. */
    private static final int PROOF_FRAMES_MAX = 1 << 16;

    private final HostStack host;
    private final EndedConnections ended;
    private final int perSecondMax;
    /** When as many have left as may, by the rate: never more than a second ahead. */
    private long paidNanos;

    StatelessResets(HostStack host, EndedConnections ended) {
        this.host = host;
        this.ended = ended;
        this.perSecondMax = host.config().liveness().resetsPerSecondMax();
    }

    /**
     * Answers an intact frame to a connection that there is not, if it may have come from a peer that believes in it.
     */
    void answer(Frame frame, Datagram datagram, FrameType type, long nowNanos) {
        if (!asksForAnswer(type) || perSecondMax == 0) {
            return;
        }
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        long tag = WeirHeader.tag(buffer, at);
        boolean hasEnded = ended.contains(tag);
        if (!(hasEnded && ended.takeAnswer()) && !mayLeave(nowNanos)) {
            return;
        }
        int reason = hasEnded ? ResetHeader.ENDED : ResetHeader.UNKNOWN;
        ResetHeader.writeAnswer(buffer, at, tag, WeirHeader.packetNumber(buffer, at), reason);
        host.handshake().reply(frame, datagram, ResetHeader.BYTES);
        host.counters().increment(hasEnded ? CounterId.RESETS_ENDED_SENT : CounterId.RESETS_UNKNOWN_SENT);
    }

    /** A reset is never answered, nor what has no number; a challenge answers an opening that is given up. */
    private static boolean asksForAnswer(FrameType type) {
        return switch (type) {
            case DATA, ACK, REQUEST, STOP, ACCEPT -> true;
            default -> false;
        };
    }

    private boolean mayLeave(long nowNanos) {
        if (paidNanos - nowNanos > NANOS_PER_SECOND) {
            return false;
        }
        paidNanos = Math.max(paidNanos, nowNanos) + NANOS_PER_SECOND / perSecondMax;
        return true;
    }

    /**
     * {@return whether a frame with these low 32 bits of its number may have left, of those before {@code nextNumber}}
     */
    static boolean isProof(int numberLow32, long nextNumber) {
        int behind = (int) nextNumber - numberLow32;
        return behind > 0 && behind <= PROOF_FRAMES_MAX && behind < nextNumber;
    }
}
