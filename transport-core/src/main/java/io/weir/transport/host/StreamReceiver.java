package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.flow.RangeSet;
import io.weir.transport.flow.ReceiveBuffer;
import io.weir.transport.flow.WindowGrowth;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.WeirHeader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving half of a connection: puts segments where they belong, hands the application what is in order, and
 * decides when to acknowledge. Credits are its {@link ReceiverProtocol}'s business.
 */
final class StreamReceiver {
    /**
     * For how many ordinary delays the acknowledgement waits for one more frame while the sender has more to send, and
     * credits tell it of what has arrived. Less than the least retransmission time-out. Where so many flows share a
     * host's link that each has a frame per delay, acknowledging each frame would take 7 % of the link, of which credit
     * meters leave 1 %.
     */
    static final int DELAYS_FOR_CREDITED = 4;
    /** The offset of the end of a stream whose end is not known. */
    private static final long OPEN_ENDED = Long.MAX_VALUE - 1;

    private final Connection connection;
    private final ReceiveBuffer buffer;
    private final ReceiverProtocol protocol;
    private final HostConfig config;
    private final Counters counters;
    private final FlowPauses pauses;
    private final int creditFramesMax;
    private final int segmentBytesMax;
    private final int framesPerAck;
    private final WindowGrowth growth;

    /** The length of the stream in bytes, or OPEN_ENDED; written once by onData. The application's thread reads it. */
    private volatile long endOffset = OPEN_ENDED;

    /** Whether the handler knows of the end; set once by deliverEnd, after all bytes were read. */
    private boolean isEndDelivered;
    /** Whether the handler is being offered bytes: it may ask for more from within, and is offered them after that. */
    private boolean isDelivering;

    /** Whether an acknowledgement is to leave at once; set by arrivals and reads, cleared by each that is written. */
    private boolean isAckDue;
    /** When a delayed acknowledgement is due, or NO_DEADLINE; set by the first frame since the latest one. */
    private long ackNanos = NO_DEADLINE;
    /** Data frames since the latest acknowledgement; raised by noteArrival, cleared by each one written. */
    private int framesSinceAck;
    /** When the latest acknowledgement left. */
    private long ackLeftNanos;

    /** Data frames that came marked, since the stream began; each acknowledgement tells its low bits. */
    private long ceFrameCount;
    /** The largest packet number of the peer's data; written by noteArrival, told in acknowledgements. */
    private long largestPacketNumber;
    /** Where the latest data frame begins in the stream; chooses the ranges that an acknowledgement has room for. */
    private long latestOffset;
    // The stamps that acknowledgements return: the low 32 bits of the sender's clock when the latest data frame left,
    // and when it came by this host's clock. Written by noteArrival.
    private int t1;
    private long t2Nanos;
    /** The end of the window that the latest acknowledgement told. */
    private long windowEnd;

    /** The round trip of the handshake; 0 at the end that opened the connection. */
    private long handshakeNanos;

    // A standing credit that waits for data to ride on: its number, its bytes on the link (0 if none is held), and from
    // when on it may leave by itself. Written by holdCredit; takeHeldCredit ends it.
    private long heldCredit;
    private int heldCreditWireBytes;
    private long heldUntilNanos;
    /** Whether the credit that is held is to leave at once; written with it, and by hurryHeldCredit. */
    private boolean isHurried;
    /** Whether {@link HostEgress} has this connection in its queue of held credits: at most one entry each. */
    private boolean isCreditQueued;

    StreamReceiver(
            Connection connection,
            ReceiveBuffer buffer,
            ReceiverProtocol protocol,
            HostConfig config,
            Counters counters,
            FlowContext context) {
        this.connection = connection;
        this.buffer = buffer;
        this.protocol = protocol;
        this.config = config;
        this.counters = counters;
        this.pauses = context.pauses();
        this.creditFramesMax = context.creditFramesMax();
        this.segmentBytesMax = context.segmentBytesMax();
        this.windowEnd = buffer.windowBytes();
        this.growth = new WindowGrowth(context.linkRateBps(), context.nowNanos());
        this.framesPerAck = protocol.framesPerAck(config.streams().ackFrames());
    }

    /** {@return whether data that switches could not have marked counts as marked} */
    boolean distrustsUnmarkable() {
        return protocol.distrustsUnmarkable();
    }

    /** A round trip of the handshake took so long: measured by this end, or as the initiator has told. */
    void onHandshake(long rttNanos) {
        handshakeNanos = rttNanos;
        protocol.onHandshake(rttNanos);
    }

    /** {@return the reason for which an intact data frame is ignored, or null} */
    CounterId onData(UnsafeBuffer source, int at, boolean isMarked, long nowNanos) {
        CounterId reason = protocol.onData(source, at, isMarked, nowNanos);
        if (reason != null) {
            return reason;
        }
        long start = DataHeader.streamOffset(source, at);
        int bytes = DataHeader.payloadBytes(source, at);
        boolean isEnd = (WeirHeader.flags(source, at) & DataHeader.FLAG_FIN) != 0;
        noteArrival(source, at, isMarked, nowNanos);
        latestOffset = start;
        reason = checkPlace(start, start + bytes, isEnd);
        if (reason != null) {
            isAckDue = true;
            return reason;
        }
        long inOrder = buffer.inOrderOffset();
        if (isEnd) {
            endOffset = start + bytes;
        }
        // Out of order, repeated, or closing a gap: the sender should know at once. So for the end of the stream.
        isAckDue |= start != inOrder || !buffer.early().isEmpty() || isEnd;
        if (start + bytes <= inOrder && bytes > 0) {
            counters.increment(CounterId.DATA_FRAMES_DUPLICATE);
            // The repetition may be the first to say that the stream ends with these bytes.
            deliverEnd();
            return null;
        }
        reason = buffer.isKept()
                ? take(start, bytes, source, DataHeader.payloadAt(source, at))
                : take(start, bytes, buffer.readBuffer(), 0);
        growWindow(nowNanos);
        return reason;
    }

    /** Lets the window grow if it is what limits the stream, and tells a sender that has little left of it. */
    private void growWindow(long nowNanos) {
        int limitBytes = buffer.limitBytes();
        if (limitBytes == buffer.capacityBytes()) {
            return;
        }
        growth.setPauses(PauseCode.nanos(pauses.host().code(nowNanos)), pauses.peerNanos());
        long smoothedNanos = connection.smoothedRttNanos();
        if (growth.isLimiting(
                limitBytes, buffer.readOffset(), smoothedNanos > 0 ? smoothedNanos : handshakeNanos, nowNanos)) {
            if (buffer.grow()) {
                connection.onGrowthRefused();
            }
            protocol.onRoom(nowNanos);
        }
        // A window of less than four acknowledgements' frames would otherwise end before the next one.
        if (buffer.inOrderOffset() + buffer.windowBytes() - windowEnd >= limitBytes / 4) {
            isAckDue = true;
        }
    }

    private void noteArrival(UnsafeBuffer source, int at, boolean isMarked, long nowNanos) {
        counters.increment(CounterId.DATA_FRAMES_RECEIVED);
        largestPacketNumber = Math.max(largestPacketNumber, connection.numbers().unwrap(source, at));
        ceFrameCount += isMarked ? 1 : 0;
        t1 = DataHeader.t1(source, at);
        pauses.onPeer(PauseCode.nanos(DataHeader.pauseCode(source, at)));
        t2Nanos = connection.host().arrivals().latestNanos();
        framesSinceAck++;
        if (framesSinceAck >= framesPerAck || protocol.wantsAck()) {
            isAckDue = true;
        } else {
            ackNanos = ackNanos(DataHeader.backlogBytes(source, at) > 0, nowNanos);
        }
    }

    /** {@return when an acknowledgement leaves that covers the frame that has just come, unless more frames come} */
    private long ackNanos(boolean isMoreComing, long nowNanos) {
        long delayNanos = config.timers().ackDelayNanos();
        if (isMoreComing && protocol.creditsAcknowledge()) {
            return nowNanos + DELAYS_FOR_CREDITED * delayNanos;
        }
        return Math.min(ackNanos, nowNanos + delayNanos);
    }

    private CounterId checkPlace(long start, long end, boolean isEnd) {
        boolean contradictsEnd = end > endOffset || (isEnd && endOffset != OPEN_ENDED && end != endOffset);
        if (contradictsEnd || (isEnd && end < buffer.extentOffset())) {
            return CounterId.DROP_MALFORMED;
        }
        return buffer.fits(start, end) ? null : CounterId.DROP_OUTSIDE_WINDOW;
    }

    private CounterId take(long start, int bytes, DirectBuffer source, int payloadAt) {
        int taken = 0;
        long inOrder = buffer.inOrderOffset();
        boolean isNext = start <= inOrder && bytes > 0;
        if (isNext && buffer.readableBytes() == 0 && buffer.early().isEmpty()) {
            // In order and nothing waits: the application sees the bytes where they lie.
            int skipped = (int) (inOrder - start);
            isDelivering = true;
            int offered = connection.offerData(source, payloadAt + skipped, bytes - skipped);
            isDelivering = false;
            if (connection.closeReason() != null) {
                // Ended by the handler: what it left would take memory that nobody gives back.
                return null;
            }
            if (offered > 0) {
                buffer.skip(inOrder + offered);
            }
            taken = skipped + offered;
            if (taken == bytes) {
                deliverEnd();
                return null;
            }
        }
        if (!buffer.accept(start + taken, source, payloadAt + taken, bytes - taken)) {
            return buffer.isStarved() ? CounterId.DROP_NO_MEMORY : CounterId.DROP_REASSEMBLY;
        }
        if (taken == 0) {
            deliver();
        }
        return null;
    }

    /**
     * The application reads, or would again: offers what waits, and says so to a sender for whom the window had closed.
     */
    void onRead(long nowNanos) {
        deliver();
        if (connection.closeReason() != null) {
            return;
        }
        buffer.recycle();
        growWindow(nowNanos);
        boolean wasClosed = windowEnd - buffer.inOrderOffset() < segmentBytesMax;
        if (wasClosed && buffer.windowBytes() >= segmentBytesMax) {
            isAckDue = true;
        }
    }

    /** {@return whether the peer knows of no room although the application has read everything} */
    boolean isWindowClosed() {
        return windowEnd - buffer.inOrderOffset() < segmentBytesMax && buffer.readableBytes() == 0 && !isFinished();
    }

    /** Offers the application what is in order, until it takes no more. */
    private void deliver() {
        if (isDelivering) {
            return;
        }
        isDelivering = true;
        boolean tookAll = true;
        // A handler that ends the connection has its buffers taken away.
        for (int bytes = buffer.contiguousBytes();
                tookAll && bytes > 0 && connection.closeReason() == null;
                bytes = buffer.contiguousBytes()) {
            DirectBuffer waiting = buffer.readBuffer();
            if (waiting == null) {
                // The application has read all of it on its thread since it was counted.
                break;
            }
            int taken = connection.offerData(waiting, buffer.readIndex(), bytes);
            // Nothing taken: the application reads the ring itself, perhaps at this moment.
            if (taken > 0) {
                buffer.consume(taken);
            }
            tookAll = taken == bytes;
        }
        isDelivering = false;
        if (tookAll) {
            deliverEnd();
        }
    }

    private void deliverEnd() {
        if (!isEndDelivered && buffer.readOffset() == endOffset) {
            isEndDelivered = true;
            connection.onPeerEnd();
        }
    }

    /** {@return whether every byte of the stream and its end have arrived} */
    boolean isFinished() {
        return buffer.inOrderOffset() == endOffset;
    }

    boolean isEndDelivered() {
        return isEndDelivered;
    }

    /** {@return what is acknowledged: all that is in order, and the end as one more byte} */
    long ackOffset() {
        return buffer.inOrderOffset() + (isFinished() ? 1 : 0);
    }

    /** {@return whether the protocol is about to send a credit, and has room for what it permits} */
    boolean isCreditComing() {
        return roomBytes() >= segmentBytesMax && protocol.nextCreditNanos() != NO_DEADLINE;
    }

    /** Asks for an acknowledgement at the next opportunity. */
    void requireAck() {
        isAckDue = true;
    }

    /** {@return whether an acknowledgement is due that has not left, neither by itself nor on data} */
    boolean isAckRequired() {
        return isAckDue;
    }

    boolean isAckDue(long nowNanos) {
        if (ackNanos <= nowNanos) {
            isAckDue = true;
            ackNanos = NO_DEADLINE;
        }
        return isAckDue;
    }

    long nextTimeoutNanos() {
        return ackNanos;
    }

    /**
     * Writes an acknowledgement behind a frame's headers.
     *
     * @return its length from the Weir header on
     */
    int writeAck(UnsafeBuffer target, int at, long tag, long departureNanos, long nowNanos) {
        long offset = ackOffset();
        long windowBytes = buffer.windowBytes();
        windowEnd = offset + windowBytes;
        AckHeader.write(target, at, tag, offset, windowBytes, largestPacketNumber);
        if (framesSinceAck > 0) {
            AckHeader.times(target, at, t1, t2Nanos, t3Nanos(departureNanos));
        }
        complete(target, at, nowNanos);
        return AckHeader.length(target, at);
    }

    /** A calibrated arrival may lie ahead of the clock; the answer to it does not leave before. */
    private long t3Nanos(long departureNanos) {
        return Math.max(departureNanos, t2Nanos);
    }

    private void complete(UnsafeBuffer target, int at, long nowNanos) {
        AckHeader.samples(target, at, ceFrameCount, framesSinceAck);
        writeRanges(target, at, ackOffset());
        AckHeader.pauseCode(target, at, pauses.host().code(nowNanos));
        AckHeader.creditFrames(target, at, creditFramesMax);
        protocol.onAck(target, at, nowNanos);
        framesSinceAck = 0;
        isAckDue = false;
        ackNanos = NO_DEADLINE;
        ackLeftNanos = nowNanos;
    }

    /** {@return whether acknowledgements may ride on data of the other direction} */
    boolean maySendRiders() {
        return connection.peerTakesRiders() && protocol.acksRideOnData();
    }

    /**
     * {@return whether data that leaves now is to bring an acknowledgement along} That is so when one is due, or half
     * due: by the frames that it covers, or by the time since the latest one. One that would come sooner costs more
     * than the frame it saves.
     */
    boolean isRiderDue(long nowNanos) {
        if (!maySendRiders()) {
            return false;
        }
        boolean isHalfDue = 2 * framesSinceAck >= framesPerAck
                || (framesSinceAck > 0
                        && 2 * (nowNanos - ackLeftNanos) >= config.timers().ackDelayNanos());
        return isHalfDue || isAckDue(nowNanos);
    }

    /** {@return the length of an acknowledgement on data} */
    int riderBytes() {
        return AckHeader.ridingBytes(Math.min(buffer.early().size(), AckHeader.RANGES_MAX));
    }

    /**
     * Writes an acknowledgement where the payload of the data frame at {@code dataAt} would begin.
     *
     * @return its length
     */
    int writeRider(UnsafeBuffer target, int dataAt, long departureNanos, long nowNanos) {
        int at = AckHeader.ridingAt(dataAt);
        long offset = ackOffset();
        long windowBytes = buffer.windowBytes();
        windowEnd = offset + windowBytes;
        AckHeader.writeRiding(target, at, offset, windowBytes, largestPacketNumber);
        if (framesSinceAck > 0) {
            AckHeader.stamps(target, at, t1, t2Nanos, t3Nanos(departureNanos));
        }
        complete(target, at, nowNanos);
        counters.increment(CounterId.ACKS_ON_DATA);
        return AckHeader.ridingBytes(AckHeader.rangeCount(target, at));
    }

    /**
     * Of more ranges than fit, those up to where the latest segment went: the sender remembers what it was told before.
     */
    private void writeRanges(UnsafeBuffer target, int at, long offset) {
        RangeSet early = buffer.early();
        int end = Math.min(early.size(), AckHeader.RANGES_MAX);
        while (end < early.size() && early.start(end) <= latestOffset) {
            end++;
        }
        for (int i = Math.max(0, end - AckHeader.RANGES_MAX); i < end; i++) {
            AckHeader.addRange(target, at, early.start(i) - offset, early.end(i) - early.start(i));
        }
    }

    /** {@return bytes for which credits may be out: what fits beyond all that has arrived, or fills the gaps before} */
    long roomBytes() {
        long freeBytes = buffer.freeBytes();
        return buffer.early().isEmpty() ? freeBytes : Math.max(freeBytes, segmentBytesMax);
    }

    /**
     * Keeps the standing credit that the protocol has just made until something can take it along. One that is held
     * still is given up for it.
     *
     * @param untilNanos from when on it may leave by itself
     * @return whether the connection is to be queued for that; false when it is already
     */
    boolean holdCredit(int wireBytes, long untilNanos) {
        heldCredit = protocol.creditSequence();
        heldUntilNanos = untilNanos;
        heldCreditWireBytes = wireBytes;
        isHurried = false;
        boolean mustQueue = !isCreditQueued;
        isCreditQueued = true;
        return mustQueue;
    }

    /** {@return whether a credit is held that is to leave at once now, and was not before} */
    boolean hurryHeldCredit() {
        boolean isNew = heldCreditWireBytes() > 0 && !isHurried;
        isHurried |= isNew;
        return isNew;
    }

    /** The connection is no longer queued for a credit that is held. */
    void endTurn() {
        isCreditQueued = false;
    }

    /**
     * {@return what the credit that is held would occupy on the link by itself, or 0 when none is or nothing can
     * follow}
     */
    int heldCreditWireBytes() {
        return isFinished() ? 0 : heldCreditWireBytes;
    }

    /** {@return from when on the credit that is held may leave by itself} */
    long heldUntilNanos() {
        return heldUntilNanos;
    }

    /** {@return the number of the credit that was held} */
    long takeHeldCredit() {
        heldCreditWireBytes = 0;
        return heldCredit;
    }

    ReceiveBuffer buffer() {
        return buffer;
    }

    ReceiverProtocol protocol() {
        return protocol;
    }

    /** {@return the offset of the end of the stream, or a huge one while that is not known} */
    long endOffset() {
        return endOffset;
    }
}
