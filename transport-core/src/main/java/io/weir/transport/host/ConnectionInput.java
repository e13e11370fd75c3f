package io.weir.transport.host;

import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.RequestHeader;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.StopHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/** What frames and deadlines do to a connection: each goes where its state lets it. */
final class ConnectionInput {
    /**
     * After so long without an answer somebody should look whether the peer is still where frames go. Half of what is
     * left of a second goes to asking the network.
     */
    private static final long SILENCE_NANOS = 250_000_000;

    private final Connection connection;
    private final HostStack host;
    private final Lifecycle life;
    private final StreamPair streams;
    private final PeerWatch watch;

    ConnectionInput(Connection connection, HostStack host, Lifecycle life, StreamPair streams) {
        this.connection = connection;
        this.host = host;
        this.life = life;
        this.streams = streams;
        this.watch = new PeerWatch(connection, host);
    }

    /** {@return the reason for which a frame with this connection's tag is ignored, or null} */
    CounterId onFrame(FrameType type, Datagram datagram, long nowNanos) {
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        watch.onFrame(type, nowNanos);
        if (type == FrameType.RESET) {
            return onReset(ResetHeader.reason(buffer, at));
        }
        if (life.state() == Lifecycle.State.OPENING) {
            return connection.control().onFrameWhileOpening(type, buffer, at, nowNanos);
        }
        if (life.state() == Lifecycle.State.HALF_OPEN && !confirm()) {
            return CounterId.DROP_STATE;
        }
        if (life.state() == Lifecycle.State.LINGERING && type == FrameType.DATA) {
            life.linger(nowNanos);
        }
        if (type != FrameType.CREDIT) {
            connection.arrivals().onFrame(WeirHeader.packetNumber(buffer, at));
        }
        StreamReceiver receiver = streams.receiver();
        return switch (type) {
            case CREDIT -> onCredit(buffer, at, nowNanos);
            case DATA -> onData(datagram, nowNanos);
            case ACK -> onAck(buffer, at, nowNanos);
            case REQUEST -> onRequest(buffer, at, nowNanos);
            case STOP -> {
                receiver.protocol().onStop(StopHeader.creditSequence(buffer, at), nowNanos);
                yield null;
            }
            case ACCEPT -> {
                receiver.requireAck();
                yield null;
            }
            default -> CounterId.DROP_STATE;
        };
    }

    PeerWatch watch() {
        return watch;
    }

    private boolean confirm() {
        life.onConfirmed();
        watch.setKeepAlive(host.config().liveness().keepAliveNanos());
        long rttNanos = connection.control().confirmationNanos(host.nowNanos());
        if (rttNanos > 0) {
            streams.receiver().onHandshake(rttNanos);
        }
        ConnectionHandler handler = host.handshake().handlerFor(connection);
        if (life.state() == Lifecycle.State.CLOSED) {
            return false;
        }
        if (handler == null) {
            host.sendReset(connection, ResetHeader.REFUSED);
            life.close(CloseReason.REFUSED);
            return false;
        }
        connection.setHandler(handler);
        host.callbacks().onConnected(connection);
        return life.state() != Lifecycle.State.CLOSED;
    }

    private CounterId onData(Datagram datagram, long nowNanos) {
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        CounterId grantReason = null;
        if ((WeirHeader.flags(buffer, at) & DataHeader.FLAG_GRANT) != 0) {
            // First: the application may answer the data at once, and its answer can spend the credit.
            StreamSender sender = streams.sender();
            int granted = DataHeader.grantedSequence(buffer, at);
            grantReason = sender.protocol().onCredit(granted, CreditHeader.FLAG_STANDING, sender.hasData(), nowNanos);
        }
        if (DataHeader.carriesCredit(buffer, at)) {
            CounterId reason = onRidingCredit(buffer, at, nowNanos);
            grantReason = reason != null ? reason : grantReason;
        }
        CounterId ackReason = DataHeader.carriesAck(buffer, at) ? onRidingAck(buffer, at, nowNanos) : null;
        if (life.state() == Lifecycle.State.CLOSED) {
            // The application was told of room, and ended the connection.
            return CounterId.DROP_STATE;
        }
        StreamReceiver receiver = streams.receiver();
        if ((WeirHeader.flags(buffer, at) & DataHeader.FLAG_CREDITED_SINGLY) != 0) {
            receiver.protocol().onCreditFramesMax(1);
        }
        boolean isMarked = datagram.isMarked() || (!datagram.isMarkable() && receiver.distrustsUnmarkable());
        CounterId reason = receiver.onData(buffer, at, isMarked, nowNanos);
        if (reason != null) {
            return reason;
        }
        return ackReason != null ? ackReason : grantReason;
    }

    /**
     * Before the data: its answer may need the room that the acknowledgement makes. What is wrong with one does not
     * touch the other.
     */
    private CounterId onRidingAck(UnsafeBuffer buffer, int dataAt, long nowNanos) {
        // Where switches hold acknowledgements, one that rides has escaped them.
        boolean mayRide = streams.receiver().protocol().acksRideOnData();
        return mayRide ? onAck(buffer, AckHeader.ridingAt(dataAt), nowNanos) : CounterId.DROP_ACK_INVALID;
    }

    private CounterId onRidingCredit(UnsafeBuffer buffer, int at, long nowNanos) {
        int frames = DataHeader.riddenFrames(buffer, at);
        if (frames == 1 || frames > CreditHeader.FRAMES_MAX) {
            // One for a single frame may have a meter on its way, which it would escape.
            return CounterId.DROP_CREDIT_FRAMES;
        }
        return onCredit(DataHeader.riddenSequence(buffer, at), CreditHeader.withFrames(0, frames), nowNanos);
    }

    private CounterId onCredit(UnsafeBuffer buffer, int at, long nowNanos) {
        StreamSender sender = streams.sender();
        CounterId reason = sender.onHint(CreditHeader.ackLow32(buffer, at), nowNanos);
        if (reason != null) {
            return reason;
        }
        return onCredit(CreditHeader.sequence(buffer, at), WeirHeader.flags(buffer, at), nowNanos);
    }

    private CounterId onCredit(int sequence, int flags, long nowNanos) {
        StreamSender sender = streams.sender();
        SenderProtocol protocol = sender.protocol();
        return host.isAfterPause(nowNanos)
                ? protocol.onStaleCredit(sequence, flags, sender.hasData(), nowNanos)
                : protocol.onCredit(sequence, flags, sender.hasData(), nowNanos);
    }

    private CounterId onAck(UnsafeBuffer buffer, int at, long nowNanos) {
        long slackNanos = host.egress().slackNanos(AckHeader.t1(buffer, at));
        CounterId reason = streams.sender()
                .onAck(buffer, at, connection.numbers().next(), host.arrivedNanos(), slackNanos, nowNanos);
        // An observer of acknowledgements may have ended the connection.
        if (reason == null && life.state() != Lifecycle.State.CLOSED) {
            streams.receiver().protocol().onCreditFramesMax(AckHeader.creditFrames(buffer, at));
            connection.onRoom();
        }
        return reason;
    }

    private CounterId onRequest(UnsafeBuffer buffer, int at, long nowNanos) {
        StreamReceiver receiver = streams.receiver();
        long backlogBytes = RequestHeader.backlogBytes(buffer, at);
        receiver.protocol().onRequest(backlogBytes, RequestHeader.creditSequence(buffer, at), nowNanos);
        boolean creditsAnswer = (WeirHeader.flags(buffer, at) & RequestHeader.FLAG_CREDITS_ANSWER) != 0;
        if (!creditsAnswer || !receiver.isCreditComing()) {
            // A sender that asks may have missed the acknowledgement of all that it has sent.
            receiver.requireAck();
        }
        return null;
    }

    /**
     * An initiator whose application aborts knows the tag from the acceptance, so its connection stood. What confirmed
     * that is lost or late, and the application here is told of both, the connection and its end.
     */
    private CounterId onReset(int reason) {
        if (life.state() == Lifecycle.State.HALF_OPEN && ResetHeader.confirms(reason) && !confirm()) {
            return CounterId.DROP_STATE;
        }
        life.closeAfterReading(
                switch (reason) {
                    case ResetHeader.REFUSED -> CloseReason.REFUSED;
                    case ResetHeader.BUSY -> CloseReason.BUSY;
                    case ResetHeader.NO_PROTOCOL -> CloseReason.NO_PROTOCOL;
                    case ResetHeader.TIMED_OUT -> CloseReason.TIMED_OUT;
                    default -> CloseReason.RESET;
                },
                connection.hasUntaken());
        return null;
    }

    /** Does what is due. */
    void onTimeout(long nowNanos) {
        if (life.deadlineNanos() <= nowNanos) {
            life.onDeadline();
        } else if (life.isEndPending()) {
            // The peer has gone: nothing else is due.
            life.endIfRead();
        } else if (life.state() == Lifecycle.State.OPENING) {
            connection.control().onOpeningTimeout(nowNanos);
        } else if (life.state() == Lifecycle.State.HALF_OPEN) {
            connection.control().onAcceptTimeout(nowNanos);
        } else if (life.state() == Lifecycle.State.LINGERING || !watch.onTimeout(nowNanos)) {
            streams.onTimeout(nowNanos);
        }
        if (isSilent(nowNanos)) {
            host.onSilence(connection);
        }
        connection.settle(nowNanos);
    }

    /** {@return whether something waits for the peer, and has for so long that the way there may be another now} */
    private boolean isSilent(long nowNanos) {
        return switch (life.state()) {
            case OPENING, ESTABLISHED -> watch.isSilent(nowNanos, SILENCE_NANOS);
            default -> false;
        };
    }

    /** {@return when {@link #onTimeout} has something to do} */
    long nextTimeoutNanos() {
        if (life.isEndPending()) {
            return life.deadlineNanos();
        }
        if (life.state() == Lifecycle.State.OPENING) {
            return connection.control().openingTimeoutNanos();
        }
        long nanos = life.state() == Lifecycle.State.HALF_OPEN
                ? connection.control().acceptTimeoutNanos()
                : streams.nextTimeoutNanos();
        if (life.state() == Lifecycle.State.ESTABLISHED) {
            nanos = Math.min(nanos, watch.nextTimeoutNanos());
        }
        return Math.min(life.deadlineNanos(), nanos);
    }
}
