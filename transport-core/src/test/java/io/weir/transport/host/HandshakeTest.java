package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.ResetHeader;
import org.junit.jupiter.api.Test;

/** Tests the responder's side of the handshake, {@link Handshake}. */
class HandshakeTest {
    private static final int COOKIE = OpenHeader.FLAG_COOKIE;
    private static final int TOKEN = OpenHeader.FLAG_TOKEN;
    private static final int REQUEST = OpenHeader.FLAG_CREDIT_REQUEST;
    private static final String ACCEPT = "ACCEPT protocol=1 window=262144 backlog=0";
    private static final long SECOND = 1_000_000_000L;
    private static final long RETRY = ConnectionTimers.DEFAULT.retransmitNanosInitial();

    @Test
    void onOpen_withoutCookie_isChallengedAndNothingIsKept() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).sendsAt(0, "CHALLENGE");
            assertEquals(0, script.host().connectionCount());
            assertEquals(script.pool().frameCount(), script.pool().available());
            script.at(60 * SECOND).sendsNothing().hears();
        }
    }

    @Test
    void onOpen_withoutCookie_replyIsNotLarger() {
        try (Script script = new Script().listen()) {
            SentFrame open = script.record(peer -> peer.open(0, 0));
            script.receivesAgain(open);
            assertTrue(script.takeSent().get(0).length() <= open.length());
        }
    }

    @Test
    void onOpen_returnedCookieWithRequest_isAcceptedAndCreditsFollow() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent();
            SentFrame open = script.record(peer -> peer.open(COOKIE | REQUEST, 2_000));
            script.at(1_000).receivesAgain(open);
            assertTrue(script.history().get(1).length() <= open.length(), "an ACCEPT is not larger than its OPEN");
            assertEquals(1, script.host().connectionCount());
            // Two credits are all that a backlog of 2000 B needs; the first leaves behind the 114 B of the ACCEPT.
            script.at(4_000)
                    .sendsAt(1_000, ACCEPT)
                    .sendsAt(1_114, "CREDIT 1 ack=0")
                    .sendsAt(1_000 + Script.CREDIT_GAP_NANOS, "CREDIT 2 ack=0")
                    .sendsNothing();
            script.hears();
        }
    }

    @Test
    void onOpen_confirmedByData_connectsTheApplication() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .at(1_000)
                    .receives(peer -> peer.open(COOKIE | REQUEST, 100))
                    .at(2_000)
                    .forgetSent()
                    .hears()
                    .receives(peer -> peer.data(1, 0, 100))
                    .hears("connected");
            assertEquals(100, script.app().receivedBytes());
            assertEquals(Lifecycle.State.ESTABLISHED, script.connection().state());
        }
    }

    @Test
    void onOpen_confirmedWhenAnotherListensThere_isNotGivenToThatOne() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .at(1_000)
                    .receives(peer -> peer.open(COOKIE | REQUEST, 100))
                    .at(2_000);
            script.host().stopListening(TestNetwork.PORT);
            script.host().listen(TestNetwork.PORT, incoming -> {
                throw new AssertionError("a connection of an earlier listener");
            });
            script.receives(peer -> peer.data(1, 0, 100)).at(3_000).hears();
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void onOpen_asksAndTellsItsRoundTrip_isConfirmedByItsDataAlone() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent().at(1_000);
            script.peer().tellsRoundTrip(50_000);
            script.receives(peer -> peer.open(COOKIE | REQUEST, 100))
                    .at(10_000)
                    .sends(ACCEPT + " data-confirms")
                    .sends("CREDIT 1 ack=0")
                    .forgetSent()
                    .hears()
                    .receives(peer -> peer.data(1, 0, 100))
                    .hears("connected");
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void onOpen_tellsItsRoundTripAndAsksForNothing_isToConfirm() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent().at(1_000);
            script.peer().tellsRoundTrip(50_000);
            script.receives(peer -> peer.open(COOKIE, 0)).at(10_000).sends(ACCEPT);
        }
    }

    @Test
    void onOpen_halfOfThePlacesTaken_isToConfirmAtOnce() {
        try (Script script =
                new Script(builder -> builder.connections(8, 4).peers(HostConfig.Peers.UNLIMITED)).listen()) {
            for (int i = 1; i <= 4; i++) {
                PeerFrames opening = script.peer().withPeerTag(i).tellsRoundTrip(50_000);
                script.receives(peer -> opening.open(0, 0)).after(1_000).forgetSent();
                // The third takes more than half of four places.
                script.receives(peer -> opening.open(COOKIE | REQUEST, 100))
                        .sends(ACCEPT + (i < 3 ? " data-confirms" : ""))
                        .after(1_000)
                        .forgetSent();
            }
        }
    }

    /** Each waits for the credits of those before, and while there are many for as many that come after. */
    @Test
    void onOpen_othersWaitForTheMeter_isToldHowLongCreditsTake() {
        HostConfig.Peers unlimited = HostConfig.Peers.UNLIMITED;
        try (Script script = new Script(builder -> builder.connections(128, 128).peers(unlimited)).listen()) {
            for (int i = 1; i <= 80; i++) {
                PeerFrames opening = script.peer().withPeerTag(i);
                script.receives(peer -> opening.open(0, 0)).after(300).forgetSent();
                script.receives(peer -> opening.open(COOKIE | REQUEST, 1_000)).after(300);
                SentFrame accept = script.takeSent().get(0);
                long waitNanos = PauseCode.nanos(AcceptHeader.waitCode(accept.bytes(), HeaderTemplate.BYTES_V4));
                int waiting = script.host().creditsWaitingMax();
                if (i == 1) {
                    assertEquals(0, waitNanos);
                } else if (i == 80) {
                    long turnNanos = Script.CREDIT_GAP_NANOS;
                    assertTrue(waiting > 24, waiting + " wait");
                    // Told in steps of an eighth, and the next in line has been added since.
                    assertTrue(waitNanos >= 2L * 24 * turnNanos, waitNanos + " ns for " + waiting);
                    assertTrue(waitNanos <= 2L * waiting * turnNanos * 9 / 8 + 1_000, waitNanos + " ns for " + waiting);
                }
            }
        }
    }

    /** The round trip decides how soon a credit follows one that brought nothing: an absurd one must not hurry it. */
    @Test
    void onOpen_tellsARoundTripOfANanosecond_getsNoCreditsSoonerThanTenMicroseconds() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent().at(1_000);
            script.peer().tellsRoundTrip(1);
            long firstNanos = 7 * Script.CREDIT_GAP_NANOS;
            script.receives(peer -> peer.open(COOKIE | REQUEST, 100))
                    .at(1_114 + firstNanos)
                    .sends(ACCEPT + " data-confirms");
            // To spare, since nothing is known of the meters here.
            for (int i = 1; i <= 8; i++) {
                script.sends("CREDIT " + i + " ack=0");
            }
            script.after(10_000).sendsNothing().after(10_000).sends("CREDIT 9 ack=0");
        }
    }

    @Test
    void onOpen_dataThatWasToConfirmNeverComes_isAcceptedAgain() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent().at(1_000);
            script.peer().tellsRoundTrip(50_000);
            script.receives(peer -> peer.open(COOKIE | REQUEST, 100))
                    .at(8 * RETRY)
                    .forgetSent()
                    .at(8 * RETRY + 1_000)
                    .sendsAt(8 * RETRY + 1_000, ACCEPT + " data-confirms")
                    .receives(peer -> peer.ack(0, 1_000, 0))
                    .hears("connected");
        }
    }

    @Test
    void onOpen_cookieOfAnotherTag_isForged() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .sends("CHALLENGE")
                    .receives(peer -> peer.withPeerTag(99).open(COOKIE, 0))
                    .at(1_000)
                    .sends("CHALLENGE")
                    .sendsNothing()
                    .counts(CounterId.DROP_COOKIE, 1);
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void onOpen_cookieFromAnotherPort_isForged() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .sends("CHALLENGE")
                    .at(1_000)
                    .receives(
                            peer -> peer.withPath(fromPort(peer.path(), 50_000)).open(COOKIE, 0))
                    .sends("CHALLENGE")
                    .counts(CounterId.DROP_COOKIE, 1);
        }
    }

    private static Path fromPort(Path path, int port) {
        return path.withLocalPort(port);
    }

    @Test
    void onOpen_cookieAfterElevenSeconds_hasExpired() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .sends("CHALLENGE")
                    .at(11 * SECOND)
                    .receives(peer -> peer.open(COOKIE, 0))
                    .sends("CHALLENGE")
                    .counts(CounterId.DROP_COOKIE, 1)
                    .at(12 * SECOND)
                    .receives(peer -> peer.open(COOKIE, 0))
                    .sends(ACCEPT);
        }
    }

    @Test
    void onOpen_token_isAcceptedAtOnceAndExpiresAfterAnHour() {
        try (Script script = new Script().establishFromPeer(0).abort()) {
            script.at(SECOND)
                    .forgetSent()
                    .receives(peer -> peer.withPeerTag(5).open(TOKEN | REQUEST, 100))
                    .sends(ACCEPT)
                    .after(1_000)
                    .sends("CREDIT 1 ack=0")
                    .receives(peer -> peer.reset(ResetHeader.ABORTED))
                    .sendsNothing();
            SentFrame old = script.record(peer -> peer.withPeerTag(6).open(TOKEN, 0));
            script.at(3_700 * SECOND).receivesAgain(old).sends("CHALLENGE").counts(CounterId.DROP_COOKIE, 1);
        }
    }

    @Test
    void onOpen_portWithoutListener_isRefused() {
        try (Script script = new Script().listen()) {
            script.host().stopListening(script.peer().path().remotePort());
            SentFrame open = script.record(peer -> peer.open(0, 0));
            script.receivesAgain(open).counts(CounterId.DROP_NO_LISTENER, 1);
            SentFrame reply = script.takeSent().get(0);
            assertEquals("RESET reason=" + ResetHeader.REFUSED, reply.text());
            assertTrue(reply.length() <= open.length());
        }
    }

    @Test
    void onOpen_tokenOrCookieThatDiffersInOneByte_isNoProof() {
        for (int flag : new int[] {COOKIE, OpenHeader.FLAG_TOKEN}) {
            // A challenge gives a cookie; an acceptance gives a token instead.
            Script opened = flag == COOKIE
                    ? new Script().listen().receives(peer -> peer.open(0, 0))
                    : new Script().establishFromPeer(0);
            try (Script script = opened) {
                PeerFrames another =
                        flag == COOKIE ? script.peer() : script.peer().withPeerTag(0xABC);
                script.after(1_000).forgetSent();
                long connections = script.host().connectionCount();
                for (int i = 0; i < Cookie.BYTES; i++) {
                    int at = 14 + 20 + 8 + 28 + i;
                    SentFrame open = script.record(peer -> another.open(flag, 0));
                    open.bytes().putByte(at, (byte) (open.bytes().getByte(at) ^ 1));
                    script.receivesRepaired(open)
                            .after(1_000)
                            .counts(CounterId.DROP_COOKIE, i + 1)
                            .forgetSent();
                    assertEquals(connections, script.host().connectionCount());
                    script.restoreCookie();
                }
                script.receives(peer -> another.open(flag, 0)).after(1_000).sends(ACCEPT);
            }
        }
    }

    @Test
    void keepToken_ofMoreRemotesThanItHolds_forgetsTheOldest() {
        try (Script responder = new Script();
                Script script = new Script()) {
            HostStack host = script.host();
            for (int i = 1; i <= 1_025; i++) {
                host.takeToken(responder.host(), pathTo(i), 0);
            }
            assertNull(host.handshake().tokenOf(pathTo(1).remote()));
            for (int i = 2; i <= 1_025; i++) {
                assertNotNull(host.handshake().tokenOf(pathTo(i).remote()), "remote " + i);
            }
        }
    }

    private static Path pathTo(int number) {
        return Path.from(1, TestNetwork.address(1), 40_000).to(2, IpAddress.v4(0x0B00_0000 + number), TestNetwork.PORT);
    }

    @Test
    void onOpen_noCommonProtocol_isReset() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .sends("CHALLENGE")
                    .receives(peer -> peer.open(COOKIE, 0, 9, 1500))
                    .at(1_000)
                    .sends("RESET reason=" + ResetHeader.NO_PROTOCOL);
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void onOpen_mtuTooSmall_isDropped() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .sends("CHALLENGE")
                    .receives(peer -> peer.open(COOKIE, 0, 1, 500))
                    .at(1_000)
                    .sendsNothing()
                    .counts(CounterId.DROP_MALFORMED, 1);
        }
    }

    @Test
    void onOpen_duplicate_isAcceptedAgainWithoutASecondConnection() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent();
            SentFrame open = script.record(peer -> peer.open(COOKIE, 0));
            script.at(1_000)
                    .receivesAgain(open)
                    .sends(ACCEPT)
                    .at(2_000)
                    .receivesAgain(open)
                    .sends(ACCEPT)
                    .sendsNothing();
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void onOpen_duplicateOnIdleConnection_asksForNoCreditsAgain() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent();
            SentFrame open = script.record(peer -> peer.open(COOKIE | REQUEST, 100));
            script.at(1_000)
                    .receivesAgain(open)
                    .at(2_000)
                    .receives(peer -> peer.data(1, 0, 100))
                    .at(500_000)
                    .forgetSent()
                    .receivesAgain(open)
                    .sends(ACCEPT)
                    .after(SECOND / 2)
                    .sendsNothing();
        }
    }

    @Test
    void onOpen_duplicateAfterListenerClosed_leavesTheConnectionAlone() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent();
            SentFrame open = script.record(peer -> peer.open(COOKIE, 0));
            script.at(1_000).receivesAgain(open).receives(peer -> peer.ack(0, 1_000, 0));
            script.host().stopListening(script.peer().path().remotePort());
            script.at(2_000)
                    .forgetSent()
                    .receivesAgain(open)
                    .sends(ACCEPT)
                    .sendsNothing()
                    .counts(CounterId.DROP_NO_LISTENER, 0);
        }
    }

    @Test
    void onOpen_replayedAfterTheConnectionEnded_opensOneHalfThatIsGivenUp() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).forgetSent();
            SentFrame open = script.record(peer -> peer.open(COOKIE, 0));
            script.at(1_000)
                    .receivesAgain(open)
                    .receives(peer -> peer.ack(0, 1_000, 0))
                    .hears("connected")
                    .receives(peer -> peer.reset(ResetHeader.ABORTED))
                    .hears("closed RESET")
                    .at(2_000)
                    .receivesAgain(open);
            assertEquals(1, script.host().connectionCount());
            script.at(20 * SECOND).forgetSent().hears();
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void onOpen_backlogFull_isDroppedAndServedWhenThereIsRoom() {
        try (Script script = new Script(builder -> builder.connections(8, 1)).listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .receives(peer -> peer.open(COOKIE, 0))
                    .at(1_000)
                    .forgetSent();
            PeerFrames first = script.peer();
            PeerFrames second = first.withPeerTag(0xABC);
            script.receives(peer -> second.open(0, 0)).sends("CHALLENGE");
            script.receives(peer -> second.open(COOKIE, 0))
                    .at(2_000)
                    .sendsNothing()
                    .counts(CounterId.DROP_BACKLOG, 1);
            script.receives(peer -> first.ack(0, 1_000, 0))
                    .hears("connected")
                    .receives(peer -> second.open(COOKIE, 0))
                    .sends(ACCEPT);
        }
    }

    @Test
    void onOpen_connectionTableFull_isRefusedWithTheReason() {
        try (Script script = new Script(builder -> builder.connections(1, 8)).listen()) {
            script.receives(peer -> peer.open(0, 0)).receives(peer -> peer.open(COOKIE, 0));
            PeerFrames second = script.peer().withPeerTag(0xABC);
            script.at(1_000)
                    .forgetSent()
                    .receives(peer -> second.open(0, 0))
                    .sends("CHALLENGE")
                    .receives(peer -> second.open(COOKIE, 0))
                    .at(2_000)
                    .sends("RESET reason=" + ResetHeader.BUSY)
                    .counts(CounterId.DROP_BUSY, 1);
        }
    }

    @Test
    void onOpen_peerHasAsManyConnectionsAsItMay_isRefusedAndServedWhenOneEnds() {
        HostConfig.Peers one = HostConfig.Peers.DEFAULT.withConnectionsMax(1);
        try (Script script = new Script(builder -> builder.peers(one)).establishFromPeer(0)) {
            PeerFrames second = script.peer().withPeerTag(0xABC);
            script.receives(peer -> second.open(0, 0))
                    .sends("CHALLENGE")
                    .receives(peer -> second.open(COOKIE, 0))
                    .at(2_000)
                    .sends("RESET reason=" + ResetHeader.BUSY)
                    .receives(peer -> peer.reset(ResetHeader.ABORTED))
                    .receives(peer -> second.open(0, 0))
                    .sends("CHALLENGE")
                    .receives(peer -> second.open(COOKIE, 0))
                    .at(3_000)
                    .sends(ACCEPT);
        }
    }

    @Test
    void onOpen_memoryTaken_isRefusedWithTheReason() {
        StreamLimits small = StreamLimits.fixed(1 << 16, 1 << 16)
                .withBufferBytesInitial(1 << 15)
                .withMemoryBytesMax(1 << 16);
        try (Script script = new Script(builder -> builder.streams(small)).establishFromPeer(200_000)) {
            script.app().take(0);
            for (int i = 0; i < 30; i++) {
                int number = i;
                script.receives(peer -> peer.data(number + 1, 1_000L * number, 1_000))
                        .after(2_000)
                        .forgetSent();
            }
            script.write(16_000);
            PeerFrames second = script.peer().withPeerTag(0xABC);
            script.forgetSent().receives(peer -> second.open(0, 0));
            script.after(1_000).forgetSent().receives(peer -> second.open(COOKIE, 0));
            script.after(1_000).sends("RESET reason=" + ResetHeader.BUSY).counts(CounterId.DROP_BUSY, 1);
        }
    }

    @Test
    void connect_peerIsBusy_isClosedWithTheReason() {
        try (Script script = new Script().connect(0)) {
            script.receives(peer -> peer.reset(ResetHeader.BUSY)).hears("closed BUSY");
            assertEquals(0, script.host().connectionCount());
        }
    }

    /** The tag of its acceptance, sent back as an opening, must not make a host accept what it opened. */
    @Test
    void onOpen_withTheTagThatThePeerGaveAsResponder_isNoRepetition() {
        try (Script script = new Script().establishFromHost(0, 100_000)) {
            script.receives(peer -> peer.open(COOKIE, 0)).hears();
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void accept_lost_isRepeatedUntilTheInitiatorShowsThatItKnows() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .forgetSent()
                    .at(1_000)
                    .receives(peer -> peer.open(COOKIE, 0))
                    .at(1_000 + 7 * RETRY)
                    .sendsAt(1_000, ACCEPT)
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
    void accept_neverConfirmed_isGivenUpInSilence() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .receives(peer -> peer.open(COOKIE | REQUEST, 5_000))
                    .at(11 * SECOND)
                    .forgetSent()
                    .hears()
                    .after(60 * SECOND)
                    .sendsNothing();
            assertEquals(0, script.host().connectionCount());
            script.counts(CounterId.CONNECTIONS_ABORTED, 1);
        }
    }

    @Test
    void confirm_listenerGone_refuses() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).receives(peer -> peer.open(COOKIE, 0));
            script.host().stopListening(script.peer().path().remotePort());
            script.at(1_000)
                    .forgetSent()
                    .receives(peer -> peer.ack(0, 1_000, 0))
                    .sends("RESET reason=" + ResetHeader.REFUSED);
            assertEquals(0, script.host().connectionCount());
        }
    }

    /** The frame that the reset was sent behind is lost: the application of the initiator had the connection. */
    @Test
    void confirm_lostBeforeAReset_tellsTheApplicationOfTheConnectionAndItsEnd() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .receives(peer -> peer.open(COOKIE, 0))
                    .at(1_000)
                    .receives(peer -> peer.reset(ResetHeader.ABORTED))
                    .hears("connected", "closed RESET");
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().halfOpenCount());
            script.forgetSent().after(60 * SECOND).sendsNothing();
        }
    }

    @Test
    void confirm_overtakenByAReset_connectsOnce() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .receives(peer -> peer.open(COOKIE, 0))
                    .at(1_000)
                    .receives(peer -> peer.reset(ResetHeader.ABORTED))
                    .hears("connected", "closed RESET")
                    .receives(peer -> peer.ack(0, 1_000, 0))
                    .hears();
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void confirm_byAResetWhenTheListenerIsGone_forgetsIt() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0)).receives(peer -> peer.open(COOKIE, 0));
            script.host().stopListening(script.peer().path().remotePort());
            script.at(1_000).receives(peer -> peer.reset(ResetHeader.ABORTED)).hears();
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().halfOpenCount());
        }
    }

    @Test
    void onOpen_loopbackSourceFromAWire_isNotOurs() {
        try (Script script = new Script().listen()) {
            Path path = script.peer().path();
            Path forged = Path.from(path.localMac(), IpAddress.v4(0x7F00_0001), path.localPort())
                    .to(path.remoteMac(), path.remote(), path.remotePort());
            script.receives(peer -> peer.withPath(forged).open(0, 0))
                    .at(1_000)
                    .sendsNothing()
                    .counts(CounterId.DROP_NOT_OURS, 1);
        }
    }

    @Test
    void accept_initiatorAnnouncesPauses_isRepeatedThatMuchLater() {
        long pauseNanos = PauseCode.nanos(PauseCode.of(30_000_000));
        try (Script script = new Script().listen()) {
            script.peer().announces(PauseCode.of(30_000_000));
            script.receives(peer -> peer.open(0, 0))
                    .at(1_000)
                    .receives(peer -> peer.open(COOKIE, 0))
                    .forgetSent()
                    .at(1_000 + RETRY + pauseNanos - 1)
                    .sendsNothing()
                    .after(1)
                    .sends(ACCEPT);
        }
    }

    @Test
    void onOpen_creditFrames_areTheSmallerOfBoth() {
        int[][] cases = {{16, 4, 4}, {4, 16, 4}, {16, 1, 1}, {1, 64, 1}};
        for (int[] each : cases) {
            try (Script script = new Script(builder -> builder.creditFramesMax(each[0]))
                    .peerCreditFrames(each[1])
                    .listen()) {
                script.receives(peer -> peer.open(0, 0))
                        .at(1_000)
                        .receives(peer -> peer.open(COOKIE, 0))
                        .at(2_000);
                String accept = script.takeSent().get(1).text();
                assertEquals(each[2] == 1 ? ACCEPT : ACCEPT + " frames=" + each[2], accept);
            }
        }
    }
}
