package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import org.junit.jupiter.api.Test;

/** Tests {@link StreamSender}: a host that sends, and a peer that gives credits and acknowledges. */
class StreamSenderTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long WINDOW = PeerFrames.WINDOW_BYTES;
    private static final long MILLISECOND = 1_000_000;
    private static final long RTO = ConnectionTimers.DEFAULT.retransmitNanosInitial();
    /** How late a peer may acknowledge while more is to come. */
    private static final long ACK_DELAY_MAX =
            StreamReceiver.DELAYS_FOR_CREDITED * ConnectionTimers.DEFAULT.ackDelayNanos();
    /** The packet number of the first data frame: two openings and an acknowledgement went before. */
    private static final long FIRST = 4;

    /** A host that has sent {@code count} whole segments of a backlog of as many, all at about time 0. */
    private static Script sent(int count) {
        Script script = new Script().establishFromHost(count * SEGMENT, WINDOW);
        for (int i = 1; i <= count; i++) {
            long credit = i;
            script.receives(peer -> peer.credit(credit));
        }
        return script.after(count * 1_538L).forgetSent();
    }

    @Test
    void writeSegment_lastOfTheBacklog_saysThatNothingWaits() {
        try (Script script = new Script().establishFromHost(2 * SEGMENT + 10, WINDOW)) {
            script.receives(peer -> peer.credit(1))
                    .receives(peer -> peer.credit(2))
                    .receives(peer -> peer.credit(3))
                    .at(5_000)
                    .sendsAt(0, "DATA [0,1424) credit=1 backlog=1434")
                    .sendsAt(1_538, "DATA [1424,2848) credit=2 backlog=10")
                    .sendsAt(3_076, "DATA [2848,2858) credit=3 backlog=0")
                    .sendsNothing();
        }
    }

    @Test
    void onAck_cumulative_freesTheSendBuffer() {
        try (Script script = sent(3)) {
            script.receives(peer -> peer.ack(2 * SEGMENT, WINDOW, FIRST + 1));
            assertEquals(2 * SEGMENT, script.connection().acknowledgedBytes());
            assertEquals(2 * SEGMENT, script.connection().sendBuffer().baseOffset());
        }
    }

    @Test
    void onAck_unsentData_isDropped() {
        try (Script script = sent(1)) {
            script.receives(peer -> peer.ack(SEGMENT + 1, WINDOW, FIRST)).counts(CounterId.DROP_ACK_INVALID, 1);
            assertEquals(0, script.connection().acknowledgedBytes());
        }
    }

    @Test
    void onAck_packetNumberNeverSent_isDropped() {
        try (Script script = sent(1)) {
            script.receives(peer -> peer.ack(SEGMENT, WINDOW, FIRST + 1)).counts(CounterId.DROP_ACK_INVALID, 1);
            assertEquals(0, script.connection().acknowledgedBytes());
        }
    }

    @Test
    void onAck_impossibleRanges_areDropped() {
        try (Script script = sent(4)) {
            script.receives(peer -> peer.ack(0, WINDOW, FIRST, 0, 100))
                    .receives(peer -> peer.ack(0, WINDOW, FIRST, 100, 100))
                    .receives(peer -> peer.ack(0, WINDOW, FIRST, 200, 100))
                    .receives(peer -> peer.ack(0, WINDOW, FIRST, 100, 200, 150, 300))
                    .receives(peer -> peer.ack(0, WINDOW, FIRST, 300, 400, 100, 200))
                    .receives(peer -> peer.ack(0, WINDOW, FIRST, 100, 4 * SEGMENT + 1))
                    .counts(CounterId.DROP_ACK_INVALID, 6);
        }
    }

    @Test
    void onAck_older_isIgnored() {
        try (Script script = sent(4)) {
            script.receives(peer -> peer.ack(3 * SEGMENT, 10 * SEGMENT, FIRST + 2))
                    .receives(peer -> peer.ack(SEGMENT, 0, FIRST))
                    .counts(CounterId.DROP_ACK_INVALID, 0);
            assertEquals(3 * SEGMENT, script.connection().acknowledgedBytes());
        }
    }

    @Test
    void onAck_rangesShowALoss_repeatsItWithTheNextCredit() {
        try (Script script = sent(5)) {
            script.receives(peer -> peer.ack(0, WINDOW, FIRST + 4, SEGMENT, 5 * SEGMENT))
                    .sends("REQUEST backlog=1424 credit<=5")
                    .sendsNothing()
                    .after(1_000)
                    .receives(peer -> peer.credit(6))
                    .sends("DATA [0,1424) credit=6 backlog=0")
                    .sendsNothing()
                    .counts(CounterId.BYTES_RETRANSMITTED, SEGMENT);
        }
    }

    @Test
    void onAck_reorderingBelowTheThreshold_isNotALoss() {
        try (Script script = sent(3)) {
            script.receives(peer -> peer.ack(0, WINDOW, FIRST + 2, SEGMENT, 3 * SEGMENT))
                    .sendsNothing()
                    .after(1_000)
                    .receives(peer -> peer.ack(3 * SEGMENT, WINDOW, FIRST + 2))
                    .after(100 * MILLISECOND)
                    .sendsNothing();
        }
    }

    @Test
    void onAck_retransmissionLostToo_isRepeatedAgain() {
        try (Script script = sent(5)) {
            script.receives(peer -> peer.ack(0, WINDOW, FIRST + 4, SEGMENT, 5 * SEGMENT))
                    .after(1_000)
                    .receives(peer -> peer.credit(6))
                    .forgetSent()
                    .write(4 * SEGMENT);
            for (int i = 7; i <= 10; i++) {
                long credit = i;
                script.receives(peer -> peer.credit(credit));
            }
            // Packet numbers: REQUEST 9, repeated data 10, REQUEST 11, new data 12 to 15.
            script.after(10_000)
                    .forgetSent()
                    .receives(peer -> peer.ack(0, WINDOW, FIRST + 11, SEGMENT, 9 * SEGMENT))
                    .receives(peer -> peer.credit(11))
                    .after(1_000)
                    .sends("REQUEST backlog=1424 credit<=10")
                    .sends("DATA [0,1424) credit=11 backlog=0");
        }
    }

    @Test
    void onAck_spuriousLoss_doesNotAskForEver() {
        try (Script script = sent(5)) {
            script.receives(peer -> peer.ack(0, WINDOW, FIRST + 4, SEGMENT, 5 * SEGMENT))
                    .sends("REQUEST backlog=1424 credit<=5")
                    .receives(peer -> peer.ack(5 * SEGMENT, WINDOW, FIRST + 4))
                    .after(1_000 * MILLISECOND)
                    .sendsNothing();
        }
    }

    @Test
    void onAck_withTimes_measuresTheRoundTripWithoutTheTurnaround() {
        try (Script script = sent(1)) {
            int t1 = (int) (script.host().nowNanos() - 50_000);
            script.receives(peer -> peer.timedAck(SEGMENT, FIRST, t1, 1_000_000, 1_020_000));
            assertEquals(30_000, script.connection().smoothedRttNanos());
        }
    }

    @Test
    void onHint_beyondWhatWasSent_ignoresTheCredit() {
        try (Script script = new Script().establishFromHost(3 * SEGMENT, WINDOW)) {
            script.receives(peer -> peer.credit(1))
                    .after(2_000)
                    .forgetSent()
                    .receives(peer -> peer.credit(2, SEGMENT + 1, 0))
                    .sendsNothing()
                    .counts(CounterId.DROP_ACK_INVALID, 1);
        }
    }

    @Test
    void onHint_inACredit_movesTheWindowAndFreesNothing() {
        try (Script script = new Script().establishFromHost(2 * SEGMENT, SEGMENT)) {
            script.receives(peer -> peer.credit(1))
                    .sends("DATA [0,1424) credit=1 backlog=1424")
                    .after(2_000)
                    .receives(peer -> peer.credit(2))
                    .sendsNothing()
                    .receives(peer -> peer.credit(3, SEGMENT, 0))
                    .sends("DATA [1424,2848) credit=3 backlog=0");
            assertEquals(0, script.connection().sendBuffer().baseOffset());
        }
    }

    @Test
    void onTimeout_nothingHeard_asksAndRepeatsWithBackOff() {
        try (Script script = sent(1)) {
            script.at(RTO - 1)
                    .sendsNothing()
                    .at(RTO)
                    .sendsAt(RTO, "REQUEST backlog=1424 credit<=1")
                    .after(1_000)
                    .receives(peer -> peer.credit(2))
                    .sendsAt(RTO + 1_000, "DATA [0,1424) credit=2 backlog=0")
                    .at(3 * RTO - 1)
                    .sendsNothing()
                    .at(3 * RTO)
                    .sendsAt(3 * RTO, "REQUEST backlog=1424 credit<=2")
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 2);
        }
    }

    @Test
    void onTimeout_peerIsLateWithItsAnswer_repeatsNoMoreThanTwoSegments() {
        try (Script script = sent(6)) {
            script.at(RTO + ACK_DELAY_MAX).forgetSent();
            for (int i = 7; i <= 12; i++) {
                long credit = i;
                script.receives(peer -> peer.credit(credit));
            }
            script.after(12 * 1_538L)
                    .sends("DATA [0,1424) credit=7 backlog=1424")
                    .sends("DATA [1424,2848) credit=8 backlog=0")
                    .sendsNothing()
                    .receives(peer -> peer.ack(6 * SEGMENT, WINDOW, FIRST + 5))
                    .counts(CounterId.BYTES_RETRANSMITTED, 2 * SEGMENT)
                    .counts(CounterId.FRAMES_RETRANSMITTED, 2)
                    .after(1_000 * MILLISECOND)
                    .sendsNothing();
        }
    }

    @Test
    void onTimeout_answerToTheRepetitionShowsLosses_repeatsThem() {
        try (Script script = sent(4)) {
            script.at(RTO + ACK_DELAY_MAX).forgetSent();
            script.receives(peer -> peer.credit(5)).receives(peer -> peer.credit(6));
            // The request at the time-out has a packet number too.
            script.after(2 * 1_538L)
                    .forgetSent()
                    .receives(peer -> peer.ack(2 * SEGMENT, WINDOW, FIRST + 6))
                    .receives(peer -> peer.credit(7))
                    .receives(peer -> peer.credit(8))
                    .after(2 * 1_538L)
                    .forgetSent()
                    .counts(CounterId.BYTES_RETRANSMITTED, 4 * SEGMENT);
        }
    }

    @Test
    void onTimeout_onlyTheAckWasLost_asksForItWithARequest() {
        try (Script script = sent(1)) {
            script.receives(peer -> peer.credit(2, SEGMENT, 0)).forgetSent();
            long firedAt = script.nowNanos() + RTO;
            script.at(firedAt)
                    .forgetSent()
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 1)
                    .counts(CounterId.BYTES_RETRANSMITTED, 0)
                    .receives(peer -> peer.ack(SEGMENT, WINDOW, FIRST));
            assertEquals(SEGMENT, script.connection().acknowledgedBytes());
            script.after(1_000 * MILLISECOND).sendsNothing();
        }
    }

    @Test
    void onTimeout_hintWasWrong_sendsEvenThatAgain() {
        try (Script script = sent(1)) {
            script.receives(peer -> peer.credit(2, SEGMENT, 0));
            script.after(3 * RTO).forgetSent().counts(CounterId.RETRANSMISSION_TIMEOUTS, 2);
            script.receives(peer -> peer.credit(3, 0, 0)).after(1_000).sends("DATA [0,1424) credit=3 backlog=0");
        }
    }

    @Test
    void window_closedFromTheStart_probesWithRequestsUntilItOpens() {
        try (Script script = new Script().establishFromHost(1_000, 0)) {
            script.receives(peer -> peer.credit(1))
                    .sendsNothing()
                    .at(500 * MILLISECOND)
                    .sends("REQUEST backlog=1000 credit<=1 repeated")
                    .forgetSent()
                    .receives(peer -> peer.ack(0, 5_000, 0))
                    .receives(peer -> peer.credit(2))
                    .sends("DATA [0,1000) credit=2 backlog=0");
        }
    }

    @Test
    void window_closedWithNothingInFlight_probesForWhatIsWrittenLater() {
        try (Script script = new Script().establishFromHost(SEGMENT, SEGMENT)) {
            script.receives(peer -> peer.credit(1))
                    .after(2_000)
                    .receives(peer -> peer.ack(SEGMENT, 0, FIRST))
                    .after(10 * MILLISECOND)
                    .forgetSent()
                    .write(100)
                    .sends("REQUEST backlog=100 credit<=1")
                    .after(10 * MILLISECOND)
                    .sends("REQUEST backlog=100 credit<=1 repeated")
                    .forgetSent()
                    .receives(peer -> peer.ack(SEGMENT, 5_000, FIRST))
                    .receives(peer -> peer.credit(2))
                    .sends("DATA [1424,1524) credit=2 backlog=0");
        }
    }

    @Test
    void end_acknowledgedWhileItsRepetitionWaitsForTheLink_isNotSent() {
        try (Script script = new Script().establishFromHost(0, WINDOW).shutdown()) {
            script.sendsAt(0, "DATA [0,0) FIN credit=0 backlog=0")
                    .at(RTO - 10)
                    .occupyLink()
                    .at(RTO + 20)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 1)
                    .receives(peer -> peer.ack(1, WINDOW, FIRST))
                    .after(100)
                    .forgetSent()
                    .after(1_000 * MILLISECOND)
                    .sendsNothing()
                    .counts(CounterId.DATA_FRAMES_SENT, 1);
        }
    }

    @Test
    void end_dataBeforeItFoundLostWhileItWaitsForTheLink_waitsForTheData() {
        try (Script script = new Script().establishFromHost(4 * SEGMENT, WINDOW)) {
            for (int i = 1; i <= 4; i++) {
                long credit = i;
                script.receives(peer -> peer.credit(credit));
            }
            script.at(10_000)
                    .forgetSent()
                    .occupyLink()
                    .shutdown()
                    .at(10_020)
                    .receives(peer -> peer.ack(0, WINDOW, FIRST + 3, SEGMENT, 4 * SEGMENT))
                    .at(20_000)
                    .sends("REQUEST backlog=1424 credit<=4")
                    .sendsNothing()
                    .receives(peer -> peer.credit(5))
                    .sends("DATA [0,1424) credit=5 backlog=0")
                    .after(2_000)
                    .sends("DATA [5696,5696) FIN credit=0 backlog=0");
        }
    }

    @Test
    void end_withTheLastSegment_ridesOnIt() {
        try (Script script = new Script(ExpressPass.paper()).establishFromHost(100, WINDOW)) {
            script.shutdown()
                    .receives(peer -> peer.credit(1))
                    .sends("DATA [0,100) FIN credit=1 backlog=0")
                    .receives(peer -> peer.ack(101, WINDOW, FIRST));
            assertEquals(100, script.connection().acknowledgedBytes());
            script.at(10 * MILLISECOND).forgetSent().at(100 * MILLISECOND).sendsNothing();
        }
    }
}
