package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.Marks;
import io.weir.transport.wire.WeirHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conversations with a host that sends or receives by TFC: what leaves when, and what a window or its absence does. */
class TfcConversationTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final int FRAME = 1538;
    private static final long RTT = 100_000;
    private static final long PATIENCE = 20_000_000;
    private static final long ROOM = 1 << 20;

    private static Script sender(int segments) {
        return new Script(Tfc.KIND.usual()).establishFromHost(0, ROOM).write(segments * SEGMENT);
    }

    private static String segment(int number, int backlog, String marks) {
        return "DATA [" + number * SEGMENT + "," + (number + 1) * SEGMENT + ") credit=0 backlog=" + backlog * SEGMENT
                + marks;
    }

    private static String probe(int number, int backlog) {
        return "DATA [" + number * SEGMENT + "," + number * SEGMENT + ") credit=0 backlog=" + backlog * SEGMENT + " RM";
    }

    /** {@return the packet number of the last frame that the host has sent} */
    private static long largest(Script script) {
        List<SentFrame> history = script.history();
        int at = new HeaderTemplate(script.peer().path()).bytes();
        return WeirHeader.packetNumber(history.get(history.size() - 1).bytes(), at);
    }

    /** The peer has all up to segment {@code number}, and brings a window of this many bytes on the wire. */
    private static Script grant(Script script, int number, int window, long... ranges) {
        long largest = largest(script);
        return script.receives(
                peer -> peer.signallingAck((long) number * SEGMENT, largest, window, Marks.ROUND_ACK, ranges));
    }

    private static Script acknowledge(Script script, int number, long... ranges) {
        long largest = largest(script);
        return script.receives(peer -> peer.ack((long) number * SEGMENT, PeerFrames.WINDOW_BYTES, largest, ranges));
    }

    @Test
    void write_noWindowYet_asksAndSendsOneWindowARound() {
        try (Script script = sender(6)) {
            script.sendsAt(0, probe(0, 6)).at(RTT).sendsNothing();
            grant(script, 0, 2 * FRAME).at(2 * RTT);
            script.sendsAt(RTT, segment(0, 5, " RM")).sends(segment(1, 4, "")).sendsNothing();
            grant(script, 2, 3 * FRAME).at(3 * RTT);
            script.sendsAt(2 * RTT, segment(2, 3, " RM"))
                    .sends(segment(3, 2, ""))
                    .sends(segment(4, 1, ""));
            script.sendsNothing();
            grant(script, 5, FRAME).at(4 * RTT);
            script.sends(segment(5, 0, " RM")).sendsNothing();
        }
    }

    @Test
    void onAck_markHeldByASwitch_framesBehindItDoNotGoOn() {
        try (Script script = sender(8)) {
            grant(script.at(RTT), 0, 2 * FRAME).at(2 * RTT).forgetSent();
            acknowledge(script, 2).at(5 * RTT).sendsNothing();
            grant(script, 2, 1).at(6 * RTT);
            script.sendsAt(5 * RTT, segment(2, 5, " RM")).sendsNothing();
        }
    }

    @Test
    void onAck_markedFrameLost_theFrameAgainHasTheMark() {
        try (Script script = sender(8)) {
            grant(script.at(RTT), 0, 4 * FRAME).at(2 * RTT).forgetSent();
            acknowledge(script, 0, SEGMENT, 4 * SEGMENT).at(3 * RTT);
            script.sends(segment(0, 4, " RM HELD"));
        }
    }

    @Test
    void onTimeout_probeOrItsAnswerLost_asksAgainEverMoreRarely() {
        try (Script script = sender(1)) {
            script.sendsAt(0, probe(0, 1)).at(PATIENCE - 1).sendsNothing();
            script.at(PATIENCE).sendsAt(PATIENCE, probe(0, 1));
            script.at(3 * PATIENCE - 1).sendsNothing();
            script.at(3 * PATIENCE).sendsAt(3 * PATIENCE, probe(0, 1));
            grant(script, 0, FRAME).at(4 * PATIENCE).sends(segment(0, 0, " RM"));
        }
    }

    @Test
    void write_afterARoundOfSilence_asksAnew() {
        try (Script script = sender(1)) {
            grant(script.at(RTT), 0, 9 * FRAME).at(2 * RTT);
            grant(script, 1, 9 * FRAME).at(4 * RTT).forgetSent();
            script.write(2 * SEGMENT).at(4 * RTT + 1_000).sends(probe(1, 2)).sendsNothing();
        }
    }

    @Test
    void onAck_windowThatWasNotAskedFor_isIgnored() {
        try (Script script = new Script(Tfc.KIND.usual()).establishFromHost(0, ROOM)) {
            grant(script, 0, 100 * FRAME).counts(CounterId.ROUND_ACKS_IGNORED, 1);
            script.write(2 * SEGMENT).at(RTT).sends(probe(0, 2)).sendsNothing();
        }
    }

    @Test
    void onData_marked_isAnsweredAtOnceWithTheWindowItBrought() {
        try (Script script = new Script(Tfc.KIND.usual()).establishFromPeer(0)) {
            script.receives(peer -> peer.signallingData(0, SEGMENT, 5_000, Marks.ROUND));
            assertEquals("granted=5000 RMA", answer(script));
            script.receives(peer -> peer.signallingData(SEGMENT, SEGMENT, DataHeader.WINDOW_UNSET, Marks.ROUND));
            // Its own room of 262,144 B is 184 whole frames.
            assertEquals("granted=" + 184 * FRAME + " RMA", answer(script));
            script.receives(peer -> peer.signallingData(2 * SEGMENT, SEGMENT, 5_000, 0));
            assertFalse(answer(script).contains("RMA"));
        }
    }

    /** {@return what the one acknowledgement that left now says of window and marks} */
    private static String answer(Script script) {
        List<SentFrame> sent = script.after(1_000).takeSent();
        assertEquals(1, sent.size(), sent.toString());
        String text = sent.get(0).text();
        assertTrue(text.startsWith("ACK "), text);
        return text.substring(text.indexOf(' ', text.indexOf("window=")) + 1);
    }
}
