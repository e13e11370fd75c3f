package io.weir.transport.host;

import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.ChallengeHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The responder's side of a handshake, and the tokens of earlier ones.
 *
 * <p>Until a cookie or a token has proved that an initiator receives what is sent to its address, nothing is kept and
 * nothing is sent that is larger than what caused it: the opening frame itself is turned round and becomes the reply.
 */
final class Handshake {
    /** What an initiator says of its round trip is believed down to here: it decides how soon lost credits go again. */
    private static final long TOLD_ROUND_TRIP_NANOS_MIN = 10_000;

    private final HostStack host;
    private final CookieJar jar;
    private final ListenTable<ConnectionAcceptor> acceptors = new ListenTable<>();
    private final KnownPeers peers;
    private final PeerAccounts accounts;
    private final HalfOpens halfOpens;
    /** Connections in the state HALF_OPEN; those in {@link #halfOpens} are not among them. */
    private int halfOpenCount;

    Handshake(HostStack host, PeerAccounts accounts, long key0, long key1) {
        this.host = host;
        this.accounts = accounts;
        this.jar = new CookieJar(key0, key1);
        this.peers = new KnownPeers(host.config().timers());
        this.halfOpens = new HalfOpens(host);
    }

    /** {@return who decides about openings to each port} */
    ListenTable<ConnectionAcceptor> acceptors() {
        return acceptors;
    }

    /**
     * {@return the handler that the acceptor of its opening gives a connection, or null} A listener that came later is
     * not given what an earlier one has left.
     *
     * @param listenerId the number of that acceptor
     */
    ConnectionHandler handlerFor(Connection connection, int listenerId) {
        ConnectionAcceptor acceptor = acceptors.find(connection.path(), listenerId);
        return acceptor == null || !acceptor.isAccepting()
                ? null
                : host.callbacks().onIncoming(acceptor, connection);
    }

    private void onHalfOpenBegan(Connection connection) {
        halfOpenCount++;
        connection.account().addHalfOpen(1);
        connection.account().addCredited(1);
    }

    void onHalfOpenEnded(Connection connection) {
        halfOpenCount--;
        connection.account().addHalfOpen(-1);
        connection.account().addCredited(-1);
    }

    /** {@return openings that were accepted and are not confirmed} */
    int halfOpenCount() {
        return halfOpenCount + halfOpens.size();
    }

    HalfOpens halfOpens() {
        return halfOpens;
    }

    /** Forgets an opening that nobody confirmed, silently. */
    void giveUp(HalfOpen halfOpen) {
        halfOpens.remove(halfOpen);
        accounts.settle(halfOpen.account);
        host.registry().onPopulationChanged();
    }

    /**
     * {@return the connection of an opening that is confirmed now, or null if there is no room for it, which its
     * initiator is told}
     */
    Connection confirm(HalfOpen halfOpen, long nowNanos) {
        halfOpens.remove(halfOpen);
        Path path = halfOpen.path();
        Connection connection = host.registry().add(path, halfOpen.localTag, Lifecycle.State.HALF_OPEN);
        if (connection == null) {
            accounts.settle(halfOpen.account);
            host.resets().send(host.config().headersOn(path), halfOpen.remoteTag, ResetHeader.BUSY);
            return null;
        }
        onHalfOpenBegan(connection);
        connection.input().acceptedBefore(halfOpen, nowNanos);
        return connection;
    }

    /**
     * Takes an opening frame; a frame that becomes the reply is queued, any other is the caller's still.
     *
     * @return the reason for which it is refused or answered without a connection, or null
     */
    CounterId onOpen(Frame frame, Datagram opening, long nowNanos) {
        UnsafeBuffer buffer = opening.buffer();
        int at = opening.weirAt();
        long tag = WeirHeader.tag(buffer, at);
        Connection known = host.findByRemote(tag, opening);
        if (known != null) {
            known.input().acceptAgain();
            return null;
        }
        HalfOpen waiting = halfOpens.byRemoteTag(tag, opening);
        if (waiting != null) {
            halfOpens.answer(waiting, frame, opening, nowNanos);
            return null;
        }
        ConnectionAcceptor acceptor = acceptors.find(opening);
        if (acceptor == null || !acceptor.isAccepting()) {
            reset(frame, opening, ResetHeader.REFUSED);
            return CounterId.DROP_NO_LISTENER;
        }
        int flags = WeirHeader.flags(buffer, at);
        boolean isProved = (flags & OpenHeader.FLAG_COOKIE) != 0
                ? jar.isCookie(opening, tag, OpenHeader.cookieAt(at), nowNanos)
                : (flags & OpenHeader.FLAG_TOKEN) != 0 && jar.isToken(opening, OpenHeader.cookieAt(at), nowNanos);
        if (!isProved) {
            challenge(frame, opening, tag, nowNanos);
            boolean isForged = (flags & (OpenHeader.FLAG_COOKIE | OpenHeader.FLAG_TOKEN)) != 0;
            return isForged ? CounterId.DROP_COOKIE : null;
        }
        return accept(frame, opening, nowNanos);
    }

    private CounterId accept(Frame frame, Datagram opening, long nowNanos) {
        UnsafeBuffer buffer = opening.buffer();
        int at = opening.weirAt();
        int mtuBytes = OpenHeader.mtuBytes(buffer, at);
        if (mtuBytes < HostConfig.mtuBytesMin(opening.isV6())) {
            return CounterId.DROP_MALFORMED;
        }
        ProtocolId protocol =
                host.protocols().choose(OpenHeader.protocol(buffer, at), OpenHeader.protocols(buffer, at));
        if (protocol == null) {
            reset(frame, opening, ResetHeader.NO_PROTOCOL);
            return CounterId.DROP_STATE;
        }
        PeerAccount account = accounts.of(new IpAddress(opening.sourceHigh(), opening.sourceLow(), opening.isV6()));
        CounterId reason = accept(frame, opening, offerOf(opening, protocol), account, nowNanos);
        accounts.settle(account);
        host.registry().onPopulationChanged();
        return reason;
    }

    private static PeerOffer offerOf(Datagram opening, ProtocolId protocol) {
        UnsafeBuffer buffer = opening.buffer();
        int at = opening.weirAt();
        boolean asks = (WeirHeader.flags(buffer, at) & OpenHeader.FLAG_CREDIT_REQUEST) != 0;
        return new PeerOffer(
                WeirHeader.tag(buffer, at),
                protocol,
                OpenHeader.mtuBytes(buffer, at),
                OpenHeader.receiveWindowBytes(buffer, at),
                PauseCode.nanos(OpenHeader.pauseCode(buffer, at)),
                OpenHeader.creditFrames(buffer, at),
                (WeirHeader.flags(buffer, at) & OpenHeader.FLAG_TAKES_RIDERS) != 0,
                asks ? OpenHeader.backlogBytes(buffer, at) : 0);
    }

    private CounterId accept(Frame frame, Datagram opening, PeerOffer offer, PeerAccount account, long nowNanos) {
        if (!accounts.hasPlace(account, host.config().backlogMax() - halfOpenCount())) {
            return CounterId.DROP_BACKLOG;
        }
        if (!accounts.mayConnect(account, host.registry().freeConnectionCount())) {
            reset(frame, opening, ResetHeader.BUSY);
            host.tell(null, ConnectionEvent.MEMORY_REFUSED);
            return CounterId.DROP_BUSY;
        }
        if (!accounts.maySpendCredits(account)) {
            halfOpens.accept(frame, opening, offer, account, nowNanos);
            return null;
        }
        Connection connection =
                host.registry().add(opening.replyPath(), host.registry().newTag(), Lifecycle.State.HALF_OPEN);
        onHalfOpenBegan(connection);
        long roundTripNanos = OpenHeader.roundTripNanos(opening.buffer(), opening.weirAt());
        boolean dataConfirms = offer.backlogBytes() > 0 && roundTripNanos > 0 && mayStayHalfOpen();
        connection.input().accept(offer, acceptors.idOf(opening), dataConfirms, nowNanos);
        if (dataConfirms) {
            connection.receiver().onHandshake(Math.max(roundTripNanos, TOLD_ROUND_TRIP_NANOS_MIN));
        }
        connection.settle(nowNanos);
        return null;
    }

    /**
     * {@return whether there are places enough for half-open connections that one may keep its own until it gets a
     * credit, which takes longer than a round trip where many open at once}
     */
    private boolean mayStayHalfOpen() {
        return halfOpenCount() <= host.config().backlogMax() / 2;
    }

    private void challenge(Frame frame, Datagram opening, long tag, long nowNanos) {
        UnsafeBuffer buffer = opening.buffer();
        int at = opening.weirAt();
        // The cookie is made of the opening's addresses: it comes before the frame is turned round.
        jar.bakeCookie(opening, tag, buffer, ChallengeHeader.cookieAt(at), nowNanos);
        ChallengeHeader.write(buffer, at, tag, host.pauses().code(nowNanos));
        reply(frame, opening, ChallengeHeader.BYTES);
    }

    private void reset(Frame frame, Datagram opening, int reason) {
        int at = opening.weirAt();
        ResetHeader.write(opening.buffer(), at, WeirHeader.tag(opening.buffer(), at), reason);
        reply(frame, opening, ResetHeader.BYTES);
    }

    void reply(Frame frame, Datagram opening, int weirBytes) {
        HeaderTemplate.turn(frame, opening);
        HeaderTemplate.finishReply(frame, opening.isV6(), weirBytes);
        host.sendReply(frame);
    }

    void bakeToken(IpAddress remote, UnsafeBuffer target, int at, long nowNanos) {
        jar.bakeToken(remote.high(), remote.low(), target, at, nowNanos);
    }

    /** {@return what is known of the responders that have answered this host} */
    KnownPeers peers() {
        return peers;
    }

    /** {@return the token that {@code remote} gave, or null} */
    UnsafeBuffer tokenOf(IpAddress remote) {
        KnownPeers.KnownPeer peer = peers.find(remote);
        return peer == null ? null : peer.token();
    }
}
