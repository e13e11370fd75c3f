package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link LossRecovery}: frames of 100 bytes, numbered from 1, so that frame n holds [100 n - 100, 100 n). */
class LossRecoveryTest {
    private final LossRecovery recovery = new LossRecovery(16, 64);

    private void send(int from, int to) {
        for (int i = from; i <= to; i++) {
            recovery.onSent(i, 100L * i - 100, 100L * i);
        }
    }

    private String lost() {
        StringBuilder text = new StringBuilder();
        RangeSet set = recovery.lost();
        for (int i = 0; i < set.size(); i++) {
            text.append('[').append(set.start(i)).append(',').append(set.end(i)).append(')');
        }
        return text.toString();
    }

    @Test
    void onAck_allInOrder_losesNothing() {
        send(1, 5);
        recovery.onAck(500, 5);
        assertEquals("", lost());
        assertEquals(0, recovery.framesInFlight());
    }

    @Test
    void onAck_gapOfTwoFramesBehind_isNotLostYet() {
        send(1, 3);
        recovery.onRange(100, 300);
        recovery.onAck(0, 3);
        assertEquals("", lost());
        assertEquals(3, recovery.framesInFlight());
    }

    @Test
    void onAck_gapOfThreeFramesBehind_isLost() {
        send(1, 4);
        recovery.onRange(100, 400);
        recovery.onAck(0, 4);
        assertEquals("[0,100)", lost());
        assertEquals(0, recovery.framesInFlight());
    }

    @Test
    void onSent_repetition_isNoLongerLostAndCanBeLostAgain() {
        send(1, 4);
        recovery.onRange(100, 400);
        recovery.onAck(0, 4);
        recovery.onSent(5, 0, 100);
        assertEquals("", lost());
        send(6, 8);
        recovery.onRange(500, 800);
        recovery.onAck(0, 8);
        assertEquals("[0,100)", lost());
    }

    @Test
    void onAck_framesOfSeveralLengths_tellsTheLongestThatArrived() {
        recovery.onSent(1, 0, 100);
        recovery.onSent(2, 100, 400);
        recovery.onSent(3, 400, 450);
        recovery.onAck(100, 1);
        assertEquals(100, recovery.arrivedBytesMax());
        recovery.onAck(450, 3);
        assertEquals(300, recovery.arrivedBytesMax());
        recovery.onAck(450, 3);
        assertEquals(0, recovery.arrivedBytesMax());
    }

    @Test
    void hasLonger_oneLongFrameAmongShortOnes_isFoundWhileItIsInFlight() {
        recovery.onSent(1, 0, 300);
        recovery.onSent(2, 300, 310);
        assertTrue(recovery.hasLonger(299));
        assertFalse(recovery.hasLonger(300));
        recovery.onAck(300, 1);
        assertFalse(recovery.hasLonger(299));
    }

    @Test
    void probe_answerIsOfBefore_losesNothing() {
        send(1, 5);
        recovery.probe(0, 200);
        assertEquals("[0,200)", lost());
        assertEquals(5, recovery.framesInFlight());
        recovery.onAck(300, 3);
        assertEquals("", lost());
        assertEquals(2, recovery.framesInFlight());
    }

    @Test
    void probe_itsFrameArrives_losesAllThatWasSentBefore() {
        send(1, 3);
        recovery.probe(0, 100);
        recovery.onSent(4, 0, 100);
        recovery.onSent(5, 300, 400);
        recovery.onAck(100, 4);
        assertEquals("[100,300)", lost());
        assertEquals(1, recovery.framesInFlight());
    }

    @Test
    void onAck_lateArrivalOfWhatCountedAsLost_takesItBack() {
        send(1, 5);
        recovery.onRange(100, 500);
        recovery.onAck(0, 5);
        recovery.onAck(500, 5);
        assertEquals("", lost());
    }

    @Test
    void onTimeout_someAcknowledgedSelectively_losesOnlyTheRest() {
        send(1, 6);
        recovery.onRange(100, 200);
        recovery.onRange(300, 400);
        recovery.onAck(0, 4);
        recovery.onTimeout(0, 600);
        assertEquals("[0,100)[200,300)[400,600)", lost());
        assertEquals(0, recovery.framesInFlight());
    }

    @Test
    void onTimeout_fromAnOffset_losesNothingBefore() {
        send(1, 6);
        recovery.onTimeout(250, 600);
        assertEquals("[250,600)", lost());
    }

    @Test
    void hasRoom_asManyInFlightAsMayBe_isFalse() {
        send(1, 15);
        assertTrue(recovery.hasRoom());
        send(16, 16);
        assertFalse(recovery.hasRoom());
        recovery.onAck(100, 1);
        assertTrue(recovery.hasRoom());
    }

    @Test
    void onAck_partOfAFrame_losesOnlyTheRestOfIt() {
        recovery.onSent(1, 0, 1000);
        send(11, 13);
        recovery.onAck(400, 13);
        assertEquals("[400,1000)", lost());
    }

    @Test
    void onAck_arrivalsAndLosses_areCountedForEachAckAlone() {
        send(1, 6);
        assertEquals(600, recovery.inFlightBytes());
        recovery.onAck(200, 2);
        assertEquals(200, recovery.arrivedBytes());
        assertEquals(2, recovery.arrivedFrames());
        assertEquals(0, recovery.lostBytes());
        // Frame 3 is missing: that 4 to 6 have come is known, and counts once it is settled.
        recovery.onRange(300, 600);
        recovery.onAck(200, 6);
        assertEquals(300, recovery.arrivedBytes());
        assertEquals(3, recovery.arrivedFrames());
        assertEquals(100, recovery.lostBytes());
        assertEquals(3, recovery.lostPacketNumber());
        assertEquals(0, recovery.inFlightBytes());
        recovery.onAck(200, 6);
        assertEquals(0, recovery.arrivedBytes() + recovery.arrivedFrames() + recovery.lostBytes());
    }

    @Test
    void inFlightBytes_frameBehindAGap_countsUntilTheGapIsSettled() {
        send(1, 3);
        recovery.onRange(100, 300);
        recovery.onAck(0, 3);
        assertEquals(300, recovery.inFlightBytes());
        assertEquals(0, recovery.arrivedBytes());
        recovery.onAck(300, 3);
        assertEquals(0, recovery.inFlightBytes());
        assertEquals(300, recovery.arrivedBytes());
    }

    @Test
    void onTimeout_always_leavesNothingInFlightAndCountsLateArrivalsNoMore() {
        send(1, 3);
        recovery.onTimeout(0, 300);
        assertEquals(0, recovery.inFlightBytes());
        recovery.onAck(300, 3);
        assertEquals(0, recovery.arrivedBytes());
        assertEquals("", lost());
    }

    @Test
    void onAck_repetitionArrives_countsOnce() {
        send(1, 4);
        recovery.onRange(100, 400);
        recovery.onAck(0, 4);
        recovery.onSent(5, 0, 100);
        assertEquals(100, recovery.inFlightBytes());
        recovery.onAck(400, 5);
        assertEquals(100, recovery.arrivedBytes());
        assertEquals(0, recovery.inFlightBytes());
    }

    @Test
    void run_randomLossAndReordering_everythingArrivesInTheEnd() {
        for (int seed = 1; seed <= 50; seed++) {
            new Transfer(seed).run();
        }
    }

    /** A sender that repeats what its recovery calls lost, over a path that loses a third and reorders. */
    private static final class Transfer {
        private static final int FRAMES = 300;

        private final SeededRandom random;
        private final LossRecovery recovery = new LossRecovery(64, 64);
        private final BitSet arrived = new BitSet();
        private final List<long[]> path = new ArrayList<>();
        private long packetNumber;
        private long largest;
        private int sent;

        Transfer(long seed) {
            random = new SeededRandom(seed);
        }

        void run() {
            int rounds = 0;
            while (arrived.nextClearBit(0) < FRAMES) {
                sendSome();
                deliverSome();
                acknowledge();
                if (random.nextInt(20) == 0) {
                    recovery.onTimeout(0, sent);
                }
                assertTrue(++rounds < 10_000, "no end in sight");
            }
            assertTrue(recovery.lost().isEmpty() || recovery.lost().start(0) >= FRAMES);
        }

        private void sendSome() {
            while (!recovery.lost().isEmpty()) {
                send(recovery.lost().start(0));
            }
            for (int i = random.nextInt(10); i > 0 && sent < FRAMES && recovery.hasRoom(); i--) {
                send(sent++);
            }
        }

        /** Frames hold one byte each here: its offset. */
        private void send(long offset) {
            recovery.onSent(++packetNumber, offset, offset + 1);
            if (random.nextInt(3) != 0) {
                path.add(new long[] {packetNumber, offset});
            }
        }

        private void deliverSome() {
            for (int i = random.nextInt(path.size() + 1); i > 0; i--) {
                long[] frame = path.remove(random.nextInt(Math.min(4, path.size())));
                arrived.set((int) frame[1]);
                largest = Math.max(largest, frame[0]);
            }
        }

        private void acknowledge() {
            int inOrder = arrived.nextClearBit(0);
            for (int from = arrived.nextSetBit(inOrder), count = 0; from >= 0 && count < 8; count++) {
                int to = arrived.nextClearBit(from);
                recovery.onRange(from, to);
                from = arrived.nextSetBit(to);
            }
            recovery.onAck(inOrder, largest);
        }
    }

    @Test
    void onSent_ringGrowsWhileItIsWrapped_everyFrameKeepsItsBytes() {
        for (int length = 64; length < 1_024; length *= 2) {
            LossRecovery wide = new LossRecovery(1_024, 64);
            int oldest = length / 2;
            // The ring is full and begins in its middle when one more frame leaves.
            for (int i = 1; i <= oldest + length + 1; i++) {
                wide.onSent(i, 100L * i - 100, 100L * i);
                if (i == length) {
                    wide.onAck(100L * oldest, oldest);
                }
            }
            int sent = oldest + length + 1;
            assertEquals(length + 1, wide.framesInFlight());
            wide.onAck(100L * oldest, sent);
            assertEquals(100L * (length + 1 - LossRecovery.REORDER_FRAMES), wide.lostBytes());
            assertEquals(100L * oldest, wide.lost().start(0));
            assertEquals(wide.lostBytes(), wide.lost().bytes());
            wide.onAck(100L * sent, sent);
            assertEquals(100L * LossRecovery.REORDER_FRAMES, wide.arrivedBytes());
            assertEquals(0, wide.framesInFlight());
            assertEquals(0, wide.inFlightBytes());
        }
    }
}
