package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.HostPauses;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.ChallengeHeader;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The initiator's side of a handshake: what the opening frames say, and when to repeat them.
 */
final class Opening {
    private static final int BACK_OFF_MAX = 6;
    /** So often a known time-out may double until it is as long as the longest. */
    private static final int DOUBLINGS_MAX = 20;

    private final HostConfig config;
    private final HostPauses pauses;
    private final KnownPeers peers;
    private final IpAddress remote;
    private final ProtocolId protocol;
    private final int protocols;
    private final UnsafeBuffer cookie = new UnsafeBuffer(new byte[Cookie.BYTES]);
    private final long deadlineNanos;
    /** What {@link #cookie} is: FLAG_COOKIE, FLAG_TOKEN, or 0 while it is empty. Set by useToken and onChallenge. */
    private int cookieFlag;
    /** Opening frames that have left since the first challenge; raised by {@link #write}, doubles the wait. */
    private int tryCount;
    /** When to repeat the opening frame; moved by this host's own pauses when it fires. */
    private long retryNanos = NO_DEADLINE;
    /** {@code pauses.totalNanos()} when {@link #retryNanos} was set. */
    private long pausedNanosAtTimer;

    /** Whether the latest opening frame has asked for credits; written by {@link #write}. */
    private boolean hasRequested;
    /** Opening frames that have left since the latest answer; written by {@link #write}. */
    private int unansweredCount;
    /** When the first of them left, in time that this host ran. */
    private long askedNanos;
    /** Credits that have overtaken the acceptance, or null; written by {@link #holdCredit} and {@link #takeCredits}. */
    private EarlyCredits earlyCredits;

    Opening(HostStack host, IpAddress remote, ProtocolId protocol, int protocols) {
        this.config = host.config();
        this.pauses = host.pauses();
        this.peers = host.handshake().peers();
        this.remote = remote;
        this.protocol = protocol;
        this.protocols = protocols;
        this.deadlineNanos = host.nowNanos() + config.timers().userTimeoutNanos();
    }

    /** Uses a token from an earlier connection: the first frame can ask for credits then. */
    void useToken(UnsafeBuffer token) {
        cookie.putBytes(0, token, 0, Cookie.BYTES);
        cookieFlag = OpenHeader.FLAG_TOKEN;
    }

    /**
     * Returns the cookie of a challenge at the next repetition.
     *
     * @return whether that is due at once: not if a cookie has been returned before, lest two hosts answer each other
     *     at the pace of the link when one cannot recognize its own cookies
     */
    boolean onChallenge(UnsafeBuffer source, int at, long nowNanos) {
        onAnswer(ChallengeHeader.pauseCode(source, at), nowNanos);
        boolean isFirst = cookieFlag != OpenHeader.FLAG_COOKIE;
        if (isFirst) {
            // The responder is there. One that does not recognize its own cookies is asked ever more slowly.
            tryCount = 0;
        }
        cookie.putBytes(0, source, ChallengeHeader.cookieAt(at), Cookie.BYTES);
        cookieFlag = OpenHeader.FLAG_COOKIE;
        return isFirst;
    }

    /** The responder has accepted. */
    void onAccept(UnsafeBuffer source, int at, long nowNanos) {
        onAnswer(AcceptHeader.pauseCode(source, at), nowNanos);
        peers.of(remote).keepToken(source, AcceptHeader.tokenAt(at));
    }

    /** {@return whether a credit is kept that has overtaken the acceptance} */
    boolean holdCredit(int sequenceLow32, int flags, long nowNanos) {
        if (earlyCredits == null) {
            earlyCredits = new EarlyCredits();
        }
        return earlyCredits.add(sequenceLow32, flags, nowNanos);
    }

    /** What answers a repeated opening may be another life of the responder, whose credits have the same numbers. */
    private void forgetCredits(HostStack host) {
        EarlyCredits forgotten = takeCredits();
        if (forgotten != null) {
            host.counters().add(CounterId.DROP_STATE, forgotten.count());
        }
    }

    /** {@return the credits that have overtaken the acceptance, or null; they are kept no longer} */
    EarlyCredits takeCredits() {
        EarlyCredits taken = earlyCredits;
        earlyCredits = null;
        return taken;
    }

    private void onAnswer(int pauseCode, long nowNanos) {
        KnownPeers.KnownPeer peer = peers.of(remote);
        peer.onPauses(PauseCode.nanos(pauseCode), pauses.budget().peerNanosMax());
        if (unansweredCount > 0) {
            peer.onAnswer(nowNanos - pauses.totalNanos() - askedNanos, unansweredCount == 1);
            unansweredCount = 0;
        }
    }

    /**
     * Writes an opening frame behind a frame's headers.
     *
     * @return its length from the Weir header on
     */
    int write(UnsafeBuffer target, int at, Connection connection, long nowNanos) {
        forgetCredits(connection.host());
        long backlogBytes = connection.sendBuffer().endOffset();
        // A request that comes without cookie or token is answered with a challenge only.
        hasRequested = backlogBytes > 0 && cookieFlag != 0;
        int request = hasRequested ? OpenHeader.FLAG_CREDIT_REQUEST : 0;
        int flags = cookieFlag | request | OpenHeader.FLAG_TAKES_RIDERS;
        OpenHeader.write(target, at, flags, connection.localTag());
        WeirHeader.packetNumber(target, at, connection.numbers().take());
        OpenHeader.offer(
                target,
                at,
                protocol.code(),
                protocols,
                connection.host().network().mtuBytes(connection.path()));
        OpenHeader.amounts(target, at, connection.receiveBuffer().windowBytes(), backlogBytes);
        OpenHeader.pauseCode(target, at, connection.host().pauses().code(nowNanos));
        OpenHeader.creditFrames(target, at, config.creditFramesMax());
        KnownPeers.KnownPeer peer = peers.find(remote);
        OpenHeader.roundTripNanos(target, at, peer == null ? 0 : peer.roundTripNanos());
        target.putBytes(OpenHeader.cookieAt(at), cookie, 0, Cookie.BYTES);
        if (unansweredCount++ == 0) {
            askedNanos = nowNanos - pauses.totalNanos();
        }
        retryNanos = nowNanos + waitNanos(peer);
        pausedNanosAtTimer = pauses.totalNanos();
        tryCount++;
        return OpenHeader.BYTES;
    }

    /** {@return how long to wait for the answer: what earlier answers took, doubled with each try, and its pauses} */
    private long waitNanos(KnownPeers.KnownPeer peer) {
        long initialNanos = config.timers().retransmitNanosInitial();
        if (peer == null) {
            return initialNanos << Math.min(tryCount, BACK_OFF_MAX);
        }
        long longestNanos = Math.max(peer.timeoutNanos(), initialNanos << BACK_OFF_MAX);
        return Math.min(longestNanos, peer.timeoutNanos() << Math.min(tryCount, DOUBLINGS_MAX)) + peer.pauseNanos();
    }

    /** {@return whether the latest opening frame has asked for credits} */
    boolean hasRequested() {
        return hasRequested;
    }

    /** {@return when the opening is to be repeated or given up} */
    long nextTimeoutNanos() {
        return Math.min(retryNanos, deadlineNanos);
    }

    /** {@return whether the opening frame is to be repeated; the question is answered yes once} */
    boolean isRetryDue(long nowNanos) {
        long missedNanos = pauses.totalNanos() - pausedNanosAtTimer;
        if (retryNanos <= nowNanos && missedNanos > 0) {
            // The answer may still lie in the rings.
            retryNanos += missedNanos;
            pausedNanosAtTimer += missedNanos;
        }
        boolean isDue = retryNanos <= nowNanos;
        if (isDue) {
            retryNanos = NO_DEADLINE;
        }
        return isDue;
    }

    boolean isOver(long nowNanos) {
        return deadlineNanos <= nowNanos;
    }
}
