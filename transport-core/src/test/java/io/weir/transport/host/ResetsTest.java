package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.ResetHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Resets}. */
class ResetsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long GAP = ConnectionTimers.DEFAULT.retransmitNanosInitial();
    private static final String ABORTED = "RESET reason=" + ResetHeader.ABORTED;

    private static Script opened() {
        return new Script().establishFromHost(0, PeerFrames.WINDOW_BYTES).forgetSent();
    }

    @Test
    void add_resetLost_leavesTwiceMore() {
        try (Script script = opened().abort()) {
            script.at(SECOND)
                    .sendsAt(0, ABORTED)
                    .sendsAt(GAP, ABORTED)
                    .sendsAt(2 * GAP, ABORTED)
                    .sendsNothing()
                    .hears("closed ABORTED");
            assertEquals(script.pool().frameCount(), script.pool().available());
        }
    }

    @Test
    void add_acceptedConnection_isRepeatedToTheInitiator() {
        try (Script script = new Script().establishFromPeer(0).abort()) {
            script.at(SECOND).sends(ABORTED).sends(ABORTED).sends(ABORTED).sendsNothing();
        }
    }

    @Test
    void add_ofTwoConnections_eachHasItsOwn() {
        try (Script script = opened().abort()) {
            script.at(GAP / 2);
            script.host().resets().send(script.connection(), ResetHeader.REFUSED);
            String refused = "RESET reason=" + ResetHeader.REFUSED;
            script.at(SECOND)
                    .sendsAt(0, ABORTED)
                    .sendsAt(GAP / 2, refused)
                    .sendsAt(GAP, ABORTED)
                    .sendsAt(GAP + GAP / 2, refused)
                    .sendsAt(2 * GAP, ABORTED)
                    .sendsAt(2 * GAP + GAP / 2, refused)
                    .sendsNothing();
        }
    }

    @Test
    void add_moreThanItHolds_forgetsTheOldest() {
        try (Script script = opened()) {
            Connection connection = script.connection();
            Resets resets = new Resets(script.host());
            resets.add(connection.template(), 1, ResetHeader.ABORTED, 0);
            for (int i = 0; i < 1024; i++) {
                resets.add(connection.template(), 2, ResetHeader.ABORTED, 10);
            }
            assertEquals(10 + GAP, resets.nextNanos());
        }
    }

    @Test
    void add_peerGivenUp_isNotRepeated() {
        try (Script script = opened()) {
            script.connection().input().timeOut(CloseReason.TIMED_OUT);
            script.at(SECOND).sends("RESET reason=" + ResetHeader.TIMED_OUT).sendsNothing();
        }
    }

    @Test
    void onReset_repeated_isIgnoredAndNotAnswered() {
        try (Script script = opened()) {
            SentFrame reset = script.record(peer -> peer.reset(ResetHeader.ABORTED));
            script.receivesAgain(reset)
                    .hears("closed RESET")
                    .receivesAgain(reset)
                    .receivesAgain(reset);
            script.counts(CounterId.DROP_TAG, 2).hears().at(SECOND);
            assertEquals(List.of(), script.takeSent());
        }
    }
}
