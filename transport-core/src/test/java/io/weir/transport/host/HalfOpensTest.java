package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.ResetHeader;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link HalfOpens}: conversations with a peer whose share of half-open connections with credit state is used up.
 */
class HalfOpensTest {
    private static final HostConfig.Peers NO_CREDITS = HostConfig.Peers.DEFAULT.withCreditedMax(0);
    private static final long SECOND = 1_000_000_000L;
    private static final long RETRY = ConnectionTimers.DEFAULT.retransmitNanosInitial();
    private static final int COOKIE = OpenHeader.FLAG_COOKIE;
    private static final int REQUEST = OpenHeader.FLAG_CREDIT_REQUEST;
    private static final String ACCEPT = "ACCEPT protocol=1 window=262144 backlog=0";

    /** The peer's opening has been accepted at 1,000 ns. */
    private static Script accepted(long backlogBytes) {
        Script script = new Script(builder -> builder.connections(8, 8).peers(NO_CREDITS)).listen();
        int request = backlogBytes > 0 ? REQUEST : 0;
        return script.receives(peer -> peer.open(0, 0))
                .forgetSent()
                .at(1_000)
                .receives(peer -> peer.open(COOKIE | request, backlogBytes))
                .sends(ACCEPT);
    }

    @Test
    void accept_shareUsedUp_keepsNoConnectionAndSendsNoCredit() {
        try (Script script = accepted(100_000)) {
            script.at(RETRY - 1).sendsNothing().hears();
            assertEquals(0, script.host().connectionCount());
            assertEquals(1, script.host().halfOpenCount());
        }
    }

    @Test
    void confirm_initiatorWithABacklog_getsCreditsOneRoundTripLater() {
        try (Script script = accepted(1_000)) {
            script.at(51_000)
                    .receives(peer -> peer.ack(0, PeerFrames.WINDOW_BYTES, 0))
                    .hears("connected");
            assertEquals(1, script.host().connectionCount());
            assertEquals(0, script.host().halfOpenCount());
            script.at(52_000).sendsAt(51_000, "CREDIT 1 ack=0").receives(peer -> peer.data(1, 0, 1_000));
            assertEquals(1_000, script.app().receivedBytes());
        }
    }

    @Test
    void confirm_numbersOfFrames_goOnAfterTheAcceptances() {
        try (Script script = accepted(0)) {
            script.at(1_000 + RETRY)
                    .sendsAt(1_000 + RETRY, ACCEPT)
                    .receives(peer -> peer.request(0, 0))
                    .after(1_000)
                    .sends("ACK 0 window=262144");
            assertEquals(4, script.connection().numbers().next());
        }
    }

    @Test
    void accept_lost_isRepeatedWithBackOffUntilItIsConfirmed() {
        try (Script script = accepted(0)) {
            script.at(1_000 + 7 * RETRY)
                    .sendsAt(1_000 + RETRY, ACCEPT)
                    .sendsAt(1_000 + 3 * RETRY, ACCEPT)
                    .sendsAt(1_000 + 7 * RETRY, ACCEPT)
                    .receives(peer -> peer.ack(0, 1_000, 0))
                    .hears("connected")
                    .after(2 * SECOND)
                    .sendsNothing();
        }
    }

    @Test
    void accept_openingRepeated_isAnsweredWithoutASecondOne() {
        try (Script script = accepted(0)) {
            SentFrame open = script.record(peer -> peer.open(COOKIE, 0));
            script.at(2_000).receivesAgain(open).sends(ACCEPT);
            assertEquals(1, script.host().halfOpenCount());
            script.at(3_000)
                    .receives(peer -> peer.ack(0, 1_000, 0))
                    .hears("connected")
                    .receivesAgain(open)
                    .sends(ACCEPT)
                    .hears();
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void accept_neverConfirmed_isGivenUpInSilenceAndLeavesNothing() {
        try (Script script = accepted(5_000)) {
            script.at(12 * SECOND).forgetSent().hears().after(60 * SECOND).sendsNothing();
            assertEquals(0, script.host().halfOpenCount());
            assertEquals(0, script.host().peerCount());
        }
    }

    @Test
    void onReset_thePeerGaveUp_forgetsIt() {
        try (Script script = accepted(0)) {
            script.receives(peer -> peer.reset(ResetHeader.TIMED_OUT)).hears();
            assertEquals(0, script.host().halfOpenCount());
            assertEquals(0, script.host().peerCount());
            script.after(60 * SECOND).sendsNothing();
        }
    }

    @Test
    void onReset_confirmationLost_tellsTheApplicationOfTheConnectionAndItsEnd() {
        try (Script script = accepted(0)) {
            script.receives(peer -> peer.reset(ResetHeader.ABORTED)).hears("connected", "closed RESET");
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().halfOpenCount());
            assertEquals(0, script.host().peerCount());
            script.after(60 * SECOND).sendsNothing();
        }
    }

    @Test
    void confirm_fromAnotherPeerOrDamaged_confirmsNothing() {
        try (Script script = accepted(0)) {
            var path = script.peer().path();
            var elsewhere = path.withLocalPort(1);
            script.receives(peer -> peer.withPath(elsewhere).ack(0, 1_000, 0))
                    .counts(CounterId.DROP_TAG, 1)
                    .receivesDamaged(peer -> peer.ack(0, 1_000, 0), 70)
                    .counts(CounterId.DROP_CRC, 1)
                    .hears();
            assertEquals(1, script.host().halfOpenCount());
        }
    }

    @Test
    void confirm_noConnectionLeft_refuses() {
        Script limited = new Script(builder -> builder.connections(1, 8).peers(NO_CREDITS));
        try (Script script = limited.listen()) {
            script.receives(peer -> peer.open(0, 0)).receives(peer -> peer.open(COOKIE, 0));
            script.at(1_000).forgetSent();
            PeerFrames first = script.peer();
            PeerFrames second = first.withPeerTag(0xABC);
            script.receives(peer -> second.open(0, 0)).sends("CHALLENGE");
            script.receives(peer -> second.open(COOKIE, 0)).at(2_000).sends(ACCEPT);
            PeerFrames confirmed = script.peer();
            script.receives(peer -> first.ack(0, 1_000, 0)).hears("connected");
            script.receives(peer -> confirmed.ack(0, 1_000, 0))
                    .at(4_000)
                    .sends("RESET reason=" + ResetHeader.BUSY)
                    .counts(CounterId.DROP_BUSY, 1)
                    .hears();
            assertEquals(0, script.host().halfOpenCount());
        }
    }

    @Test
    void confirm_listenerGone_refuses() {
        try (Script script = accepted(0)) {
            script.host().stopListening(script.peer().path().remotePort());
            script.receives(peer -> peer.ack(0, 1_000, 0)).after(1_000).sends("RESET reason=" + ResetHeader.REFUSED);
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().peerCount());
        }
    }
}
