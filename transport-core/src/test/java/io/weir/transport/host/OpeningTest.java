package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PassiveHandler;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.ResetHeader;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests the initiator's side of the handshake, an {@link Opening} and what follows it. */
class OpeningTest {
    private static final long SECOND = 1_000_000_000L;
    /** The least time-out, which is that of a peer that is known to answer at once. */
    private static final long KNOWN = ConnectionTimers.DEFAULT.retransmitNanosMin();

    private static final long RETRY = ConnectionTimers.DEFAULT.retransmitNanosInitial();

    @Test
    void connect_cookieHandshake_requestRidesOnTheFrameThatReturnsTheCookie() {
        try (Script script = new Script().connect(3_000)) {
            script.sendsAt(0, "OPEN backlog=3000")
                    .at(5_000)
                    .receives(peer -> peer.challenge())
                    .sendsAt(5_000, "OPEN cookie request backlog=3000")
                    .at(10_000)
                    .receives(peer -> peer.accept(100_000, 0))
                    .hears("connected")
                    .sendsAt(10_000, "ACK 0 window=262144")
                    .at(10_500)
                    .receives(peer -> peer.credit(1))
                    .sendsAt(10_500, "DATA [0,1424) credit=1 backlog=1576")
                    .sendsNothing();
        }
    }

    @Test
    void onAccept_dataConfirms_sendsNothingUntilACreditComes() {
        try (Script script = new Script().connect(100)) {
            script.receives(peer -> peer.challenge()).at(5_000).forgetSent();
            script.peer().takesDataAsConfirmation(true);
            script.receives(peer -> peer.accept(100_000, 0))
                    .hears("connected")
                    .at(100_000)
                    .sendsNothing()
                    .receives(peer -> peer.credit(1))
                    .sendsAt(100_000, "DATA [0,100) credit=1 backlog=0");
        }
    }

    /** The data that was to confirm may be taken back: what the responder repeats is confirmed all the same. */
    @Test
    void onAccept_again_isConfirmedAtOnce() {
        try (Script script = new Script().connect(100)) {
            script.receives(peer -> peer.challenge()).at(5_000).forgetSent();
            script.peer().takesDataAsConfirmation(true);
            script.receives(peer -> peer.accept(100_000, 0))
                    .at(50_000)
                    .sendsNothing()
                    .receives(peer -> peer.accept(100_000, 0))
                    .sendsAt(50_000, "ACK 0 window=262144");
        }
    }

    @Test
    void onAccept_dataConfirmsAndNothingWasAskedFor_isConfirmedAtOnce() {
        try (Script script = new Script().connect(0)) {
            script.receives(peer -> peer.challenge()).at(5_000).forgetSent();
            script.peer().takesDataAsConfirmation(true);
            script.receives(peer -> peer.accept(100_000, 0)).sendsAt(5_000, "ACK 0 window=262144");
        }
    }

    @Test
    void onAccept_applicationWritesAtOnce_isConfirmedByTheRequest() {
        try (Script script = new Script()) {
            UnsafeBuffer bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
            script.app().whenConnected(() -> script.app().connection().write(bytes, 0, 100));
            script.connect(0).receives(peer -> peer.challenge()).at(5_000).forgetSent();
            script.receives(peer -> peer.accept(100_000, 0))
                    .sendsAt(5_000, "REQUEST backlog=100 credit<=0 no-ack")
                    .after(50_000)
                    .sendsNothing();
        }
    }

    /** An answer to the first opening is a measured round trip, and the next opening tells it. */
    @Test
    void open_afterAChallenge_tellsTheRoundTrip() {
        try (Script script = new Script().connect(0)) {
            assertEquals(0, toldRoundTripNanos(script.takeSent().get(0)));
            script.at(7_000).receives(peer -> peer.challenge());
            assertEquals(7_000, toldRoundTripNanos(script.takeSent().get(0)));
        }
    }

    @Test
    void open_answeredAfterARepetition_tellsNoRoundTrip() {
        try (Script script = new Script().connect(0)) {
            script.at(RETRY + 7_000).forgetSent().receives(peer -> peer.challenge());
            assertEquals(0, toldRoundTripNanos(script.takeSent().get(0)));
        }
    }

    private static long toldRoundTripNanos(SentFrame open) {
        return OpenHeader.roundTripNanos(open.bytes(), HeaderTemplate.BYTES_V4);
    }

    @Test
    void connect_tokenHandshake_dataStartsOneRoundTripEarlier() {
        try (Script script = new Script().establishFromHost(0, 100_000).abort()) {
            script.after(1_000).forgetSent().hears("closed ABORTED").mark();
            script.connect(40_001, 3_000)
                    .sendsAt(0, "OPEN token request backlog=3000")
                    .at(5_000)
                    .receives(peer -> peer.accept(100_000, 0))
                    .receives(peer -> peer.credit(1))
                    .hears("connected")
                    .after(1_000)
                    .sendsAt(5_000, "ACK 0 window=262144")
                    .sendsAt(5_126, "DATA [0,1424) credit=1 backlog=1576");
        }
    }

    @Test
    void takeToken_ofAHostNeverMet_savesTheChallenge() {
        long[] firstByteNanos = new long[2];
        for (int i = 0; i < 2; i++) {
            try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(10_000)) {
                Path path = Path.from(TestNetwork.mac(1), TestNetwork.address(1), 1)
                        .to(TestNetwork.mac(2), TestNetwork.address(2), 1);
                if (i == 1) {
                    network.stack(1).takeToken(network.stack(2), path, 0);
                }
                StreamProbe server = new StreamProbe(2, 0, 1);
                network.connect(0, 1, 2, new StreamProbe(1, 1_000, 2), server);
                network.simulator().run(1_000_000);
                firstByteNanos[i] = server.firstByteNanos();
            }
        }
        long savedNanos = firstByteNanos[0] - firstByteNanos[1];
        // An opening and a challenge, 10 us there and 10 us back.
        assertTrue(savedNanos > 20_000 && savedNanos < 23_000, savedNanos + " ns");
    }

    /** OPEN, CHALLENGE, OPEN, ACCEPT, CREDIT; then each way DATA and ACK, and a standing credit for the next answer. */
    @Test
    void connect_aByteEachWay_takesTenFrames() {
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir())) {
            network.hostOptions(builder -> builder.creditFramesMax(64)).pair(10_000);
            StreamProbe client = new StreamProbe(1, 1, 2).keepOpen();
            network.connect(0, 1, 2, client, new Echo());
            network.simulator().run(1_500_000);
            assertEquals(1, client.receivedBytes());
            long frames = 0;
            for (int host = 1; host <= 2; host++) {
                frames += network.stack(host).counters().get(CounterId.FRAMES_SENT);
            }
            assertEquals(10, frames);
        }
    }

    /** Writes back what it reads. */
    private static final class Echo extends PassiveHandler {
        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            return connection.write(buffer, index, length);
        }

        @Override
        public void onClosed(Connection connection, CloseReason reason) {}
    }

    @Test
    void connect_tokenRefused_fallsBackToTheCookie() {
        try (Script script = new Script().establishFromHost(0, 100_000).abort()) {
            script.after(1_000).forgetSent().mark();
            script.connect(40_001, 0)
                    .sendsAt(0, "OPEN token backlog=0")
                    .at(5_000)
                    .receives(peer -> peer.challenge())
                    .sendsAt(5_000, "OPEN cookie backlog=0");
        }
    }

    @Test
    void connect_challengesThatNeverEnd_areAnsweredAtThePaceOfTheTimer() {
        try (Script script = new Script().connect(0)) {
            script.receives(peer -> peer.challenge()).forgetSent();
            for (int i = 0; i < 100; i++) {
                script.after(10_000).receives(peer -> peer.challenge());
            }
            assertTrue(script.takeSent().size() <= 2, "a challenge answers a cookie only when that one was wrong");
        }
    }

    @Test
    void connect_everythingLost_repeatsWithBackOffAndGivesUp() {
        try (Script script = new Script().connect(0)) {
            script.sendsAt(0, "OPEN backlog=0")
                    .at(3 * RETRY)
                    .sendsAt(RETRY, "OPEN backlog=0")
                    .sendsAt(3 * RETRY, "OPEN backlog=0")
                    .sendsNothing()
                    .at(10 * SECOND)
                    .forgetSent()
                    .hears("closed OPEN_TIMED_OUT")
                    .after(60 * SECOND)
                    .sendsNothing();
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void connect_acceptLost_repeatsTheCookie() {
        try (Script script = new Script().connect(0)) {
            script.forgetSent()
                    .at(1_000)
                    .receives(peer -> peer.challenge())
                    .sends("OPEN cookie backlog=0")
                    .at(1_000 + 3 * KNOWN)
                    .sendsAt(1_000 + KNOWN, "OPEN cookie backlog=0")
                    .sendsAt(1_000 + 3 * KNOWN, "OPEN cookie backlog=0")
                    .sendsNothing();
        }
    }

    /** The challenge took 15 ms, which may vary by as much again. */
    @Test
    void connect_peerIsSlow_isNotAskedAgainBeforeItCanHaveAnswered() {
        try (Script script = new Script().connect(0)) {
            script.at(15_000_000)
                    .receives(peer -> peer.challenge())
                    .forgetSent()
                    .at(15_000_000 + 45_000_000 - 1)
                    .sendsNothing()
                    .after(1)
                    .sends("OPEN cookie backlog=0");
        }
    }

    @Test
    void connect_peerAnnouncesPauses_isAskedAgainThatMuchLater() {
        long pauseNanos = PauseCode.nanos(PauseCode.of(30_000_000));
        try (Script script = new Script().connect(0)) {
            script.peer().announces(PauseCode.of(30_000_000));
            script.at(1_000)
                    .receives(peer -> peer.challenge())
                    .forgetSent()
                    .at(1_000 + KNOWN + pauseNanos - 1)
                    .sendsNothing()
                    .after(1)
                    .sends("OPEN cookie backlog=0");
        }
    }

    /** What one connection has learnt of the peer holds for the next. */
    @Test
    void connect_peerThatPausedInAnEarlierConnection_isAskedAgainThatMuchLater() {
        long pauseNanos = PauseCode.nanos(PauseCode.of(30_000_000));
        try (Script script = new Script().connect(0)) {
            script.peer().announces(PauseCode.of(30_000_000));
            script.at(1_000).receives(peer -> peer.challenge()).receives(peer -> peer.accept(100_000, 0));
            script.abort().after(SECOND).forgetSent().mark();
            script.connect(40_001, 0)
                    .sendsAt(0, "OPEN token backlog=0")
                    .at(KNOWN + pauseNanos - 1)
                    .sendsNothing()
                    .after(1)
                    .sends("OPEN token backlog=0");
        }
    }

    @Test
    void connect_hostItselfPauses_repeatsThatMuchLater() {
        try (Script script = new Script().connect(0)) {
            script.forgetSent()
                    .at(10_000_000)
                    .pause(15_000_000)
                    .at(RETRY + 15_000_000 - 1)
                    .sendsNothing()
                    .after(1)
                    .sends("OPEN backlog=0");
        }
    }

    @Test
    void connect_acceptedTwice_acknowledgesTwiceAndConnectsOnce() {
        try (Script script = new Script().connect(0)) {
            script.at(1_000)
                    .forgetSent()
                    .receives(peer -> peer.accept(1_000, 0))
                    .sends("ACK 0 window=262144")
                    .hears("connected")
                    .at(2_000)
                    .receives(peer -> peer.accept(1_000, 0))
                    .sends("ACK 0 window=262144")
                    .sendsNothing()
                    .hears();
        }
    }

    @Test
    void connect_refused_isClosed() {
        try (Script script = new Script().connect(0)) {
            script.receives(peer -> peer.reset(ResetHeader.REFUSED)).hears("closed REFUSED");
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void onReturned_quotesTheOpening_isClosed() {
        try (Script script = new Script().connect(0)) {
            Connection connection = script.connection();
            Path path = connection.path();
            long tag = connection.localTag();
            HostStack host = script.host();
            host.network().onReturned(tag + 1, path.remote(), path.remotePort(), CloseReason.REFUSED);
            host.network().onReturned(tag, path.local(), path.remotePort(), CloseReason.REFUSED);
            host.network().onReturned(tag, path.remote(), path.remotePort() + 1, CloseReason.REFUSED);
            script.hears();
            host.network().onReturned(tag, path.remote(), path.remotePort(), CloseReason.UNREACHABLE);
            script.hears("closed UNREACHABLE");
            assertEquals(0, host.connectionCount());
        }
    }

    @Test
    void connect_noCommonProtocol_isClosed() {
        try (Script script = new Script().connect(0)) {
            script.receives(peer -> peer.reset(ResetHeader.NO_PROTOCOL)).hears("closed NO_PROTOCOL");
        }
    }

    @Test
    void connect_acceptedWithAnUnknownProtocol_isIgnored() {
        try (Script script = new Script().connect(0)) {
            script.receives(peer -> peer.accept(1_000, 0, 9))
                    .counts(CounterId.DROP_STATE, 1)
                    .hears();
        }
    }

    @Test
    void connect_dataBeforeTheAcceptance_isIgnored() {
        try (Script script = new Script().connect(100)) {
            script.receives(peer -> peer.data(1, 0, 100))
                    .at(1_000)
                    .forgetSent()
                    .counts(CounterId.DROP_STATE, 1)
                    .sendsNothing();
        }
    }

    @Test
    void connect_acceptWithBacklog_sendsCredits() {
        try (Script script = new Script().connect(0)) {
            script.at(1_000)
                    .forgetSent()
                    .receives(peer -> peer.accept(1_000, 100))
                    .at(2_000)
                    .sends("ACK 0 window=262144")
                    .sends("CREDIT 1 ack=0")
                    .sendsNothing();
        }
    }

    @Test
    void connect_tooManyConnections_isNull() {
        try (Script script = new Script(builder -> builder.connections(1, 1)).connect(0)) {
            assertNull(script.host().connect(script.connection().path(), script.app()));
        }
    }

    @Test
    void connect_twice_tagsDiffer() {
        try (Script script = new Script().connect(0)) {
            long tag = script.connection().localTag();
            script.connect(40_001, 0);
            assertNotEquals(tag, script.connection().localTag());
        }
    }

    @Test
    void connect_creditFrames_areOfferedAndToldBack() {
        try (Script script = new Script(builder -> builder.creditFramesMax(16))
                .peerCreditFrames(3)
                .connect(0)) {
            script.sendsAt(0, "OPEN backlog=0 frames=16")
                    .receives(peer -> peer.challenge())
                    .at(1_000)
                    .forgetSent()
                    .receives(peer -> peer.accept(PeerFrames.WINDOW_BYTES, 0))
                    .at(2_000)
                    .sends("ACK 0 window=262144 frames=3");
        }
    }
}
