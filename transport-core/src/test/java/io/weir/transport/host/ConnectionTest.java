package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.CreditUse;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.ResetHeader;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link Connection}: how it ends, and who is told. */
class ConnectionTest {
    private static final long WINDOW = PeerFrames.WINDOW_BYTES;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final ConnectionTimers TIMERS = ConnectionTimers.DEFAULT;
    private static final long RTO = TIMERS.retransmitNanosInitial();
    private static final String FIN = "DATA [0,0) FIN credit=0 backlog=0";
    /** The packet number of the first frame after an opening from the host. */
    private static final long FIRST = 4;

    private static Script opened() {
        return new Script().establishFromHost(0, WINDOW);
    }

    @Test
    void takeBackUnsent_withAFrameUnderway_leavesWhatWasSent() {
        try (Script script = opened().forgetSent().write(5_000)) {
            script.sends("REQUEST backlog=5000 credit<=0 no-ack")
                    .at(1_000)
                    .receives(peer -> peer.credit(1))
                    .sends("DATA [0,1424) credit=1 backlog=3576");
            assertEquals(3_576, script.connection().takeBackUnsent(0));
            assertEquals(0, script.connection().takeBackUnsent(0));
            script.shutdown().after(2_000).sends("DATA [1424,1424) FIN credit=0 backlog=0");
            assertEquals(0, script.connection().takeBackUnsent(0), "what is ended stays as it is");
        }
    }

    @Test
    void takeBackUnsent_keepingAByte_sendsItAsTheLast() {
        try (Script script = opened().forgetSent().write(5_000)) {
            script.sends("REQUEST backlog=5000 credit<=0 no-ack");
            assertEquals(4_999, script.connection().takeBackUnsent(1));
            script.at(1_000)
                    .receives(peer -> peer.credit(1))
                    .sends("DATA [0,1) credit=1 backlog=0")
                    .write(1)
                    .after(1_000)
                    .receives(peer -> peer.credit(2))
                    .forgetSent();
            assertEquals(2, script.connection().sendBuffer().endOffset());
        }
    }

    @Test
    void creditUse_creditsThatFindSomethingAndNothing_areCounted() {
        try (Script script = opened().write(1_000)) {
            script.at(1_000)
                    .receives(peer -> peer.credit(1))
                    .after(1_000)
                    .receives(peer -> peer.credit(2))
                    .after(1_000);
            CreditUse use = script.connection().creditUse();
            assertEquals(2, use.received());
            assertEquals(1, use.used());
            assertEquals(1, use.wasted());
            assertEquals(0, use.expired());
        }
    }

    // ---- the end in order

    @Test
    void shutdownOutput_peerEndsLater_closesAndLingers() {
        try (Script script = opened().shutdown()) {
            script.sendsAt(0, FIN)
                    .at(1_000)
                    .receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .hears()
                    .receives(peer -> peer.data(0, 0, 0, 1, 0))
                    .hears("end", "closed FINISHED")
                    .sends("ACK 1 window=262144");
            assertEquals(1, script.host().connectionCount(), "it lingers");
            script.at(SECOND).sendsNothing().hears();
            assertEquals(0, script.host().connectionCount());
            script.counts(CounterId.CONNECTIONS_CLOSED, 1);
        }
    }

    @Test
    void shutdownOutput_afterThePeerHasEnded_closesWhenItIsAcknowledged() {
        try (Script script = opened()) {
            script.receives(peer -> peer.end(0))
                    .hears("end")
                    .sends("ACK 1 window=262144")
                    .at(1_000)
                    .shutdown()
                    .sends(FIN)
                    .hears()
                    .at(2_000)
                    .receives(peer -> peer.ack(1, WINDOW, FIRST + 1))
                    .hears("closed FINISHED");
        }
    }

    @Test
    void shutdownOutput_halfClosed_stillReceivesData() {
        try (Script script = opened().shutdown()) {
            script.receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .receives(peer -> peer.request(100, 0))
                    .at(10_000)
                    .receives(peer -> peer.data(1, 0, 100))
                    .hears();
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void shutdownOutput_halfClosedByThePeer_stillSends() {
        try (Script script = opened().receives(peer -> peer.end(0))) {
            script.at(1_000)
                    .forgetSent()
                    .write(100)
                    .sends("REQUEST backlog=100 credit<=0 no-ack")
                    .at(2_000)
                    .receives(peer -> peer.credit(1))
                    .sends("DATA [0,100) credit=1 backlog=0");
        }
    }

    @Test
    void shutdownOutput_bothAtOnce_closesBoth() {
        try (Script script = opened().shutdown()) {
            script.receives(peer -> peer.end(0))
                    .hears("end")
                    .receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .hears("closed FINISHED")
                    .at(1_000)
                    .sends(FIN)
                    .sends("ACK 1 window=262144")
                    .sendsNothing();
        }
    }

    @Test
    void shutdownOutput_lost_isRepeatedWithBackOff() {
        try (Script script = opened().shutdown()) {
            script.at(4 * RTO);
            List<Long> times = script.takeSent().stream()
                    .filter(frame -> frame.text().equals(FIN))
                    .map(SentFrame::nanos)
                    .toList();
            assertEquals(3, times.size());
            assertEquals(0, times.get(0));
            assertTrue(times.get(1) >= RTO && times.get(1) < RTO + 200, times.toString());
            assertTrue(times.get(2) >= 3 * RTO && times.get(2) < 3 * RTO + 200, times.toString());
        }
    }

    @Test
    void shutdownOutput_beforeTheConnectionIsOpen_endsItOnceOpen() {
        try (Script script = new Script().connect(0).shutdown()) {
            script.forgetSent()
                    .at(1_000)
                    .receives(peer -> peer.accept(WINDOW, 0))
                    .at(2_000)
                    .sends(FIN)
                    .sendsNothing();
        }
    }

    @Test
    void write_afterShutdown_takesNothing() {
        try (Script script = opened().shutdown()) {
            UnsafeBuffer bytes = new UnsafeBuffer(new byte[10]);
            assertEquals(0, script.connection().write(bytes, 0, 10));
        }
    }

    // ---- lingering

    @Test
    void linger_endRepeated_isAcknowledgedAgainAndLingersAnew() {
        try (Script script = opened().shutdown()) {
            script.receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .receives(peer -> peer.end(0))
                    .hears("end", "closed FINISHED");
            long lingerNanos = Math.max(TIMERS.lingerNanos(), 4 * RTO);
            for (int i = 1; i <= 5; i++) {
                script.at(i * (lingerNanos - MILLISECOND))
                        .forgetSent()
                        .receives(peer -> peer.end(0))
                        .sends("ACK 1 window=262144")
                        .hears();
            }
            assertEquals(1, script.host().connectionCount());
            script.after(4 * lingerNanos).sendsNothing();
            assertEquals(0, script.host().connectionCount());
            script.receives(peer -> peer.end(0)).sendsNothing().counts(CounterId.DROP_TAG, 1);
        }
    }

    @Test
    void linger_abort_changesNothing() {
        try (Script script = opened().shutdown()) {
            script.receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .receives(peer -> peer.end(0))
                    .hears("end", "closed FINISHED")
                    .at(1_000)
                    .forgetSent()
                    .abort()
                    .sendsNothing()
                    .hears()
                    .receives(peer -> peer.end(0))
                    .sends("ACK 1 window=262144");
        }
    }

    @Test
    void linger_reset_forgetsItAtOnce() {
        try (Script script = opened().shutdown()) {
            script.receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .receives(peer -> peer.end(0))
                    .hears("end", "closed FINISHED")
                    .receives(peer -> peer.reset(ResetHeader.ABORTED))
                    .hears();
            assertEquals(0, script.host().connectionCount());
        }
    }

    // ---- the end at once

    @Test
    void abort_whileOpening_saysNothingToAPeerThatMayNotExist() {
        try (Script script = new Script().connect(0).forgetSent().abort()) {
            script.hears("closed ABORTED").at(SECOND).sendsNothing();
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void abort_established_resetsThePeer() {
        try (Script script = opened().abort()) {
            script.sends("RESET reason=" + ResetHeader.ABORTED).hears("closed ABORTED");
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void abort_halfClosed_resetsThePeer() {
        try (Script script = opened().shutdown()) {
            script.receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .at(1_000)
                    .forgetSent()
                    .abort()
                    .sends("RESET reason=" + ResetHeader.ABORTED)
                    .hears("closed ABORTED");
        }
    }

    @Test
    void abort_withDataScheduledAndCreditsQueued_leaksNothing() {
        try (Script script = new Script().establishFromHost(10_000, WINDOW)) {
            script.receivesUnpolled(peer -> peer.request(100_000, 0))
                    .receivesUnpolled(peer -> peer.credit(1))
                    .receivesUnpolled(peer -> peer.credit(2));
            script.connection().abort();
            script.at(SECOND);
            assertEquals(script.pool().frameCount(), script.pool().available());
            script.hears("closed ABORTED");
        }
    }

    @Test
    void onReset_halfOpenAndThePeerGaveUp_forgetsIt() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.open(0, 0))
                    .receives(peer -> peer.open(1, 0))
                    .at(1_000)
                    .receives(peer -> peer.reset(ResetHeader.TIMED_OUT))
                    .hears();
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().halfOpenCount());
        }
    }

    @Test
    void onReset_established_isHeard() {
        try (Script script = opened()) {
            script.receives(peer -> peer.reset(ResetHeader.ABORTED)).hears("closed RESET");
            script.at(SECOND).sendsNothing();
        }
    }

    @Test
    void onReset_peerTimedOut_isHeardAsThat() {
        try (Script script = opened()) {
            script.receives(peer -> peer.reset(ResetHeader.TIMED_OUT)).hears("closed TIMED_OUT");
        }
    }

    @Test
    void onReset_withATagOfNobody_isIgnored() {
        try (Script script = opened()) {
            script.receives(peer -> peer.withTag(1).reset(ResetHeader.ABORTED))
                    .hears()
                    .counts(CounterId.DROP_TAG, 1);
        }
    }

    // ---- time-outs

    @Test
    void userTimeout_peerSilentWhileDataWaits_resetsAndCloses() {
        try (Script script = opened().write(100)) {
            long timeoutNanos = TIMERS.userTimeoutNanos();
            script.at(timeoutNanos - 1)
                    .forgetSent()
                    .hears()
                    .at(timeoutNanos + SECOND)
                    .hears("closed TIMED_OUT");
            List<SentFrame> last = script.takeSent();
            assertEquals(
                    "RESET reason=" + ResetHeader.TIMED_OUT,
                    last.get(last.size() - 1).text());
            script.at(10 * timeoutNanos).sendsNothing();
        }
    }

    @Test
    void userTimeout_peerAnswersButGivesNoWindow_staysOpen() {
        try (Script script = new Script().establishFromHost(100, 0)) {
            for (int i = 1; i <= 30; i++) {
                script.at(i * SECOND).receives(peer -> peer.ack(0, 0, 0));
            }
            script.hears().forgetSent();
        }
    }

    @Test
    void userTimeout_windowClosedAndPeerSilent_closes() {
        try (Script script = new Script().establishFromHost(100, 0)) {
            script.at(12 * SECOND).forgetSent().hears("closed TIMED_OUT");
        }
    }

    @Test
    void userTimeout_idle_staysOpenInSilence() {
        try (Script script = opened()) {
            script.at(3_600 * SECOND).hears().sendsNothing();
            assertEquals(Lifecycle.State.ESTABLISHED, script.connection().state());
        }
    }

    @Test
    void closeWithin_notEndedByThen_resetsAndCloses() {
        try (Script script = opened()) {
            script.connection().closeWithin(MILLISECOND);
            script.at(MILLISECOND)
                    .sends("RESET reason=" + ResetHeader.TIMED_OUT)
                    .hears("closed TIMED_OUT");
        }
    }

    @Test
    void closeWithin_peerStillAcknowledges_isGivenThatTimeAgain() {
        try (Script script = new Script().establishFromHost(2_848, WINDOW)) {
            script.connection().shutdownOutput();
            script.connection().closeWithin(SECOND);
            script.at(SECOND / 2)
                    .receives(peer -> peer.credit(1))
                    .receives(peer -> peer.ack(1_424, WINDOW, FIRST + 1))
                    .at(SECOND + MILLISECOND)
                    .forgetSent()
                    .hears()
                    .at(2 * SECOND + MILLISECOND)
                    .forgetSent()
                    .hears("closed TIMED_OUT");
        }
    }

    // ---- the application

    @Test
    void write_moreThanTheBuffer_isToldWhenThereIsRoom() {
        StreamLimits small = StreamLimits.fixed(4096, 1 << 16);
        try (Script script = new Script(builder -> builder.streams(small)).establishFromHost(0, WINDOW)) {
            UnsafeBuffer bytes = new UnsafeBuffer(new byte[5000]);
            assertEquals(4096, script.connection().write(bytes, 0, 5000));
            assertEquals(0, script.connection().write(bytes, 0, 10));
            script.at(1_000)
                    .receives(peer -> peer.credit(1))
                    .at(5_000)
                    .receives(peer -> peer.ack(1424, WINDOW, FIRST + 1))
                    .hears("writable")
                    .forgetSent();
        }
    }

    @Test
    void onConnected_applicationAborts_theRestOfTheFrameIsIgnored() {
        try (Script script = new Script().listen()) {
            script.app().whenConnected(() -> script.connection().abort());
            script.receives(peer -> peer.open(0, 0))
                    .receives(peer -> peer.open(1, 0))
                    .at(1_000)
                    .forgetSent()
                    .receives(peer -> peer.end(0))
                    .hears("connected", "closed ABORTED")
                    .sends("RESET reason=" + ResetHeader.ABORTED);
        }
    }

    @Test
    void close_ofTheHost_endsEveryConnectionOnce() {
        try (Script script = opened()) {
            script.host().close();
            script.hears("closed HOST_CLOSED");
            script.host().close();
            script.hears();
        }
    }

    @Test
    void connect_toAnotherPort_isAnotherConnection() {
        try (Script script = new Script().connect(40_000, 0)) {
            Path path = script.connection().path();
            assertEquals(TestNetwork.PORT, path.remotePort());
            script.connect(40_001, 0);
            assertEquals(2, script.host().connectionCount());
        }
    }
}
