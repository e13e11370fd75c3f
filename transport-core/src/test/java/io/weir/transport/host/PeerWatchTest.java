package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.wire.ResetHeader;
import org.junit.jupiter.api.Test;

/** Tests {@link PeerWatch}: conversations with peers that die, are silent, or answer with credits alone. */
class PeerWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long SILENCE = 15 * SECOND;
    private static final long USER_TIMEOUT = ConnectionTimers.DEFAULT.userTimeoutNanos();
    private static final long GAP = USER_TIMEOUT / 8;
    private static final long WINDOW = 1 << 20;
    private static final String ASKS = "REQUEST backlog=0 credit<=0";
    private static final String GIVES_UP = "RESET reason=" + ResetHeader.TIMED_OUT;

    /** A host that keeps connections alive as transports do, and a connection that the peer has confirmed at 0. */
    private static Script accepted() {
        return new Script(builder -> builder.liveness(HostConfig.Liveness.DEFAULT)).establishFromPeer(0, 600_000);
    }

    /** When the peer was heard last, by the script's clock. */
    private static final long HEARD = -10_000;

    // ---- keep-alive

    @Test
    void keepAlive_idlePeerThatDies_isAskedFourTimesAndGivenUp() {
        try (Script script = accepted()) {
            long asked = HEARD + SILENCE;
            script.at(asked + USER_TIMEOUT + 1_000)
                    .sendsAt(asked, ASKS)
                    .sendsAt(asked + GAP, ASKS)
                    .sendsAt(asked + 3 * GAP, ASKS)
                    .sendsAt(asked + 7 * GAP, ASKS)
                    .sendsAt(asked + USER_TIMEOUT, GIVES_UP)
                    .sendsNothing()
                    .hears("closed TIMED_OUT")
                    .counts(CounterId.KEEP_ALIVES_SENT, 4);
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().peerCount());
        }
    }

    @Test
    void keepAlive_peerThatAnswers_isNeverEnded() {
        try (Script script = accepted()) {
            long heard = HEARD;
            for (int i = 0; i < 1_000; i++) {
                script.at(heard + SILENCE - 1)
                        .sendsNothing()
                        .at(heard + SILENCE)
                        .sends(ASKS);
                heard += SILENCE + 50_000;
                script.at(heard).receives(peer -> peer.ack(0, WINDOW, 0)).hears();
            }
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void keepAlive_threeOfFourLost_endsNothing() {
        try (Script script = accepted()) {
            long answered = HEARD + SILENCE + 7 * GAP + 1_000;
            script.at(answered).receives(peer -> peer.ack(0, WINDOW, 0)).forgetSent();
            script.at(answered + SILENCE - 1).sendsNothing().hears();
            script.at(answered + SILENCE).sends(ASKS);
        }
    }

    @Test
    void keepAlive_answeredByAnyFrame_startsAgain() {
        try (Script script = accepted()) {
            script.at(HEARD + SILENCE).sends(ASKS).receives(peer -> peer.credit(1));
            script.after(1_000_000).forgetSent();
            script.at(HEARD + 2 * SILENCE - 1)
                    .sendsNothing()
                    .at(HEARD + 2 * SILENCE)
                    .sends("REQUEST backlog=0 credit<=1");
        }
    }

    @Test
    void keepAlive_dataFlows_sendsNone() {
        try (Script script = accepted()) {
            for (int i = 0; i < 100; i++) {
                int number = i;
                script.after(SECOND)
                        .receives(peer -> peer.request(100, number))
                        .after(10_000)
                        .receives(peer -> peer.data(number + 1, 100L * number, 100));
            }
            script.counts(CounterId.KEEP_ALIVES_SENT, 0);
            assertEquals(100 * 100, script.app().receivedBytes());
        }
    }

    @Test
    void keepAlive_connectionThatThisEndOpened_isOffUntilItIsAskedFor() {
        try (Script script =
                new Script(builder -> builder.liveness(HostConfig.Liveness.DEFAULT)).establishFromHost(0, WINDOW)) {
            script.at(100 * SECOND).sendsNothing();
            script.connection().setKeepAlive(SILENCE);
            script.at(100 * SECOND + 1_000).sends(ASKS);
        }
    }

    @Test
    void keepAlive_timesOfTheApplication_areKept() {
        try (Script script = accepted()) {
            script.connection().setKeepAlive(60 * SECOND, 5 * SECOND, 2);
            long asked = HEARD + 60 * SECOND;
            script.at(asked + 10 * SECOND + 1_000)
                    .sendsAt(asked, ASKS)
                    .sendsAt(asked + 5 * SECOND, ASKS)
                    .sendsAt(asked + 10 * SECOND, GIVES_UP)
                    .sendsNothing()
                    .hears("closed TIMED_OUT");
        }
    }

    @Test
    void keepAlive_turnedOff_asksNobody() {
        try (Script script = accepted()) {
            script.connection().setKeepAlive(0);
            script.at(1_000 * SECOND).sendsNothing().hears();
        }
    }

    @Test
    void keepAlive_ownPause_isNoSilenceOfThePeer() {
        try (Script script = accepted()) {
            script.at(SECOND).pause(60 * SECOND).after(SECOND).sendsNothing().hears();
        }
    }

    // ---- user time-out

    @Test
    void userTimeout_peerDiesInTheMiddleOfATransfer_isGivenUpAfterIt() {
        try (Script script = accepted().write(3_000)) {
            script.at(1_000).receives(peer -> peer.credit(1)).receives(peer -> peer.credit(2));
            script.at(20_000).receives(peer -> peer.ack(1_424, WINDOW, 3)).forgetSent();
            script.at(20_000 + USER_TIMEOUT - 1).hears();
            script.at(20_000 + USER_TIMEOUT + 2 * SECOND).hears("closed TIMED_OUT");
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void userTimeout_creditsWithoutProgress_doNotPostponeIt() {
        try (Script script = accepted().write(1_000)) {
            for (int i = 1; i <= 120; i++) {
                int number = i;
                script.at(i * SECOND / 10).receives(peer -> peer.credit(number));
            }
            script.hears("closed TIMED_OUT");
        }
    }

    @Test
    void userTimeout_answersWithoutProgressOfWhatIsInFlight_doNotPostponeIt() {
        try (Script script = accepted().write(1_000)) {
            for (int i = 1; i <= 120; i++) {
                int number = i;
                script.at(i * SECOND / 10).receives(peer -> peer.credit(number));
                script.receives(peer -> peer.ack(0, WINDOW, 0));
            }
            script.hears("closed TIMED_OUT");
        }
    }

    @Test
    void userTimeout_peerThatTakesNoMore_isNotGivenUp() {
        try (Script script = accepted().write(1_000)) {
            script.at(1_000).receives(peer -> peer.credit(1));
            script.at(20_000).receives(peer -> peer.ack(1_000, 0, 2)).write(1_000);
            for (int i = 1; i <= 120; i++) {
                script.at(i * SECOND / 2)
                        .receives(peer -> peer.ack(1_000, 0, 2))
                        .hears();
            }
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void userTimeout_noCreditsForLongAndThenSome_startsWithTheSegmentThatLeaves() {
        try (Script script = accepted().write(1_000)) {
            for (int i = 1; i <= 40; i++) {
                script.at(i * SECOND).receives(peer -> peer.ack(0, WINDOW, 0)).hears();
            }
            script.at(40 * SECOND + 1_000).receives(peer -> peer.credit(1));
            script.at(41 * SECOND).hears();
            script.receives(peer -> peer.ack(1_000, WINDOW, 100)).hears();
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void userTimeout_ofTheConnection_isItsOwn() {
        try (Script script = accepted().write(1_000)) {
            script.connection().setUserTimeout(2 * USER_TIMEOUT);
            script.at(2 * USER_TIMEOUT - 1).hears();
            script.at(2 * USER_TIMEOUT + 2 * SECOND).hears("closed TIMED_OUT");
        }
    }

    // ---- idle time-out

    @Test
    void idleTimeout_noByteMoves_endsTheConnectionWithItsReason() {
        HostConfig.Liveness idle = new HostConfig.Liveness(0, 5 * SECOND, 0);
        try (Script script = new Script(builder -> builder.liveness(idle)).establishFromPeer(100)) {
            script.receives(peer -> peer.data(1, 0, 100)).at(1_000_000).forgetSent();
            script.at(5 * SECOND - 1).hears();
            script.at(5 * SECOND + 1_000).sends(GIVES_UP).hears("closed IDLE_TIMED_OUT");
        }
    }

    @Test
    void idleTimeout_answersAreNoBytes_soAPeerThatAnswersDoesNotPostponeIt() {
        try (Script script = accepted()) {
            script.connection().setIdleTimeout(20 * SECOND);
            script.at(HEARD + SILENCE).sends(ASKS).receives(peer -> peer.ack(0, WINDOW, 0));
            script.at(20 * SECOND + 1_000).sends(GIVES_UP).hears("closed IDLE_TIMED_OUT");
        }
    }

    @Test
    void idleTimeout_bytesMove_isPostponed() {
        try (Script script = accepted()) {
            script.connection().setIdleTimeout(3 * SECOND);
            for (int i = 0; i < 10; i++) {
                int number = i;
                script.after(2 * SECOND)
                        .receives(peer -> peer.request(100, number))
                        .after(10_000)
                        .receives(peer -> peer.data(number + 1, 100L * number, 100))
                        .hears();
            }
            script.forgetSent().after(4 * SECOND).hears("closed IDLE_TIMED_OUT");
        }
    }

    @Test
    void idleTimeout_bytesOfThisEndAloneMove_isPostponed() {
        HostConfig.Liveness idle = new HostConfig.Liveness(0, 3 * SECOND, 0);
        try (Script script = new Script(builder -> builder.liveness(idle)).establishFromHost(0, WINDOW)) {
            for (int i = 1; i <= 10; i++) {
                int number = i;
                script.after(2 * SECOND).write(100).after(10_000).receives(peer -> peer.credit(number));
                script.after(10_000);
                long largest = script.connection().numbers().next() - 1;
                script.receives(peer -> peer.ack(100L * number, WINDOW, largest))
                        .hears();
            }
            assertEquals(1_000, script.connection().acknowledgedBytes());
            script.forgetSent().after(4 * SECOND).hears("closed IDLE_TIMED_OUT");
        }
    }

    // ---- what it costs

    @Test
    void keepAlive_manyConnections_costsTwoLooksAtOneConnectionPerInterval() {
        HostConfig.Liveness often = new HostConfig.Liveness(SECOND, 0, 0);
        try (Script script = new Script(builder -> builder.liveness(often)).establishFromPeer(0)) {
            long eventsBefore = script.eventCount();
            int seconds = 60;
            for (int i = 0; i < seconds; i++) {
                script.after(500_000_000).receives(peer -> peer.ack(0, PeerFrames.WINDOW_BYTES, 0));
                script.after(500_000_000).receives(peer -> peer.ack(0, PeerFrames.WINDOW_BYTES, 0));
            }
            long events = script.eventCount() - eventsBefore;
            assertTrue(events <= 2 * seconds + 2, events + " wake-ups in " + seconds + " intervals");
            script.counts(CounterId.KEEP_ALIVES_SENT, 0);
        }
    }
}
