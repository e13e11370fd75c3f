package io.weir.transport.protocol.reactive;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.pacer.RatePacer;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.wire.DataHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends what a {@link CongestionControl} lets pass: a window, a pace, or both. One instance per flow; O(1); no
 * allocation.
 *
 * <p>A loss is told to the control once for all frames that were in flight with it (RFC 6582's recover, RFC 6675's
 * recovery point): losses of frames sent before the latest reaction are its echo.
 *
 * <p>A flow counts as held back when its window or rate stopped it at any time in this round trip or the one before.
 * The moment of an acknowledgement does not tell: what one lets go is often still waiting for the host's own link when
 * the next one comes.
 *
 * <p>The first lost segment is retransmitted at once, beyond the reduced window (RFC 5681 section 3.2 step 3, RFC 6675
 * section 5 step 4.3): half a window must drain before the next may leave, and the retransmission timer would not wait
 * for that.
 *
 * <p>Design notes: with exact accounting of what is in flight (RFC 6675) nothing needs to be inflated while a loss is
 * repaired, as RFC 5681 section 3.2 does by duplicate acknowledgements.
 */
public final class ReactiveSender implements SenderProtocol {
    private static final long PROBE_NANOS_FIRST = 5_000_000;
    private static final int PROBE_BACK_OFF_MAX = 6;

    private final CongestionControl control;
    private final RatePacer pacer;
    private final int segmentBytesMax;
    private final int overheadBytes;
    /** Payload in flight: set by each acknowledgement and question, raised by each segment in between. */
    private long bytesInFlight;
    /** The packet number sent last when a loss was last told, or -1; frames up to it are no further news. */
    private long recoveryPacketNumber = -1;
    /** When to ask for an acknowledgement that is missed, or NO_DEADLINE; set with nothing in flight only. */
    private long probeNanos = NO_DEADLINE;
    /** Such questions in a row without progress; each doubles the wait, up to 2^PROBE_BACK_OFF_MAX. */
    private int probeCount;
    /** Whether the pace alone kept the latest segment back, so that its time is a deadline; set by maySend. */
    private boolean isAwaitingPace;
    /** Whether one segment may leave beyond the window: the first lost one. Set by a loss, taken by onSegment. */
    private boolean isRepairDue;
    /** The packet number sent last when this round trip began; its acknowledgement ends the round. */
    private long roundEndPacketNumber;
    // Whether window or rate stopped the flow in this round trip, set by maySend, and in the one before, set by
    // endRound.
    private boolean isHeldBack;
    private boolean wasHeldBack;
    // Whether nothing has arrived since the latest time-out, and what was in flight at the first of a row, in bytes.
    private boolean isTimedOut;
    private long timedOutBytes;

    /** Creates the sender of a flow that has sent nothing. */
    public ReactiveSender(CongestionControl control, FlowContext context) {
        this.control = control;
        this.pacer = new RatePacer(context.pauses().host().catchUp());
        this.segmentBytesMax = context.segmentBytesMax();
        this.overheadBytes = context.dataWireBytesMax() - context.segmentBytesMax();
    }

    @Override
    public boolean maySend(long inFlightBytes, long nowNanos) {
        bytesInFlight = inFlightBytes;
        pacer.setRate(control.rateBps());
        boolean fits =
                inFlightBytes == 0 || isRepairDue || inFlightBytes + segmentBytesMax <= control.inFlightBytesMax();
        isAwaitingPace = fits && pacer.nextNanos() > nowNanos;
        boolean mayLeave = fits && !isAwaitingPace;
        isHeldBack |= !mayLeave;
        return mayLeave;
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long backlogBytes, long nowNanos) {
        DataHeader.credit(buffer, at, DataHeader.NO_CREDIT, 0);
        int bytes = DataHeader.payloadBytes(buffer, at);
        bytesInFlight += bytes;
        isRepairDue = false;
        pacer.onSent(bytes + DataHeader.riderBytes(buffer, at) + overheadBytes, control.rateBps(), nowNanos);
        control.onSegment(buffer, at, nowNanos);
        probeNanos = NO_DEADLINE;
    }

    @Override
    public long windowBytes() {
        return control.windowBytes();
    }

    @Override
    public void onBacklog(ControlSink out, long nowNanos) {
        // What is in flight is answered, or times out.
        if (probeNanos == NO_DEADLINE && bytesInFlight == 0) {
            probeNanos = nowNanos + (PROBE_NANOS_FIRST << Math.min(probeCount, PROBE_BACK_OFF_MAX));
        }
    }

    @Override
    public boolean measuresDelay() {
        return control.measuresDelay();
    }

    @Override
    public boolean understandsMarks() {
        return control.understandsMarks();
    }

    @Override
    public void onAck(AckSample ack, long nowNanos) {
        bytesInFlight = ack.inFlightBytes();
        if (ack.arrivedBytes() > 0) {
            probeCount = 0;
            isTimedOut = false;
        }
        boolean isLimited = isHeldBack || wasHeldBack;
        endRound(ack);
        control.observe(ack, nowNanos);
        if (ack.lostBytes() > 0 && ack.lostPacketNumber() > recoveryPacketNumber) {
            recoveryPacketNumber = ack.sentPacketNumber();
            isRepairDue = true;
            control.onLoss(ack.inFlightBytesBefore(), nowNanos);
        } else if (ack.ackedPacketNumber() > recoveryPacketNumber) {
            control.onAck(ack, isLimited, nowNanos);
        }
    }

    private void endRound(AckSample ack) {
        if (ack.ackedPacketNumber() > roundEndPacketNumber) {
            roundEndPacketNumber = ack.sentPacketNumber();
            wasHeldBack = isHeldBack;
            isHeldBack = false;
        }
    }

    // = rfc5681 section 3.1: of a segment "retransmitted by way of the retransmission timer at least once", ssthresh
    // is held: the control is told again what was in flight at first.
    @Override
    public boolean onRetransmissionTimeout(long nowNanos) {
        timedOutBytes = isTimedOut ? timedOutBytes : bytesInFlight;
        isTimedOut = true;
        isRepairDue = false;
        bytesInFlight = 0;
        control.onRetransmissionTimeout(timedOutBytes, nowNanos);
        return true;
    }

    @Override
    public long nextTimeoutNanos() {
        long paceNanos = isAwaitingPace ? pacer.nextNanos() : NO_DEADLINE;
        return Math.min(Math.min(paceNanos, probeNanos), control.nextTimeoutNanos());
    }

    @Override
    public void onTimeout(ControlSink out, boolean hasBacklog, long nowNanos) {
        control.onTimeout(nowNanos);
        isAwaitingPace &= pacer.nextNanos() > nowNanos;
        if (probeNanos <= nowNanos) {
            probeNanos = NO_DEADLINE;
            // The acknowledgement that opened the receiver's window again may be lost: a request is answered with
            // another.
            if (hasBacklog && bytesInFlight == 0) {
                probeCount++;
                out.sendRequest();
            }
        }
    }
}
