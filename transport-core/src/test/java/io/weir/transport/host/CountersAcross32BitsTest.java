package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Counters32;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests counters of which the wire carries 32 bits, each started just below where those end. */
class CountersAcross32BitsTest {
    private static final long WRAP = 1L << 32;
    private static final long WINDOW = 1 << 20;
    private static final int BYTES = 1_000;

    private static List<Integer> credits(Script script) {
        List<Integer> numbers = new ArrayList<>();
        for (SentFrame frame : script.takeSent()) {
            if (frame.text().startsWith("CREDIT ")) {
                // Behind Ethernet, IPv4, UDP and ten bytes of Weir's prefix.
                numbers.add(frame.bytes().getInt(14 + 20 + 8 + 10, ByteOrder.BIG_ENDIAN));
            }
        }
        return numbers;
    }

    @Test
    void creditNumbers_ofTheReceiver_leaveOutTheOneThatMeansNone() {
        try (Script script = new Script().establishFromPeer(0)) {
            Object receiver = script.connection().receiver().protocol();
            Counters32.set(receiver, "nextSequence", WRAP - 3);
            Counters32.set(receiver, "lossMeter.highest", WRAP - 4);
            List<Integer> numbers = new ArrayList<>();
            script.receives(peer -> peer.request(8 * BYTES, -4));
            for (int i = 0; numbers.size() < 8; i++) {
                assertTrue(i < 100, "only these credits came: " + numbers);
                script.after(10_000);
                for (int number : credits(script)) {
                    if (numbers.size() == 8) {
                        break;
                    }
                    long offset = (long) numbers.size() * BYTES;
                    long backlog = 8 * BYTES - offset - BYTES;
                    numbers.add(number);
                    script.receives(peer -> peer.data(number, offset, BYTES, 0, backlog));
                }
            }
            assertEquals(List.of(-3, -2, -1, 1, 2, 3, 4, 5), numbers);
            assertEquals(8 * BYTES, script.app().receivedBytes());
            script.counts(CounterId.DROP_CREDIT_MISSING, 0).counts(CounterId.DROP_CREDIT_UNKNOWN, 0);
            CreditLedger ledger = script.connection().creditLedger();
            assertEquals(
                    ledger.sent(),
                    ledger.used() + ledger.lost() + ledger.wasted() + ledger.expired() + ledger.outstanding());
        }
    }

    @Test
    void creditNumbers_ofTheSender_areSpentOnceEach() {
        try (Script script = new Script().establishFromHost(6 * BYTES, WINDOW)) {
            Counters32.set(script.connection().sender().protocol(), "received.highest", WRAP - 3);
            script.forgetSent();
            int[] numbers = {-2, -1, 1, 2};
            for (int number : numbers) {
                script.after(2_000).receives(peer -> peer.credit(number & 0xFFFF_FFFFL));
                script.receives(peer -> peer.credit(number & 0xFFFF_FFFFL));
            }
            script.after(10_000);
            long data = script.takeSent().stream()
                    .filter(frame -> frame.text().startsWith("DATA"))
                    .count();
            assertEquals(4, data);
            script.counts(CounterId.DROP_CREDIT_DUPLICATE, 4).counts(CounterId.CREDITS_RECEIVED, 4);
        }
    }

    @Test
    void packetNumbers_acknowledgedAcrossTheEnd_findLossesAndNoFalseOnes() {
        try (Script script = new Script().establishFromHost(10 * BYTES, WINDOW)) {
            Connection connection = script.connection();
            connection.numbers().skip(Integer.MAX_VALUE);
            connection.numbers().skip(Integer.MAX_VALUE);
            connection.numbers().skip((int) (WRAP - 3 - connection.numbers().next()));
            assertEquals(WRAP - 3, connection.numbers().next());
            for (int i = 1; i <= 7; i++) {
                int number = i;
                script.after(3_000).receives(peer -> peer.credit(number));
            }
            script.after(3_000).forgetSent();
            // The last of them has the number 2^32 + 3; the first never came.
            script.receives(peer -> peer.ack(0, PeerFrames.WINDOW_BYTES, 3, 1_424, 7 * 1_424));
            script.counts(CounterId.DROP_ACK_INVALID, 0);
            script.after(3_000).receives(peer -> peer.credit(8)).after(3_000);
            assertTrue(script.takeSent().stream().anyMatch(frame -> frame.text().startsWith("DATA [0,1424)")));
            script.receives(peer -> peer.ack(7 * 1_424, PeerFrames.WINDOW_BYTES, 4))
                    .after(3_000);
            assertEquals(7 * 1_424, connection.acknowledgedBytes());
            assertEquals(1_424, connection.retransmittedBytes());
        }
    }

    @Test
    void packetNumbers_aheadOfAllThatLeft_areRefusedAcrossTheEnd() {
        try (Script script = new Script().establishFromHost(BYTES, WINDOW)) {
            Connection connection = script.connection();
            connection.numbers().skip(Integer.MAX_VALUE);
            connection.numbers().skip(Integer.MAX_VALUE);
            connection.numbers().skip((int) (WRAP - 1 - connection.numbers().next()));
            script.receives(peer -> peer.ack(0, WINDOW, 5)).counts(CounterId.DROP_ACK_INVALID, 1);
            script.receives(peer -> peer.unknown(connection.remoteTag(), 5)).hears();
            assertFalse(connection.closeReason() != null);
            script.receives(peer -> peer.unknown(connection.remoteTag(), -3)).hears("closed FORGOTTEN");
        }
    }
}
