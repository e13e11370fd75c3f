package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.ChallengeHeader;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.RequestHeader;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.StopHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes, by hand, the frames that a peer would send: every one intact, with the tag that is asked for. A variation
 * (another tag, another port) is a copy of the maker, so that the frames that follow are again the peer's.
 */
public final class PeerFrames {
    /** The seed of the bytes that the peer's stream consists of. */
    public static final long STREAM_SEED = 77;

    /** What the peer reports about itself in handshakes. */
    public static final int MTU_BYTES = 1500;

    /** The window that the peer opens in handshakes. */
    public static final long WINDOW_BYTES = 1 << 20;

    private final FramePool pool;
    private final Path path;
    private final long peerTag;
    private final UnsafeBuffer cookie;
    private final long[] packetNumber;
    private final long tag;
    /** {@link OpenHeader#FLAG_TAKES_RIDERS} or 0. */
    private int riderFlag;

    private int creditFrames = 1;
    /** What openings say of the round trip. */
    private long roundTripNanos;
    /** {@link AcceptHeader#FLAG_DATA_CONFIRMS} or 0. */
    private int confirmationFlag;
    /** Whether acceptances grant a credit, as their flag. */
    private int grantFlag;
    /** What handshake frames announce, a {@link io.weir.transport.wire.PauseCode}. */
    private int pauseCode;
    /** What acceptances say of the wait for credits, a {@link io.weir.transport.wire.PauseCode}. */
    private int waitCode;

    /**
     * Creates a maker.
     *
     * @param path from the peer to the host under test
     * @param peerTag the tag that the peer demands
     * @param cookie what the peer returns in its openings
     * @param tag the tag that the host demands
     */
    public PeerFrames(FramePool pool, Path path, long peerTag, UnsafeBuffer cookie, long tag) {
        this(pool, path, peerTag, cookie, tag, new long[1]);
    }

    private PeerFrames(FramePool pool, Path path, long peerTag, UnsafeBuffer cookie, long tag, long[] packetNumber) {
        this.pool = pool;
        this.path = path;
        this.peerTag = peerTag;
        this.cookie = cookie;
        this.tag = tag;
        this.packetNumber = packetNumber;
    }

    /** Sets how many frames a credit may grant, in openings, acceptances and acknowledgements from now on. */
    public PeerFrames creditFrames(int frames) {
        creditFrames = frames;
        return this;
    }

    /** Says that it takes acknowledgements and credits that ride on data, in openings and acceptances from now on. */
    public PeerFrames takesRiders(boolean takes) {
        riderFlag = takes ? OpenHeader.FLAG_TAKES_RIDERS : 0;
        return this;
    }

    /** Says that the round trip has been measured, in openings from now on; 0 if it has not. */
    public PeerFrames tellsRoundTrip(long nanos) {
        roundTripNanos = nanos;
        return this;
    }

    /** Announces pauses of this {@link io.weir.transport.wire.PauseCode} in handshake frames from now on. */
    public PeerFrames announces(int code) {
        pauseCode = code;
        return this;
    }

    /** Sets how long credits wait, as a {@link io.weir.transport.wire.PauseCode}, in acceptances from now on. */
    public PeerFrames tellsWait(int code) {
        waitCode = code;
        return this;
    }

    /** Lets data confirm connections, in acceptances from now on. */
    public PeerFrames takesDataAsConfirmation(boolean takes) {
        confirmationFlag = takes ? AcceptHeader.FLAG_DATA_CONFIRMS : 0;
        return this;
    }

    /** Grants the first credit of the host's flow, in acceptances from now on. */
    public PeerFrames grantsFirst(boolean grants) {
        grantFlag = grants ? AcceptHeader.FLAG_GRANT : 0;
        return this;
    }

    /** {@return the same peer, whose frames carry this tag} */
    public PeerFrames withTag(long newTag) {
        return new PeerFrames(pool, path, peerTag, cookie, newTag, packetNumber)
                .creditFrames(creditFrames)
                .takesRiders(riderFlag != 0)
                .tellsRoundTrip(roundTripNanos)
                .announces(pauseCode)
                .tellsWait(waitCode)
                .takesDataAsConfirmation(confirmationFlag != 0)
                .grantsFirst(grantFlag != 0);
    }

    /** {@return a peer on this path, which knows the same tags} */
    public PeerFrames withPath(Path newPath) {
        return new PeerFrames(pool, newPath, peerTag, cookie, tag, packetNumber)
                .creditFrames(creditFrames)
                .takesRiders(riderFlag != 0)
                .tellsRoundTrip(roundTripNanos)
                .announces(pauseCode)
                .tellsWait(waitCode)
                .takesDataAsConfirmation(confirmationFlag != 0)
                .grantsFirst(grantFlag != 0);
    }

    /** {@return the tag that the peer's frames carry} */
    public long tag() {
        return tag;
    }

    /** {@return the path from the peer to the host} */
    public Path path() {
        return path;
    }

    /** {@return a peer that demands another tag} */
    public PeerFrames withPeerTag(long newPeerTag) {
        return new PeerFrames(pool, path, newPeerTag, cookie, tag, packetNumber)
                .creditFrames(creditFrames)
                .takesRiders(riderFlag != 0)
                .tellsRoundTrip(roundTripNanos)
                .announces(pauseCode)
                .tellsWait(waitCode)
                .takesDataAsConfirmation(confirmationFlag != 0)
                .grantsFirst(grantFlag != 0);
    }

    /** {@return an opening with these flags of {@link OpenHeader}} */
    public Frame open(int flags, long backlogBytes) {
        return open(flags, backlogBytes, ExpressPass.KIND.id().code(), MTU_BYTES);
    }

    /** {@return an opening for one protocol of this code} */
    public Frame open(int flags, long backlogBytes, int protocolCode, int mtuBytes) {
        HeaderTemplate template = new HeaderTemplate(path);
        Frame frame = pool.allocate();
        int at = template.begin(frame, 0);
        UnsafeBuffer buffer = frame.buffer();
        OpenHeader.write(buffer, at, flags | riderFlag, peerTag);
        WeirHeader.packetNumber(buffer, at, ++packetNumber[0]);
        OpenHeader.offer(buffer, at, protocolCode, 1 << protocolCode, mtuBytes);
        OpenHeader.amounts(buffer, at, WINDOW_BYTES, backlogBytes);
        OpenHeader.creditFrames(buffer, at, creditFrames);
        OpenHeader.roundTripNanos(buffer, at, roundTripNanos);
        OpenHeader.pauseCode(buffer, at, pauseCode);
        buffer.putBytes(OpenHeader.cookieAt(at), cookie, 0, Cookie.BYTES);
        template.finish(frame, OpenHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return a challenge with the peer's cookie} */
    public Frame challenge() {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        ChallengeHeader.write(frame.buffer(), at, tag, pauseCode);
        frame.buffer().putBytes(ChallengeHeader.cookieAt(at), cookie, 0, Cookie.BYTES);
        template.finish(frame, ChallengeHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return an acceptance that opens this window; it asks for credits when the backlog is not 0} */
    public Frame accept(long windowBytes, long backlogBytes) {
        return accept(windowBytes, backlogBytes, ExpressPass.KIND.id().code());
    }

    /** {@return an acceptance of the protocol with this code} */
    public Frame accept(long windowBytes, long backlogBytes, int protocolCode) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        UnsafeBuffer buffer = frame.buffer();
        int flags = backlogBytes > 0 ? AcceptHeader.FLAG_CREDIT_REQUEST : 0;
        AcceptHeader.write(buffer, at, flags | confirmationFlag | grantFlag | riderFlag, tag, peerTag);
        WeirHeader.packetNumber(buffer, at, ++packetNumber[0]);
        AcceptHeader.choice(buffer, at, protocolCode, MTU_BYTES);
        AcceptHeader.amounts(buffer, at, windowBytes, backlogBytes);
        AcceptHeader.creditFrames(buffer, at, creditFrames);
        AcceptHeader.pauseCode(buffer, at, pauseCode);
        AcceptHeader.waitCode(buffer, at, waitCode);
        buffer.putBytes(AcceptHeader.tokenAt(at), cookie, 0, Cookie.BYTES);
        template.finish(frame, AcceptHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return a credit that acknowledges nothing} */
    public Frame credit(long sequence) {
        return credit(sequence, 0, 0);
    }

    /** {@return a credit with a hint and flags} */
    public Frame credit(long sequence, long ackOffset, int flags) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        CreditHeader.write(frame.buffer(), at, tag, flags, sequence, ackOffset);
        template.finish(frame, CreditHeader.BYTES, Dscp.CREDIT, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return data that spends credit {@code credit}, with nothing waiting behind it} */
    public Frame data(long credit, long offset, int bytes) {
        return data(credit, offset, bytes, 0, 0);
    }

    /** {@return data that states the backlog behind it} */
    public Frame data(long credit, long offset, int bytes, int flags, long backlogBytes) {
        return data(credit, offset, bytes, flags, backlogBytes, Dscp.ECN_ECT0);
    }

    private Frame data(long credit, long offset, int bytes, int flags, long backlogBytes, int ecn) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        UnsafeBuffer buffer = frame.buffer();
        DataHeader.write(buffer, at, tag, flags, offset, bytes);
        WeirHeader.packetNumber(buffer, at, ++packetNumber[0]);
        DataHeader.credit(buffer, at, credit, 0);
        DataHeader.backlogBytes(buffer, at, backlogBytes);
        DataHeader.t1(buffer, at, 0);
        StreamBytes.fill(buffer, at + DataHeader.BYTES, bytes, STREAM_SEED, offset);
        DataHeader.seal(buffer, at, new Crc32c());
        int dscp = credit == DataHeader.NO_CREDIT ? Dscp.CONTROL : Dscp.DATA;
        template.finish(frame, DataHeader.BYTES + bytes, dscp, ecn);
        return frame;
    }

    /** {@return data that spends credit {@code credit} and that no switch can mark} */
    public Frame unmarkableData(long credit, long offset, int bytes, long backlogBytes) {
        return data(credit, offset, bytes, 0, backlogBytes, Dscp.ECN_NOT_ECT);
    }

    /** {@return data behind which nothing waits, and which brings a standing credit along} */
    public Frame grantingData(long credit, long offset, int bytes, long grantedSequence) {
        Frame frame = data(credit, offset, bytes);
        HeaderTemplate template = new HeaderTemplate(path);
        int at = frame.offset() + template.bytes();
        DataHeader.grant(frame.buffer(), at, grantedSequence);
        DataHeader.seal(frame.buffer(), at, new Crc32c());
        template.finish(frame, DataHeader.BYTES + bytes, Dscp.DATA, Dscp.ECN_ECT0);
        return frame;
    }

    /**
     * {@return data without anything waiting behind it, on which an acknowledgement rides}
     *
     * @param ranges pairs of stream offsets, start and end, beyond {@code ackOffset}
     */
    public Frame dataWithAck(long credit, long offset, int bytes, long ackOffset, long largest, long... ranges) {
        Frame frame = data(credit, offset, 0);
        HeaderTemplate template = new HeaderTemplate(path);
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset() + template.bytes();
        long number = packetNumber[0];
        DataHeader.write(buffer, at, tag, DataHeader.FLAG_ACK, offset, bytes);
        WeirHeader.packetNumber(buffer, at, number);
        int ackAt = AckHeader.ridingAt(at);
        AckHeader.writeRiding(buffer, ackAt, ackOffset, WINDOW_BYTES, largest);
        for (int i = 0; i < ranges.length; i += 2) {
            AckHeader.addRange(buffer, ackAt, ranges[i] - ackOffset, ranges[i + 1] - ranges[i]);
        }
        AckHeader.creditFrames(buffer, ackAt, creditFrames);
        return finishWithRider(frame, offset, bytes);
    }

    /** {@return data without anything waiting behind it, on which a credit rides} */
    public Frame dataWithCredit(long credit, long offset, int bytes, long sequence, int frames) {
        Frame frame = data(credit, offset, 0);
        HeaderTemplate template = new HeaderTemplate(path);
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset() + template.bytes();
        long number = packetNumber[0];
        DataHeader.write(buffer, at, tag, DataHeader.FLAG_CREDIT, offset, bytes);
        WeirHeader.packetNumber(buffer, at, number);
        DataHeader.writeCredit(buffer, at + DataHeader.BYTES, (int) sequence, frames);
        return finishWithRider(frame, offset, bytes);
    }

    private Frame finishWithRider(Frame frame, long offset, int bytes) {
        HeaderTemplate template = new HeaderTemplate(path);
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset() + template.bytes();
        StreamBytes.fill(buffer, DataHeader.payloadAt(buffer, at), bytes, STREAM_SEED, offset);
        DataHeader.seal(buffer, at, new Crc32c());
        int weirBytes = DataHeader.payloadAt(buffer, at) - at + bytes;
        template.finish(frame, weirBytes, Dscp.DATA, Dscp.ECN_ECT0);
        return frame;
    }

    /** {@return the end of the stream, without payload and credit} */
    public Frame end(long offset) {
        return data(DataHeader.NO_CREDIT, offset, 0, DataHeader.FLAG_FIN, 0);
    }

    /**
     * {@return an acknowledgement}
     *
     * @param largest the largest packet number that carried data
     * @param ranges pairs of stream offsets, start and end, beyond {@code offset}
     */
    public Frame ack(long offset, long windowBytes, long largest, long... ranges) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        UnsafeBuffer buffer = frame.buffer();
        AckHeader.write(buffer, at, tag, offset, windowBytes, largest);
        WeirHeader.packetNumber(buffer, at, ++packetNumber[0]);
        AckHeader.samples(buffer, at, 0, 0);
        for (int i = 0; i < ranges.length; i += 2) {
            AckHeader.addRange(buffer, at, ranges[i] - offset, ranges[i + 1] - ranges[i]);
        }
        AckHeader.creditFrames(buffer, at, creditFrames);
        AckHeader.seal(buffer, at, new Crc32c());
        template.finish(frame, AckHeader.length(buffer, at), Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return an acknowledgement that announces how long the peer's pauses are} */
    public Frame pausingAck(long offset, long largest, long pauseNanos) {
        Frame frame = ack(offset, WINDOW_BYTES, largest);
        HeaderTemplate template = new HeaderTemplate(path);
        int at = frame.offset() + template.bytes();
        AckHeader.pauseCode(frame.buffer(), at, PauseCode.of(pauseNanos));
        AckHeader.seal(frame.buffer(), at, new Crc32c());
        template.finish(frame, AckHeader.length(frame.buffer(), at), Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /**
     * {@return an acknowledgement that answers data sent at {@code t1}, which came at {@code t2} and was answered at
     * {@code t3}}
     */
    public Frame timedAck(long offset, long largest, int t1, long t2, long t3) {
        Frame frame = ack(offset, WINDOW_BYTES, largest);
        HeaderTemplate template = new HeaderTemplate(path);
        int at = frame.offset() + template.bytes();
        AckHeader.times(frame.buffer(), at, t1, t2, t3);
        AckHeader.samples(frame.buffer(), at, 0, 1);
        AckHeader.seal(frame.buffer(), at, new Crc32c());
        template.finish(frame, AckHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return an acknowledgement whose window field and marks say this} */
    public Frame signallingAck(long offset, long largest, int window, int marks, long... ranges) {
        Frame frame = ack(offset, WINDOW_BYTES, largest, ranges);
        AckHeader.window(frame.buffer(), frame.offset() + new HeaderTemplate(path).bytes(), window, marks);
        return repaired(frame);
    }

    /** {@return data without credit whose window field and marks say this} */
    public Frame signallingData(long offset, int bytes, int window, int marks) {
        Frame frame = data(DataHeader.NO_CREDIT, offset, bytes);
        DataHeader.window(frame.buffer(), frame.offset() + new HeaderTemplate(path).bytes(), window, marks);
        return repaired(frame);
    }

    /** Window and marks are outside the seal, as switches write them. */
    private static Frame repaired(Frame frame) {
        Checksums.repair(frame);
        return frame;
    }

    /** {@return a request for credits} */
    public Frame request(long backlogBytes, long highestCredit) {
        return request(0, backlogBytes, highestCredit);
    }

    /** {@return a request with these flags of {@link RequestHeader}} */
    public Frame request(int flags, long backlogBytes, long highestCredit) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        RequestHeader.write(frame.buffer(), at, flags, tag, backlogBytes, highestCredit);
        WeirHeader.packetNumber(frame.buffer(), at, ++packetNumber[0]);
        template.finish(frame, RequestHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return a request for no more credits} */
    public Frame stop(long highestCredit) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        StopHeader.write(frame.buffer(), at, tag, highestCredit);
        WeirHeader.packetNumber(frame.buffer(), at, ++packetNumber[0]);
        template.finish(frame, StopHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return a frame of a type with this code, known or not} */
    public Frame typed(int code) {
        Frame frame = request(0, 0);
        HeaderTemplate template = new HeaderTemplate(path);
        frame.buffer().putByte(frame.offset() + template.bytes(), (byte) (WeirHeader.VERSION << 4 | code));
        template.finish(frame, RequestHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return an opening that is one byte shorter than the largest reply to it} */
    public Frame shortOpen() {
        Frame frame = open(0, 0);
        new HeaderTemplate(path).finish(frame, OpenHeader.BYTES - 1, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return the reset that answers a frame with this tag and packet number, which the peer does not know} */
    public Frame unknown(long echoedTag, int echoedNumber) {
        return answer(echoedTag, echoedNumber, ResetHeader.UNKNOWN);
    }

    /** {@return the reset that answers a frame of a connection which the peer has ended in order} */
    public Frame ended(long echoedTag, int echoedNumber) {
        return answer(echoedTag, echoedNumber, ResetHeader.ENDED);
    }

    private Frame answer(long echoedTag, int echoedNumber, int reason) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        ResetHeader.writeAnswer(frame.buffer(), at, echoedTag, echoedNumber, reason);
        template.finish(frame, ResetHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    /** {@return a reset for this reason of {@link ResetHeader}} */
    public Frame reset(int reason) {
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        int at = template.begin(frame, 0);
        ResetHeader.write(frame.buffer(), at, tag, reason);
        template.finish(frame, ResetHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }
}
