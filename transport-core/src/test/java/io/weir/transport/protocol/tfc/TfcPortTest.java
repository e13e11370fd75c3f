package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.testing.Allocations;
import io.weir.transport.testing.Passing;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import io.weir.transport.wire.PassingFrame;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link TfcPort} on a link of one byte a nanosecond, whose base round trip is taken to be 16 us at first; tokens
 * are not adjusted.
 */
class TfcPortTest {
    private static final long RATE_BPS = 8_000_000_000L;
    private static final int FRAME = Passing.WIRE_BYTES;
    private static final int FULL = Passing.PAYLOAD_BYTES;
    private static final int UNSET = DataHeader.WINDOW_UNSET;
    private static final long RTT = 16_000;
    private static final PartSettings PLAIN = TfcPort.PART
            .usual()
            .with(TfcPort.RHO0, 1_000_000)
            .with(TfcPort.ALPHA, 1_000_000)
            .with(TfcPort.RTT, RTT)
            .with(TfcPort.HELD, 3)
            .with(TfcPort.HOLD, 1_000_000);

    private final Passing passing = new Passing();
    private final Counters counters = new Counters();
    private final TfcPort port = port(PLAIN);

    private TfcPort port(PartSettings config) {
        return new TfcPort(config, new PortPolicyConfig.Port(RATE_BPS, 1500, counters, new SeededRandom(1)));
    }

    /** {@return the window with which a marked full frame of a host's flow leaves the port} */
    private int mark(int host, long now) {
        port.onArrival(passing.data(host, FULL, 0, UNSET, Marks.ROUND), 0, now);
        return passing.window();
    }

    private int probe(int host, long now) {
        port.onArrival(passing.data(host, 0, 0, UNSET, Marks.ROUND), 0, now);
        return passing.window();
    }

    /** {@return whether the answer to a host's mark is held} */
    private boolean answer(int host, int window, int held, long now) {
        return port.holds(passing.ack(host, window, Marks.ROUND_ACK), held, now);
    }

    private long count(CounterId id) {
        return counters.get(id);
    }

    // ---- slots

    @Test
    void onArrival_firstFlow_hasTheWholeRoundTrip() {
        assertEquals(RTT, mark(1, 0));
        assertEquals(RTT, mark(1, RTT));
    }

    @Test
    void onArrival_figure1_roundTripsInARatioOfTwo_areThreeFlowsAndEachATenthOfSix() {
        mark(1, 0);
        mark(2, 100);
        mark(2, 8_100);
        // The slot of flow 1 ends: one of its rounds, and two of the other.
        assertEquals(RTT / 3, mark(1, RTT));
        assertEquals(3, port.share().flows());
    }

    @Test
    void onArrival_figure2_silentFlowIsNotCounted() {
        mark(2, 0);
        probe(1, 100);
        mark(2, 16_000);
        mark(1, 16_100);
        assertEquals(RTT / 2, mark(2, 32_000));
        assertEquals(RTT, mark(2, 48_000));
    }

    @Test
    void onArrival_newFlowsInTheSlot_lowerTheWindowAtOnce() {
        mark(1, 0);
        assertEquals(RTT / 2, probe(2, 10));
        assertEquals(RTT / 3, probe(3, 20));
    }

    @Test
    void onArrival_marksBeyondARoundTrip_areNotTakenForNewFlows() {
        mark(1, 0);
        mark(2, 10);
        assertEquals(RTT / 2, mark(2, RTT + 10));
    }

    @Test
    void onArrival_lowerWindow_isKept() {
        port.onArrival(passing.data(1, FULL, 0, 17, Marks.ROUND), 0, 0);
        assertEquals(17, passing.window());
    }

    @Test
    void onArrival_noMark_isLeftAlone() {
        mark(1, 0);
        port.onArrival(passing.data(1, FULL, 0, UNSET, 0), 0, 5);
        assertEquals(UNSET, passing.window());
        port.onArrival(passing.data(1, FULL, 0, UNSET, Marks.RATE), 0, 5);
        assertEquals(UNSET, passing.window());
    }

    @Test
    void onArrival_allTraffic_countsForTheUtilization() {
        TfcPort adjusting = port(PLAIN.with(TfcPort.ALPHA, 0));
        adjusting.onArrival(passing.data(1, FULL, 0, UNSET, Marks.ROUND), 0, 0);
        for (int i = 0; i < 19; i++) {
            adjusting.onArrival(passing.data(2, FULL, 0, UNSET, 0), 0, 800L * i);
        }
        adjusting.onArrival(passing.data(1, FULL, 0, UNSET, Marks.ROUND), 0, RTT);
        double rho = 20.0 * FRAME / RTT;
        assertEquals(RTT / rho, (double) adjusting.share().tokenBytes(), 2);
    }

    @Test
    void onArrival_linkIsNotUsedWhileFramesWait_tokensDoNotRise() {
        TfcPort adjusting = port(PLAIN.with(TfcPort.ALPHA, 0));
        long now = 0;
        for (int i = 0; i < 10; i++) {
            // A frame in twice the time of a round trip, since the thread that serves the port was away.
            adjusting.onArrival(passing.data(1, FULL, 0, UNSET, Marks.ROUND), 4 * RTT, now);
            now += 2 * RTT;
        }
        assertTrue(
                adjusting.share().tokenBytes() < RTT,
                "tokens " + adjusting.share().tokenBytes());
    }

    // ---- the round-trip time

    @Test
    void baseRtt_fullFramesAlone_areMeasured() {
        probe(1, 0);
        mark(1, 5_000);
        assertEquals(RTT, port.baseRttNanos(), "from a probe on");
        mark(1, 17_000);
        assertEquals(12_000, port.baseRttNanos());
        port.onArrival(passing.data(1, 1_000, 0, UNSET, Marks.ROUND), 0, 18_000);
        assertEquals(12_000, port.baseRttNanos(), "to a short frame");
        mark(1, 19_000);
        assertEquals(12_000, port.baseRttNanos(), "from a short frame");
    }

    @Test
    void baseRtt_heldRound_isNotMeasured() {
        mark(1, 0);
        mark(1, 12_000);
        port.onArrival(passing.data(1, FULL, 0, UNSET, Marks.ROUND | Marks.HELD), 0, 13_000);
        assertEquals(12_000, port.baseRttNanos());
    }

    @Test
    void baseRtt_firstRoundsLate_risesAfterSixteenOnly() {
        long now = 0;
        mark(1, now);
        for (int i = 0; i < 15; i++) {
            mark(1, now += 500_000);
            assertEquals(RTT, port.baseRttNanos());
        }
        mark(1, now += 20_000);
        assertEquals(20_000, port.baseRttNanos());
    }

    @Test
    void baseRtt_allRoundsMeetAQueueThatStands_isWithoutIt() {
        long queueBytes = 200_000;
        long now = 0;
        for (int i = 0; i < 3_000; i++) {
            port.onArrival(passing.data(1, FULL, 0, UNSET, Marks.ROUND), queueBytes, now);
            now += 12_000 + queueBytes;
        }
        assertEquals(12_000 + 8 * FRAME, port.baseRttNanos(), "but for eight frames, which may have met by chance");
    }

    @Test
    void baseRtt_pathChange_risesAgain() {
        long now = 0;
        for (int i = 0; i < 30_000; i++) {
            mark(1, now += 12_000);
        }
        assertEquals(12_000, port.baseRttNanos());
        for (int i = 0; i < 10_000; i++) {
            mark(1, now += 30_000);
        }
        assertEquals(30_000, port.baseRttNanos());
        assertEquals(30_000, port.share().linkBytes());
    }

    // ---- the delimiter

    /**
     * Lets flow 1 be the delimiter for so many slots, at whose ends its marks bear {@code marks}; flow 2 marks after
     * each.
     */
    private void slots(int count, long slotNanos, int marks) {
        mark(1, 0);
        mark(1, RTT);
        for (int i = 1; i <= count; i++) {
            long now = RTT + i * slotNanos;
            port.onArrival(passing.data(1, FULL, 0, UNSET, marks), 0, now);
            mark(2, now + 10);
        }
    }

    @Test
    void delimiter_heldElsewhereForEightLongSlots_givesWayToAnother() {
        slots(7, 2 * RTT + 1, Marks.ROUND | Marks.HELD);
        assertEquals(0, count(CounterId.DELIMITERS_REPLACED));
        slots(8, 2 * RTT + 1, Marks.ROUND | Marks.HELD);
        assertEquals(1, count(CounterId.DELIMITERS_REPLACED));
    }

    @Test
    void delimiter_slotsLongOrHeldButNotBoth_isKept() {
        slots(20, 2 * RTT, Marks.ROUND | Marks.HELD);
        assertEquals(0, count(CounterId.DELIMITERS_REPLACED), "held, within two round trips");
        slots(20, 2 * RTT + 1, Marks.ROUND);
        assertEquals(0, count(CounterId.DELIMITERS_REPLACED), "long, by queues or losses");
    }

    @Test
    void delimiter_heldHere_isKept() {
        mark(1, 0);
        mark(1, RTT);
        PassingFrame answer = passing.ack(1, 1, Marks.ROUND_ACK);
        for (int i = 1; i <= 20; i++) {
            long now = RTT + i * 3L * RTT;
            port.onRelease(answer, now - 100);
            port.onArrival(passing.data(1, FULL, 0, UNSET, Marks.ROUND | Marks.HELD), 0, now);
            mark(2, now + 10);
            answer = passing.ack(1, 1, Marks.ROUND_ACK);
        }
        assertEquals(0, count(CounterId.DELIMITERS_REPLACED));
    }

    @Test
    void delimiter_heldElsewhere_isKeptUntilAnotherSendsData() {
        mark(1, 0);
        mark(1, RTT);
        for (int i = 1; i <= 20; i++) {
            port.onArrival(passing.data(1, FULL, 0, UNSET, Marks.ROUND | Marks.HELD), 0, RTT + i * 3L * RTT);
            probe(2, RTT + i * 3L * RTT + 10);
        }
        assertEquals(0, count(CounterId.DELIMITERS_REPLACED));
    }

    @Test
    void delimiter_ends_theNextMarkTakesItsPlace() {
        mark(1, 0);
        port.onArrival(passing.data(1, 10, DataHeader.FLAG_FIN, UNSET, 0), 0, 10);
        mark(2, 1_000);
        mark(2, 13_000);
        assertEquals(12_000, port.baseRttNanos());
        assertEquals(0, count(CounterId.DELIMITERS_REPLACED));
    }

    @Test
    void delimiter_otherFlowEnds_stays() {
        mark(1, 0);
        port.onArrival(passing.data(2, 10, DataHeader.FLAG_FIN, UNSET, 0), 0, 10);
        mark(2, 1_000);
        mark(2, 13_000);
        assertEquals(RTT, port.baseRttNanos());
    }

    @Test
    void delimiter_silentForTwoRounds_isReplaced() {
        mark(1, 0);
        mark(1, 10_000);
        mark(2, 29_999);
        assertEquals(0, count(CounterId.DELIMITERS_REPLACED));
        mark(2, 30_000);
        assertEquals(1, count(CounterId.DELIMITERS_REPLACED));
        mark(2, 39_000);
        assertEquals(9_000, port.baseRttNanos());
    }

    @Test
    void delimiter_missedAgainAndAgain_isWaitedForTwiceAsLongEachTimeUpTo128Rounds() {
        mark(1, 0);
        long now = 0;
        for (int k = 1; k <= 9; k++) {
            now += RTT << Math.min(k, 7);
            mark(k + 1, now - 1);
            assertEquals(k - 1, count(CounterId.DELIMITERS_REPLACED));
            mark(k + 1, now);
            assertEquals(k, count(CounterId.DELIMITERS_REPLACED));
        }
    }

    @Test
    void delimiter_marksAgainBeforeItsAnswer_isIgnored() {
        mark(1, 0);
        answer(2, UNSET, 0, 5);
        mark(1, 10);
        mark(1, 20);
        assertEquals(2, count(CounterId.ROUND_MARKS_IGNORED));
        assertEquals(RTT, port.baseRttNanos());
        answer(1, UNSET, 0, 12_000);
        mark(1, 13_000);
        assertEquals(13_000, port.baseRttNanos());
    }

    @Test
    void delimiter_neverAnswered_beginsAnewAfterAWhile() {
        mark(1, 0);
        answer(2, UNSET, 0, 5);
        mark(1, 2 * RTT);
        answer(1, UNSET, 0, 3 * RTT - 1);
        mark(1, 3 * RTT);
        assertEquals(RTT, port.baseRttNanos());
        assertEquals(RTT, port.share().windowBytes());
    }

    // ---- the arbiter

    /** Ten flows in the slot: windows of about a frame. */
    private void manyFlows(int flows) {
        for (int i = 1; i <= flows; i++) {
            probe(i, i);
        }
    }

    @Test
    void holds_windowOfAFrameOrMore_passesAndCountsAgainstTheCounter() {
        manyFlows(2);
        assertFalse(answer(1, UNSET, 0, 100));
        assertEquals(RTT / 2, passing.window(), "lowered to what the port gives now");
        assertFalse(answer(2, UNSET, 0, 100));
        manyFlows(100);
        assertTrue(answer(3, UNSET, 0, 100), "both took all there was");
    }

    @Test
    void holds_otherAcknowledgements_areNotItsBusiness() {
        manyFlows(100);
        assertFalse(port.holds(passing.ack(1, 1, 0), 0, 100));
        assertEquals(1, passing.window());
        assertFalse(port.holds(passing.data(1, FULL, 0, UNSET, Marks.ROUND_ACK), 0, 100));
    }

    @Test
    void holds_windowBelowAFrame_passesAsAFrameWhileThereAreTokens() {
        manyFlows(100);
        for (int i = 0; i < RTT / FRAME; i++) {
            assertFalse(answer(i + 1, UNSET, 0, 100), "frame " + i);
            assertEquals(FRAME, passing.window());
        }
        assertTrue(answer(50, UNSET, 0, 100));
        assertTrue(passing.window() < FRAME);
        assertEquals(1, count(CounterId.ACKS_HELD));
    }

    @Test
    void onRelease_turnCame_isAFrameThatSaysItWasHeld() {
        manyFlows(100);
        for (int i = 0; i < RTT / FRAME; i++) {
            answer(i + 1, UNSET, 0, 100);
        }
        long missing = FRAME - (RTT - RTT / FRAME * FRAME);
        assertTrue(answer(50, UNSET, 0, 100));
        assertEquals(100 + missing, port.nextReleaseNanos(100));
        port.onRelease(passing.ack(50, 5, Marks.ROUND_ACK), 100 + missing);
        assertEquals(FRAME, passing.window());
        assertEquals(Marks.ROUND_ACK | Marks.HELD, passing.marks());
        assertEquals(100 + missing + FRAME, port.nextReleaseNanos(100));
        assertEquals(0, count(CounterId.HOLDS_EXCEEDED));
    }

    @Test
    void holds_othersWait_standsInLine() {
        manyFlows(100);
        assertTrue(answer(1, UNSET, 1, 100));
    }

    @Test
    void holds_tooManyAlready_passesAndIsCounted() {
        manyFlows(100);
        assertTrue(answer(1, UNSET, 2, 100));
        assertFalse(answer(1, UNSET, 3, 100));
        assertEquals(FRAME, passing.window());
        assertEquals(1, count(CounterId.HOLDS_EXCEEDED));
    }

    @Test
    void nextReleaseNanos_heldForLong_isTheLongestTime() {
        manyFlows(100);
        for (int i = 0; i < 1_000; i++) {
            answer(1, UNSET, 3, 100);
        }
        assertEquals(500, port.nextReleaseNanos(500 - 1_000_000));
        port.onRelease(passing.ack(50, 5, Marks.ROUND_ACK), 500);
        assertEquals(1_001, count(CounterId.HOLDS_EXCEEDED));
    }

    @Test
    void holds_arbiterOff_letsAllPassWithTheirWindows() {
        TfcPort without = port(PLAIN.with(TfcPort.HELD, 0));
        for (int i = 1; i <= 100; i++) {
            without.onArrival(passing.data(i, 0, 0, UNSET, Marks.ROUND), 0, i);
            assertFalse(without.holds(passing.ack(i, UNSET, Marks.ROUND_ACK), 0, 200));
            assertEquals(RTT / i, passing.window());
        }
    }

    @Test
    void frames_anyNumber_allocateNothing() {
        long[] now = new long[1];
        PassingFrame data = passing.data(1, FULL, 0, UNSET, Marks.ROUND);
        PassingFrame ack = new Passing().ack(1, UNSET, Marks.ROUND_ACK);
        long bytes = Allocations.fewestOf(5, 100_000, () -> {
            now[0] += 1_000;
            port.onArrival(data, 3_000, now[0]);
            if (port.holds(ack, 0, now[0])) {
                port.onRelease(ack, now[0]);
            }
            port.onDeparture(data, 3_000, now[0]);
        });
        assertEquals(0, bytes);
    }
}
