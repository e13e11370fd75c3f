package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.pacer.Slack;
import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.HeaderTemplate;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests {@link Stamping}: how many frames leave in a poll, and which time stamps data and acknowledgements bear. */
class StampingTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final int AT = HeaderTemplate.BYTES_V4;
    /** A full frame, one byte a nanosecond. */
    private static final int FRAME_NANOS = 1_538;

    private static Script with(Stamping stamping, long catchUpNanos) {
        return new Script(builder -> builder.stamping(stamping).slack(new Slack(catchUpNanos, 0)));
    }

    /** A host with {@code count} segments to send and a credit for each, whose driver comes 100 us late. */
    private static Script late(Stamping stamping, int count) {
        Script script = with(stamping, 90_000).establishFromHost(count * SEGMENT, PeerFrames.WINDOW_BYTES);
        for (int i = 1; i <= count; i++) {
            long credit = i;
            script.receivesUnpolled(peer -> peer.credit(credit));
        }
        return script.stall(100_000).mark().after(0);
    }

    private static List<Integer> departures(Script script) {
        return script.takeSent().stream()
                .map(frame -> DataHeader.t1(frame.bytes(), AT))
                .toList();
    }

    @Test
    void burstControl_polledLate_tenFramesAPoll() {
        try (Script script = late(Stamping.BURST_CONTROL, 25)) {
            assertEquals(10, script.takeSent().size());
            assertEquals(10, script.after(1).takeSent().size());
            assertEquals(5, script.after(1).takeSent().size());
        }
    }

    @Test
    void raw_polledLate_everythingLeavesAtOnce() {
        try (Script script = late(Stamping.RAW, 25)) {
            assertEquals(25, script.takeSent().size());
        }
    }

    @Test
    void raw_polledInTime_doesNotWaitForTheLink() {
        try (Script script = with(Stamping.RAW, 0).establishFromHost(3 * SEGMENT, PeerFrames.WINDOW_BYTES)) {
            script.receives(peer -> peer.credit(1)).receives(peer -> peer.credit(2));
            List<Long> times = script.takeSent().stream().map(SentFrame::nanos).toList();
            assertEquals(List.of(0L, 0L), times);
        }
    }

    @Test
    void burstControl_framesOfOnePoll_haveOneStamp() {
        try (Script script = late(Stamping.BURST_CONTROL, 3)) {
            List<Integer> stamps = departures(script);
            assertEquals(List.of(stamps.get(0), stamps.get(0), stamps.get(0)), stamps);
        }
    }

    @Test
    void calibrated_framesOfOnePoll_haveStampsATransmissionTimeApart() {
        try (Script script = late(Stamping.CALIBRATED, 3)) {
            List<Integer> stamps = departures(script);
            int first = stamps.get(0);
            assertEquals(List.of(first, first + FRAME_NANOS, first + 2 * FRAME_NANOS), stamps);
        }
    }

    /** A host that listens, and acknowledges each frame. */
    private static Script receiver(Stamping stamping) {
        StreamLimits eachFrame = StreamLimits.fixed(1 << 18, 1 << 18).withAckFrames(1);
        Script script = new Script(
                        ExpressPass.weir().with(ExpressPass.STANDING_BYTES, 0L),
                        builder -> builder.stamping(stamping).streams(eachFrame),
                        256)
                .establishFromPeer(1 << 20);
        return script.after(100_000).forgetSent();
    }

    private static Frame stamped(Frame frame, long nanos) {
        frame.setStampNanos(nanos);
        return frame;
    }

    private static SentFrame ackOf(Script script, Function<PeerFrames, Frame> last) {
        script.receives(last);
        return script.takeSent().stream()
                .filter(frame -> frame.text().startsWith("ACK"))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @Test
    void burstControl_twoFramesOfOnePoll_cameAtTheSameTime() {
        try (Script script = receiver(Stamping.BURST_CONTROL)) {
            script.receivesUnpolled(peer -> stamped(peer.data(1, 0, SEGMENT), 5_000));
            SentFrame ack = ackOf(script, peer -> stamped(peer.data(2, SEGMENT, SEGMENT), 5_000));
            assertEquals(5_000, AckHeader.t2(ack.bytes(), AT));
        }
    }

    @Test
    void calibrated_twoFramesOfOnePoll_cameATransmissionTimeApart() {
        try (Script script = receiver(Stamping.CALIBRATED)) {
            script.receivesUnpolled(peer -> stamped(peer.data(1, 0, SEGMENT), 5_000));
            SentFrame ack = ackOf(script, peer -> stamped(peer.data(2, SEGMENT, SEGMENT), 5_000));
            assertEquals(5_000 + FRAME_NANOS, AckHeader.t2(ack.bytes(), AT));
        }
    }

    @Test
    void calibrated_arrivalAheadOfTheClock_answerLeavesNoEarlier() {
        try (Script script = receiver(Stamping.CALIBRATED)) {
            script.receivesUnpolled(peer -> peer.data(1, 0, SEGMENT));
            SentFrame ack = ackOf(script, peer -> peer.data(2, SEGMENT, SEGMENT));
            assertEquals(AckHeader.t2(ack.bytes(), AT), AckHeader.t3(ack.bytes(), AT));
        }
    }
}
