package io.weir.transport.protocol.tfc;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.TransitionTable;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sender's half of TFC: asks for a window before it sends anything, marks the first frame of each, and sends no
 * more than one window a round. One instance per flow; O(1); no allocation.
 *
 * <p>Source: TFC sections 4.6 and 5.1. A window is good for one round: while a switch holds the acknowledgement of a
 * mark, those of the frames behind it go on, and a sender that lived on them would send by a window which is no longer
 * its own.
 */
final class TfcSender implements SenderProtocol {
    /** How far a sender has come with its window. */
    enum State {
        /** It has none. */
        IDLE,
        /** It has asked for one by a frame without payload. */
        ASKING,
        /** It has one, and has not sent the first frame of it. */
        GRANTED,
        /** The first frame of the window, marked, is on its way, or its acknowledgement is. */
        ROUND
    }

    /** What moves a sender from state to state. */
    enum Event {
        /** There is something to send. */
        DATA_READY,
        /** The acknowledgement of a mark brought a window. */
        WINDOW,
        /** The first frame of a window leaves. */
        FIRST_FRAME,
        /** Frames behind the mark were answered, and the mark was not. */
        NO_ANSWER,
        /** Nothing was in flight for too long, or nothing was heard: the window is no longer good. */
        EXPIRED
    }

    static final TransitionTable<State, Event> TABLE = TransitionTable.of(State.class, Event.class)
            .on(Event.DATA_READY, State.ASKING, State.IDLE)
            .on(Event.WINDOW, State.GRANTED, State.ASKING, State.ROUND)
            .on(Event.FIRST_FRAME, State.ROUND, State.GRANTED)
            .on(Event.NO_ANSWER, State.GRANTED, State.ROUND)
            .on(Event.EXPIRED, State.IDLE, State.ASKING, State.GRANTED, State.ROUND)
            .build();

    private static final int BACK_OFF_MAX = 6;
    private static final int PATIENCE_ROUNDS = 4;
    private static final int SMOOTHING_SHIFT = 3;
    /** From so many frames on a switch does not hold the answer: what does not come is lost. */
    private static final int UNHELD_FRAMES = 2;
    /** By how much sooner such an answer is asked for again, as a shift. */
    private static final int UNHELD_SHIFT = 4;

    /** A frame so far behind a mark has been answered when the mark counts as lost, as the stream's frames do. */
    private static final int BEHIND_FRAMES = 3;

    private final Counters counters;
    private final int segmentBytes;
    private final int frameWireBytes;
    private final WindowRounding rounding;
    private final long idleRounds;
    private final long probeTimeoutNanos;

    /** Changed by {@link #TABLE} alone. */
    private State state = State.IDLE;
    /** The latest window, in full frames; written by onMarks, 0 without one. */
    private long windowFrames;
    /** What of the window may still leave in this round, in bytes on the wire; a last segment may make it negative. */
    private long roundLeftBytes;
    /** Payload in flight: set by each acknowledgement and question, raised by each segment in between. */
    private long bytesInFlight;
    /** When the peer was last heard from; an idle time counts from it. */
    private long heardNanos;
    /** When the latest mark left: its answer ends a round. */
    private long markedNanos;
    // Smoothed round trips, 0 before the first: of all marks, and of those whose answer no switch held.
    private long roundNanos;
    private long pathNanos;
    /** Whether a switch held the latest answer; the next mark says so. */
    private boolean isHeld;
    /** Whether data waited behind the latest segment: then an idle time is its own host's. */
    private boolean isWaiting;
    /** The low 32 bits of the packet number of the latest mark on a segment; its answer tells that it arrived. */
    private int markedPacketNumber;
    /** Whether the latest mark repeats one that had no answer; set by onNoAnswer, cleared by the answer. */
    private boolean isRepeated;
    /** Whether the mark of the latest answer was a repeated one: what it was an answer to is not known for sure. */
    private boolean wasRepeated;
    /** Whether a switch may hold the next answer; true while nothing is known of the load. */
    private boolean mayBeHeld = true;
    /** When to give the window up and ask again, or NO_DEADLINE; written by setTimeout and expire. */
    private long timeoutNanos = NO_DEADLINE;
    /** Such time-outs in a row; each doubles the wait, and an answer clears it. */
    private int timeoutCount;

    TfcSender(Settings settings, FlowContext context) {
        this.counters = context.counters();
        this.segmentBytes = context.segmentBytesMax();
        this.frameWireBytes = context.dataWireBytesMax();
        this.rounding = new WindowRounding((int) settings.whole(Tfc.ROUNDING), frameWireBytes);
        this.idleRounds = settings.whole(Tfc.IDLE_ROUNDS);
        this.probeTimeoutNanos = settings.whole(Tfc.PROBE_TIMEOUT);
    }

    // ---- how much may leave

    // = tfc section 4.6: "a flow will send a marked packet without any payload after the flow establishment phase to
    // take back proper congestion window"; deviation: after an idle time too, because the window of then may be any
    // size.
    @Override
    public void onBacklog(ControlSink out, long nowNanos) {
        if (!isWaiting) {
            expireIfIdle(nowNanos);
        }
        isWaiting = true;
        if (state == State.IDLE) {
            state = TABLE.require(state, Event.DATA_READY);
            out.sendProbe();
            setTimeout(nowNanos);
        }
    }

    /** What has waited since the window came is held up by its own host: the window is still its own. */
    private void expireIfIdle(long nowNanos) {
        boolean hasWindow = state == State.GRANTED || state == State.ROUND;
        if (hasWindow && bytesInFlight == 0 && nowNanos - heardNanos > idleRounds * pathNanos) {
            // Meanwhile there may be many more flows.
            mayBeHeld = true;
            expire();
        }
    }

    private void expire() {
        state = TABLE.require(state, Event.EXPIRED);
        windowFrames = 0;
        isRepeated = false;
        rounding.forget();
        timeoutNanos = NO_DEADLINE;
    }

    @Override
    public void onProbe(UnsafeBuffer buffer, int at, long nowNanos) {
        mark(buffer, at, nowNanos);
    }

    // = tfc section 5.1: "Before transmitting a data packet, the sender modifies its window field to be 0xffff"; 32
    // bits
    private void mark(UnsafeBuffer buffer, int at, long nowNanos) {
        boolean isNoRoundTrip = isHeld || isRepeated || wasRepeated;
        int marks = isNoRoundTrip ? Marks.ROUND | Marks.HELD : Marks.ROUND;
        DataHeader.window(buffer, at, DataHeader.WINDOW_UNSET, marks);
        markedNanos = nowNanos;
    }

    @Override
    public boolean maySend(long inFlightBytes, long nowNanos) {
        bytesInFlight = inFlightBytes;
        boolean hasFrames = state == State.GRANTED || (state == State.ROUND && roundLeftBytes >= frameWireBytes);
        return hasFrames && inFlightBytes + segmentBytes <= windowFrames * segmentBytes;
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long backlogBytes, long nowNanos) {
        DataHeader.credit(buffer, at, DataHeader.NO_CREDIT, 0);
        int bytes = DataHeader.payloadBytes(buffer, at);
        bytesInFlight += bytes;
        isWaiting = backlogBytes > 0;
        // = tfc section 5.1: "the sender sets the RM bit in the TFC header of the next sending data packet to 1"
        if (state == State.GRANTED) {
            state = TABLE.require(state, Event.FIRST_FRAME);
            roundLeftBytes = windowFrames * frameWireBytes;
            markedPacketNumber = WeirHeader.packetNumber(buffer, at);
            mark(buffer, at, nowNanos);
            setTimeout(nowNanos);
        }
        roundLeftBytes -= bytes + frameWireBytes - segmentBytes;
    }

    @Override
    public long windowBytes() {
        return windowFrames * segmentBytes;
    }

    @Override
    public boolean understandsMarks() {
        return false;
    }

    // ---- feedback

    @Override
    public void onAck(AckSample ack, long nowNanos) {
        bytesInFlight = ack.inFlightBytes();
        heardNanos = nowNanos;
        onMarks(ack.window(), ack.marks(), nowNanos);
        int framesBehind = (int) ack.ackedPacketNumber() - markedPacketNumber;
        if (state == State.ROUND && framesBehind >= BEHIND_FRAMES && !mayBeHeld && !isRepeated) {
            onNoAnswer();
        }
    }

    @Override
    public void onLateAck(int window, int marks, long nowNanos) {
        onMarks(window, marks, nowNanos);
    }

    /**
     * Frames behind the mark have been answered, and the mark has not: it is lost, or its answer. The next frame has
     * it, with the same window. Not on the loss of any other frame: of two marks in one round trip, a port would take
     * the time between them for rtt_b.
     */
    private void onNoAnswer() {
        state = TABLE.require(state, Event.NO_ANSWER);
        isRepeated = true;
    }

    private void onMarks(int window, int marks, long nowNanos) {
        if ((marks & Marks.ROUND_ACK) == 0) {
            return;
        }
        if (state != State.ASKING && state != State.ROUND) {
            counters.increment(CounterId.ROUND_ACKS_IGNORED);
            return;
        }
        state = TABLE.require(state, Event.WINDOW);
        windowFrames = rounding.frames(Integer.toUnsignedLong(window));
        isHeld = (marks & Marks.HELD) != 0;
        mayBeHeld = isHeld || windowFrames < UNHELD_FRAMES;
        wasRepeated = isRepeated;
        isRepeated = false;
        heardNanos = nowNanos;
        sampleRound(nowNanos - markedNanos);
        timeoutCount = 0;
        setTimeout(nowNanos);
    }

    private void sampleRound(long nanos) {
        roundNanos = smoothed(roundNanos, nanos);
        if (!isHeld && !wasRepeated) {
            pathNanos = smoothed(pathNanos, nanos);
        }
    }

    private static long smoothed(long beforeNanos, long nanos) {
        return beforeNanos == 0 ? nanos : beforeNanos + ((nanos - beforeNanos) >> SMOOTHING_SHIFT);
    }

    @Override
    public boolean onRetransmissionTimeout(long nowNanos) {
        bytesInFlight = 0;
        // What is held takes as long as others are before it, which the timer of the stream cannot know.
        boolean isInLine = isHeld && state == State.ROUND;
        if (!isInLine && (state == State.GRANTED || state == State.ROUND)) {
            expire();
        }
        return true;
    }

    // ---- time

    private void setTimeout(long nowNanos) {
        long leastNanos = mayBeHeld ? probeTimeoutNanos : probeTimeoutNanos >> UNHELD_SHIFT;
        long patienceNanos = Math.max(leastNanos, PATIENCE_ROUNDS * roundNanos);
        timeoutNanos = nowNanos + (patienceNanos << Math.min(timeoutCount, BACK_OFF_MAX));
    }

    @Override
    public long nextTimeoutNanos() {
        return timeoutNanos;
    }

    /**
     * Asks again for a window that does not come: the mark or its acknowledgement is lost. A window that cannot be used
     * because the receiver has no room is asked for again too, and what answers that tells whether there is room again.
     */
    @Override
    public void onTimeout(ControlSink out, boolean hasBacklog, long nowNanos) {
        if (nowNanos < timeoutNanos) {
            return;
        }
        if (state == State.GRANTED && bytesInFlight > 0) {
            // Less than what is in flight already was granted: acknowledgements make room, or the retransmission timer.
            setTimeout(nowNanos);
            return;
        }
        timeoutCount++;
        expire();
        if (hasBacklog) {
            onBacklog(out, nowNanos);
        }
    }
}
