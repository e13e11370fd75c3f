package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.flow.LossRecovery;
import io.weir.transport.flow.RangeSet;
import io.weir.transport.flow.RttEstimator;
import io.weir.transport.flow.SendBuffer;
import io.weir.transport.flow.SentStamps;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.Serial;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sending half of a connection: which bytes go next, which are acknowledged, which must go again. When one may go
 * is its {@link SenderProtocol}'s business.
 *
 * <p>Offsets are of the stream; its end counts as one more byte, so that it is acknowledged like the rest.
 */
final class StreamSender {
    private static final int DEPARTURES_MAX = 1_024;
    /**
     * For how many retransmission time-outs a sender that waits for credits sends nothing until it counts as starved.
     */
    private static final int STARVED_TIMEOUTS = 4;
    /** Segments that a time-out retransmits to ask. */
    // = rfc9002 section 6.2.4: "An endpoint MAY send up to two full-sized datagrams containing ack-eliciting packets"
    private static final int PROBE_SEGMENTS = 2;
    /**
     * A stream with so many segments behind the next one hardly ends with it: one more for what a rider displaces is a
     * small share.
     */
    private static final int STREAM_SEGMENTS = 16;

    /** So long a peer may hold an acknowledgement back on purpose; its own setting is not known here. */
    private static final int ACK_DELAY_NANOS = (int) ConnectionTimers.DEFAULT.ackDelayNanos();

    /** The offset of the end of a stream that is still open. */
    private static final long OPEN_ENDED = Long.MAX_VALUE - 1;

    private final long remoteTag;
    private final SendBuffer buffer;
    private final LossRecovery recovery;
    private final RttEstimator rtt;
    private final SenderProtocol protocol;
    private final Counters counters;
    private final FlowPauses pauses;
    private final SegmentSize segments;

    private final AckSample sample = new AckSample();
    /** Null until the port's device tells of a departure: most have none that does. */
    private SentStamps departures;

    /**
     * Stream bytes that protected acknowledgements cover; they leave the send buffer. Written by onAck, never falls.
     */
    private long ackedOffset;
    /** Stream bytes that credits tell of, which frees nothing: {@code ackedOffset <= hintOffset <= sentOffset}. */
    private long hintOffset;
    /** Stream bytes sent at least once, the end as one more; written by noteSent, never falls. */
    private long sentOffset;
    /** The receive window of the latest acknowledgement; 0 while the peer takes nothing. */
    private long windowBytes;
    /** No byte from this offset on may be sent; the largest window end ever told, so that it never falls. */
    private long windowLimit;
    /** The length of the stream, or OPEN_ENDED; written once by end(). */
    private long endOffset = OPEN_ENDED;
    /** When what is in flight counts as lost; moved by this host's own pauses when it fires. */
    private long retransmitNanos = NO_DEADLINE;
    /** {@code pauses.host().totalNanos()} when {@link #retransmitNanos} was set. */
    private long pausedNanosAtTimer;

    /** When what is in flight last made progress, or began to be in flight; in time that this host ran. */
    private long progressNanos;
    /** When a segment left last. */
    private long sentNanos;

    /** Retransmission time-outs in a row; each doubles the next; progress of any kind clears it. */
    private int timeoutCount;
    /** Bytes of the probe that the acknowledgement at hand shows to be lost. */
    private long lostProbeBytes;

    // Retransmitted since the connection began: bytes, and the frames that had them; for results alone.
    private long retransmittedBytes;
    private long retransmittedFrames;
    /** Marked frames that the peer has counted, unwrapped; the difference to the next count is news. */
    private long ceFrameCount;
    /** Told of each acknowledgement after the protocol, or null; set by the owner's thread. */
    private AckObserver observer;

    StreamSender(
            long remoteTag,
            SendBuffer buffer,
            LossRecovery recovery,
            RttEstimator rtt,
            SenderProtocol protocol,
            Counters counters,
            FlowPauses pauses,
            SegmentSize segments) {
        this.remoteTag = remoteTag;
        this.buffer = buffer;
        this.recovery = recovery;
        this.rtt = rtt;
        this.protocol = protocol;
        this.counters = counters;
        this.pauses = pauses;
        this.segments = segments;
    }

    /** The peer can take {@code bytes}: from its opening or accepting frame. */
    void openWindow(long bytes) {
        windowBytes = bytes;
        windowLimit = Math.max(windowLimit, ackedOffset + bytes);
    }

    /** The link of this host carries segments of this length from now on. */
    void limitSegments(int bytes) {
        segments.limit(bytes);
    }

    /** {@return the payload of a full segment now} */
    int segmentBytes() {
        return segments.bytes();
    }

    /** The application has no more to write. */
    void end() {
        if (endOffset == OPEN_ENDED) {
            endOffset = buffer.endOffset();
        }
    }

    boolean isEnded() {
        return endOffset != OPEN_ENDED;
    }

    /** {@return whether the peer has acknowledged the whole stream and its end} */
    boolean isFinished() {
        return ackedOffset == endOffset + 1;
    }

    /** {@return whether anything is sent and not acknowledged, or waits to be sent} */
    boolean hasUnfinishedBusiness() {
        return ackedOffset < sentOffset || hasBacklog() || hasEndOnly();
    }

    /** {@return whether any payload waits, for the window or for the protocol} */
    boolean hasBacklog() {
        return sentOffset < buffer.endOffset() || hasData();
    }

    /** {@return whether a segment with payload can go within the window, if the protocol lets it} */
    boolean hasData() {
        RangeSet lost = recovery.lost();
        if (!lost.isEmpty() && lost.start(0) < endOffset) {
            return true;
        }
        return sentOffset < Math.min(Math.min(buffer.endOffset(), endOffset), windowLimit) && recovery.hasRoom();
    }

    /** {@return whether only the end of the stream is left to send: a frame without payload, that needs no credit} */
    boolean hasEndOnly() {
        if (endOffset == OPEN_ENDED || hasData()) {
            return false;
        }
        RangeSet lost = recovery.lost();
        return lost.isEmpty() ? sentOffset == endOffset : lost.start(0) == endOffset;
    }

    /** {@return bytes that wait to be sent, for the first time or again} */
    long backlogBytes() {
        return buffer.endOffset()
                - Math.min(sentOffset, buffer.endOffset())
                + recovery.lost().bytes();
    }

    /**
     * Writes the next segment behind a frame's headers, its packet number too, but not its time stamp.
     *
     * @param flags what stands where the payload would begin, and what else the frame tells, as flags of {@link
     *     DataHeader}
     * @param riderBytes its length
     * @return its length from the Weir header on
     */
    int writeSegment(UnsafeBuffer target, int at, long packetNumber, int flags, int riderBytes, long nowNanos) {
        RangeSet lost = recovery.lost();
        boolean isRepeat = !lost.isEmpty();
        long start = isRepeat ? lost.start(0) : sentOffset;
        long limit = isRepeat ? lost.end(0) : Math.min(buffer.endOffset(), windowLimit);
        long waitingBytes = Math.min(limit, endOffset) - start;
        int bytes = (int) Math.min(segments.bytes() - riderBytes, waitingBytes);
        if (!isRepeat && riderBytes == 0 && segments.isProbeDue(waitingBytes, nowNanos)) {
            bytes = segments.startProbe(packetNumber, start);
        }
        boolean isEnd = start + bytes == endOffset;
        DataHeader.write(target, at, remoteTag, flags | (isEnd ? DataHeader.FLAG_FIN : 0), start, bytes);
        WeirHeader.packetNumber(target, at, packetNumber);
        buffer.copyTo(start, target, at + DataHeader.BYTES + riderBytes, bytes);
        long end = start + bytes + (isEnd ? 1 : 0);
        noteSent(packetNumber, start, end, isRepeat, nowNanos);
        long backlogBytes = backlogBytes();
        if (bytes > 0) {
            protocol.onSegment(target, at, backlogBytes, nowNanos);
        } else {
            DataHeader.credit(target, at, DataHeader.NO_CREDIT, 0);
        }
        DataHeader.backlogBytes(target, at, backlogBytes);
        return DataHeader.BYTES + riderBytes + bytes;
    }

    /**
     * {@return whether the next segment can bring so many bytes of riders along without another segment for what they
     * displace} Never one that is retransmitted: it keeps its boundaries. Nor one of several with which a stream
     * begins: full segments are what an initial window counts.
     */
    boolean hasRoomForRider(int bytes) {
        if (!recovery.lost().isEmpty()) {
            return false;
        }
        long backlogBytes = backlogBytes();
        if (ackedOffset == 0 && backlogBytes > segments.bytes()) {
            return false;
        }
        long lastBytes = backlogBytes % segments.bytes();
        return backlogBytes >= (long) STREAM_SEGMENTS * segments.bytes()
                || (lastBytes > 0 && lastBytes + bytes <= segments.bytes());
    }

    /**
     * Writes a data frame without payload, which brings what its protocol asks of switches.
     *
     * @return its length from the Weir header on
     */
    int writeProbe(UnsafeBuffer target, int at, long nowNanos) {
        DataHeader.write(target, at, remoteTag, 0, Math.min(ackedOffset, endOffset), 0);
        DataHeader.credit(target, at, DataHeader.NO_CREDIT, 0);
        protocol.onProbe(target, at, nowNanos);
        DataHeader.backlogBytes(target, at, backlogBytes());
        return DataHeader.BYTES;
    }

    private void noteSent(long packetNumber, long start, long end, boolean isRepeat, long nowNanos) {
        // A sender that was let send nothing for a while could not make progress: it starts to wait now.
        boolean wasStarved = nowNanos - sentNanos > STARVED_TIMEOUTS * rtt.timeoutNanos();
        if (recovery.inFlightBytes() == 0 && (ackedOffset == sentOffset || wasStarved)) {
            progressNanos = ranNanos(nowNanos);
        }
        sentNanos = nowNanos;
        recovery.onSent(packetNumber, start, end);
        sentOffset = Math.max(sentOffset, end);
        counters.increment(CounterId.DATA_FRAMES_SENT);
        if (isRepeat) {
            if (start == ackedOffset) {
                segments.onRepeat(packetNumber, end - start);
            }
            retransmittedBytes += end - start;
            retransmittedFrames++;
            counters.add(CounterId.BYTES_RETRANSMITTED, end - start);
            counters.increment(CounterId.FRAMES_RETRANSMITTED);
        }
        // = rfc6675 section 6: "re-arms the RTO timer on each retransmission": until its answer comes, all is well
        if (retransmitNanos == NO_DEADLINE || (isRepeat && timeoutCount == 0)) {
            startTimer(nowNanos);
        }
    }

    /**
     * Takes an intact acknowledgement. A duplicate ack acknowledges no more than the one before, and its ranges tell
     * what is missing. One that others have overtaken acknowledges less, and tells the protocol its marks alone.
     *
     * @param nextPacketNumber the packet number that no frame has had yet
     * @param arrivedNanos when it came, by the port's or the poll's time stamp
     * @param slackNanos how much later than it says its data frame may have left, because of this host
     * @return the reason for which it is ignored, or null
     */
    CounterId onAck(
            UnsafeBuffer source, int at, long nextPacketNumber, long arrivedNanos, long slackNanos, long nowNanos) {
        long offset = AckHeader.ackOffset(source, at);
        long largest = Serial.unwrap(nextPacketNumber, AckHeader.largestPacketNumber(source, at));
        if (offset > sentOffset || largest >= nextPacketNumber || !areRangesPossible(source, at, offset)) {
            return CounterId.DROP_ACK_INVALID;
        }
        if (offset < ackedOffset) {
            protocol.onLateAck(AckHeader.window(source, at), AckHeader.marks(source, at), nowNanos);
            return null;
        }
        pauses.onPeer(PauseCode.nanos(AckHeader.pauseCode(source, at)));
        sample.begin(recovery.inFlightBytes(), nextPacketNumber - 1);
        for (int i = 0; i < AckHeader.rangeCount(source, at); i++) {
            long start = offset + AckHeader.rangeGapBytes(source, at, i);
            recovery.onRange(start, start + AckHeader.rangeBytes(source, at, i));
        }
        recovery.onAck(offset, largest);
        segments.onHeard(recovery.arrivedBytesMax());
        if (segments.isProbing()) {
            judgeProbe(nowNanos);
        }
        if (recovery.lostBytes() > 0) {
            noteBlackHole(segments.onLoss(recovery.largestPacketNumber() - LossRecovery.REORDER_FRAMES, nowNanos));
        }
        windowBytes = AckHeader.receiveWindowBytes(source, at);
        windowLimit = Math.max(windowLimit, offset + windowBytes);
        if (AckHeader.hasTimes(source, at)) {
            sampleTimeout(source, at, nowNanos);
            sampleRtt(source, at, largest, arrivedNanos, slackNanos);
        }
        // A peer that takes no more now is there, and says so.
        if (offset > ackedOffset || recovery.arrivedBytes() > 0 || windowBytes < segments.bytes()) {
            progressNanos = ranNanos(nowNanos);
        }
        if (offset > ackedOffset) {
            ackedOffset = offset;
            hintOffset = Math.max(hintOffset, offset);
            buffer.release(Math.min(offset, endOffset));
            restartTimer(nowNanos);
        }
        tell(source, at, nowNanos);
        return null;
    }

    /**
     * The peer had the whole stream and its end, and has forgotten the connection.
     *
     * @return whether that can be: all of it has been sent
     */
    boolean onPeerEnded(long nextPacketNumber, long nowNanos) {
        if (!isEnded() || sentOffset != endOffset + 1) {
            return false;
        }
        recovery.onAck(sentOffset, nextPacketNumber - 1);
        ackedOffset = sentOffset;
        hintOffset = sentOffset;
        buffer.release(endOffset);
        restartTimer(nowNanos);
        return true;
    }

    /** A probe tells of the path's MTU and not of congestion. */
    // = rfc8899 section 3: "Loss of a probe packet SHOULD NOT be treated as an indication of congestion"
    private void judgeProbe(long nowNanos) {
        if (recovery.hasArrived(segments.probeStart(), segments.probeEnd())) {
            segments.onProbeArrived(nowNanos);
        } else if (recovery.largestPacketNumber() >= segments.probeNumber() + LossRecovery.REORDER_FRAMES) {
            lostProbeBytes = segments.probeEnd() - segments.probeStart();
            segments.onProbeLost(nowNanos);
        }
    }

    private void tell(UnsafeBuffer source, int at, long nowNanos) {
        long ceCount = Serial.unwrap(ceFrameCount, AckHeader.ceFrameCount(source, at));
        long marked = Math.max(0, ceCount - ceFrameCount);
        ceFrameCount += marked;
        sample.signals(marked, AckHeader.window(source, at), AckHeader.marks(source, at))
                .lost(recovery.lostBytes() - lostProbeBytes, recovery.lostPacketNumber())
                .arrived(
                        recovery.arrivedBytes(),
                        recovery.arrivedFrames(),
                        recovery.largestPacketNumber(),
                        recovery.inFlightBytes());
        lostProbeBytes = 0;
        protocol.onAck(sample, nowNanos);
        if (observer != null) {
            observer.onAck(sample, nowNanos);
        }
    }

    void observe(AckObserver newObserver) {
        observer = newObserver;
    }

    private boolean areRangesPossible(UnsafeBuffer source, int at, long offset) {
        long previousEnd = offset;
        for (int i = 0; i < AckHeader.rangeCount(source, at); i++) {
            long start = offset + AckHeader.rangeGapBytes(source, at, i);
            long end = start + AckHeader.rangeBytes(source, at, i);
            if (start <= previousEnd || end <= start || end > sentOffset) {
                return false;
            }
            previousEnd = end;
        }
        return true;
    }

    /**
     * Takes what a retransmission time-out has to wait for, hosts and all: until this one found the answer, and what
     * the peer took beyond an ordinary delay of its answer.
     */
    // = rfc6298 section 3: samples from time stamps are right for repeated segments too
    private void sampleTimeout(UnsafeBuffer source, int at, long nowNanos) {
        int away = (int) nowNanos - AckHeader.t1(source, at);
        int turnaround = AckHeader.t3(source, at) - AckHeader.t2(source, at);
        boolean isPossible = turnaround >= 0 && away > turnaround;
        rtt.onSample(isPossible ? away - Math.min(turnaround, ACK_DELAY_NANOS) : 0);
    }

    private void sampleRtt(UnsafeBuffer source, int at, long packetNumber, long arrivedNanos, long slackNanos) {
        int t1 = AckHeader.t1(source, at);
        boolean isKnown = true;
        if (departures != null) {
            long departedNanos = departures.departureNanos(packetNumber, t1);
            isKnown = departedNanos != SentStamps.UNKNOWN;
            t1 = isKnown ? (int) departedNanos : t1;
        }
        int away = (int) arrivedNanos - t1;
        int turnaround = AckHeader.t3(source, at) - AckHeader.t2(source, at);
        long rttNanos = turnaround >= 0 && away > turnaround ? away - turnaround : 0;
        if (isKnown) {
            sample.times(t1, AckHeader.t2(source, at), AckHeader.t3(source, at), rttNanos)
                    .slack(departures == null ? slackNanos : 0)
                    .covering(AckHeader.frameCount(source, at))
                    .heard(arrivedNanos);
        } else {
            // Good enough for time-outs; next to the device's stamps it would be noise.
            counters.increment(CounterId.DEPARTURES_UNKNOWN);
        }
    }

    /** Writes when the frame leaves that {@link #writeSegment} has written. */
    void stamp(UnsafeBuffer target, int at, long packetNumber, long departureNanos) {
        DataHeader.t1(target, at, departureNanos);
        if (departures != null) {
            departures.onSent(packetNumber, (int) departureNanos);
        }
    }

    /** The device tells when the frame with these low 32 bits of its packet number left. */
    void onDeparted(int packetNumberLow, long departedNanos) {
        if (departures == null) {
            departures = new SentStamps(DEPARTURES_MAX);
        }
        departures.onDeparted(packetNumberLow, departedNanos);
    }

    /**
     * {@return the reason for which the acknowledgement in a credit is ignored, or null: it is a hint, and frees
     * nothing}
     */
    CounterId onHint(int ackLow32, long nowNanos) {
        long offset = Serial.unwrap(hintOffset, ackLow32);
        if (offset > sentOffset) {
            return CounterId.DROP_ACK_INVALID;
        }
        if (offset > hintOffset) {
            hintOffset = offset;
            progressNanos = ranNanos(nowNanos);
            windowLimit = Math.max(windowLimit, offset + windowBytes);
            restartTimer(nowNanos);
        }
        return null;
    }

    // = rfc6298 section 5.2 and 5.3
    private void restartTimer(long nowNanos) {
        timeoutCount = 0;
        segments.onProgress();
        retransmitNanos = NO_DEADLINE;
        if (ackedOffset != sentOffset) {
            startTimer(nowNanos);
        }
    }

    /** The time-out is for the network: what the peer's pauses take comes on top, and this host's own do not count. */
    private void startTimer(long nowNanos) {
        // RFC 9002, section 6.2.1, adds the peer's longest delay of an acknowledgement too.
        boolean mayBeLate = timeoutCount == 0 && protocol.creditsAcknowledge() && backlogBytes() > 0;
        long ackDelayNanos = mayBeLate ? StreamReceiver.DELAYS_FOR_CREDITED * ACK_DELAY_NANOS : 0;
        retransmitNanos = nowNanos + rtt.timeoutNanos() + ackDelayNanos + pauses.peerNanos();
        pausedNanosAtTimer = pauses.host().totalNanos();
    }

    long nextTimeoutNanos() {
        return retransmitNanos;
    }

    private long ranNanos(long nowNanos) {
        return nowNanos - pauses.host().totalNanos();
    }

    /** {@return bytes whose fate is not known} */
    long inFlightBytes() {
        return recovery.inFlightBytes();
    }

    /** {@return whether anything is in flight} */
    boolean awaitsAck() {
        return recovery.inFlightBytes() > 0;
    }

    /** {@return when what is in flight made progress last, or began to be in flight; in time that this host ran} */
    long progressNanos() {
        return progressNanos;
    }

    /**
     * Does what is due.
     *
     * @return whether the retransmission timer fired
     */
    boolean onTimeout(long nowNanos) {
        if (nowNanos < retransmitNanos) {
            return false;
        }
        if (ackedOffset == sentOffset) {
            retransmitNanos = NO_DEADLINE;
            return false;
        }
        long missedNanos = pauses.host().totalNanos() - pausedNanosAtTimer;
        if (missedNanos > 0) {
            // What came meanwhile may still lie in the rings.
            retransmitNanos += missedNanos;
            pausedNanosAtTimer += missedNanos;
            if (nowNanos < retransmitNanos) {
                return false;
            }
        }
        noteBlackHole(segments.onTimeout(recovery.hasLonger(segments.baseBytes()), nowNanos));
        boolean isFirst = timeoutCount == 0;
        boolean isLoss = protocol.onRetransmissionTimeout(nowNanos);
        // What a credit has acknowledged is believed once; without progress even that is retransmitted.
        long from = isFirst ? hintOffset : ackedOffset;
        if (isFirst && !isLoss) {
            recovery.probe(from, Math.min(sentOffset, from + (long) PROBE_SEGMENTS * segments.bytes()));
        } else {
            recovery.onTimeout(from, sentOffset);
        }
        timeoutCount++;
        rtt.backOff(); // = rfc6298 section 5.5
        startTimer(nowNanos);
        counters.increment(CounterId.RETRANSMISSION_TIMEOUTS);
        return true;
    }

    private void noteBlackHole(boolean isFound) {
        if (isFound) {
            counters.increment(CounterId.BLACK_HOLES_FOUND);
        }
    }

    /** {@return whether one segment may leave now, as far as the protocol is concerned} */
    boolean maySend(long nowNanos) {
        return protocol.maySend(recovery.inFlightBytes(), nowNanos);
    }

    /** The connection is idle: gives up room that only a busy one needs. */
    void trim() {
        recovery.trim();
    }

    long sentOffset() {
        return sentOffset;
    }

    long retransmittedBytes() {
        return retransmittedBytes;
    }

    long windowBytes() {
        return windowBytes;
    }

    long retransmittedFrames() {
        return retransmittedFrames;
    }

    SendBuffer buffer() {
        return buffer;
    }

    SenderProtocol protocol() {
        return protocol;
    }

    RttEstimator rtt() {
        return rtt;
    }

    long ackedOffset() {
        return ackedOffset;
    }
}
