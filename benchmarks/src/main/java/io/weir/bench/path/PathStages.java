package io.weir.bench.path;

import io.weir.pacer.CreditPacer;
import io.weir.pacer.CreditShape;
import io.weir.pacer.PauseBudget;
import io.weir.pacer.SeededRandom;
import io.weir.transport.flow.LossRecovery;
import io.weir.transport.flow.ReceiveBuffer;
import io.weir.transport.flow.SendBuffer;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Node;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.FrameArrivals;
import io.weir.transport.protocol.HostPauses;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.ChecksumScope;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.InternetChecksum;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.WeirHeader;
import io.weir.transport.wire.WholeFrame;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The parts of the way that a data frame of 1424 B takes, one call each: nanoseconds per frame at one end, if not said
 * otherwise. The whole way, both ends together, is the command {@code path}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
public class PathStages {
    private static final int SEGMENT_BYTES = 1424;
    private static final int MTU_BYTES = 1500;
    private static final int WIRE_BYTES = 1538;
    private static final long LINK_RATE_BPS = 10_000_000_000L;
    private static final long FRAME_NANOS = 1_298;
    private static final int WINDOW_BYTES = 1 << 18;
    private static final int GAPS_MAX = 256;
    private static final int FRAMES_MAX = 4_096;
    private static final int FRAMES_PER_ACK = 16;
    private static final int SLOTS = 256;
    private static final int SLOT_BYTES = 2_048;
    private static final int CONNECTIONS = 10_000;
    private static final long TAG = 0x1234_5678_9ABC_DEF1L;

    private final FramePool pool = new FramePool(SLOTS, SLOT_BYTES);
    private final Path path = Path.from(2, IpAddress.v4(0x0A00_0001), 40_000).to(4, IpAddress.v4(0x0A00_0002), 5_201);
    private final HeaderTemplate unchecked = new HeaderTemplate(path, ChecksumScope.NONE, 0);
    private final Datagram unchecking = new Datagram(ChecksumScope.NONE);
    private final Crc32c crc = new Crc32c();
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[SEGMENT_BYTES]);
    private final Frame data = newData();
    private final MemoryLink link = new MemoryLink(
            MemoryLink.info("left", 2, MTU_BYTES, LINK_RATE_BPS),
            pool,
            MemoryLink.info("right", 4, MTU_BYTES, LINK_RATE_BPS),
            pool);
    private final Node sink = new Sink();
    private final Long2ObjectHashMap<Object> byTag = new Long2ObjectHashMap<>();
    private final long[] tags = new long[CONNECTIONS];
    private final SendBuffer sendBuffer = new SendBuffer(WINDOW_BYTES);
    private final ReceiveBuffer receiveBuffer = new ReceiveBuffer(WINDOW_BYTES, GAPS_MAX);
    private final LossRecovery recovery = new LossRecovery(FRAMES_MAX, GAPS_MAX);
    private final CreditPacer pacer;
    private final SenderProtocol sender;
    private final ReceiverProtocol receiver;
    /** Where the next segment begins in the stream of {@link #sendBuffer}. */
    private long sentOffset;
    /** Where the next segment begins in the stream of {@link #recovery}. */
    private long recoveredOffset;
    /** Segments of {@link #recovery}. */
    private long packetNumber;
    /** The clock of pacer and protocol; moves by the time of a frame on the link. */
    private long nowNanos;

    /** The connection whose tag is looked for next, 0 to CONNECTIONS - 1. */
    private int turn;

    public PathStages() {
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < CONNECTIONS; i++) {
            tags[i] = random.nextLong();
            byTag.put(tags[i], payload);
        }
        HostPauses pauses = new HostPauses(PauseBudget.NONE, LINK_RATE_BPS, 0);
        CreditShape shape = CreditShape.permitting(WIRE_BYTES).withWireBytes(84, 92);
        pacer = new CreditPacer(shape, random.split(), pauses.catchUp(), LINK_RATE_BPS, 0);
        FlowContext context = new FlowContext(
                path,
                new Counters(),
                LINK_RATE_BPS,
                LINK_RATE_BPS,
                SEGMENT_BYTES,
                WIRE_BYTES,
                1,
                new FrameArrivals(),
                new FlowPauses(pauses),
                0);
        ProtocolFactory factory = Catalogue.find("expresspass").orElseThrow().newFactory(random.split());
        sender = factory.newSender(context);
        receiver = factory.newReceiver(context);
        sender.onOpeningRequested(0, 0);
        receiver.onEstablished(WINDOW_BYTES, 0);
    }

    private Frame newData() {
        Frame frame = pool.allocate();
        HeaderTemplate checked = new HeaderTemplate(path);
        int at = checked.begin(frame, 0);
        DataHeader.write(frame.buffer(), at, TAG, 0, 0, SEGMENT_BYTES);
        DataHeader.seal(frame.buffer(), at, crc);
        checked.finish(frame, DataHeader.BYTES + SEGMENT_BYTES, Dscp.DATA, Dscp.ECN_ECT0);
        return frame;
    }

    /** In and out of the ring of a link in memory, which copies as a port in copy mode does: both ends together. */
    @Benchmark
    public int ring() {
        Frame frame = pool.allocate();
        frame.setExtent(0, data.length());
        link.left().transmit(frame);
        return link.right().pollReceive(sink, 0, 1, 0);
    }

    /** Headers below Weir's, type and lengths, without the checksum. */
    @Benchmark
    public boolean parse() {
        CounterId reason = unchecking.parse(data);
        int at = unchecking.weirAt();
        FrameType type = WeirHeader.type(unchecking.buffer(), at);
        return reason == null && WholeFrame.isValid(type, unchecking.buffer(), at, unchecking.weirBytes());
    }

    /** One of 10,000 tags, each another one than before, and the peer's address and ports. */
    @Benchmark
    public boolean lookup() {
        turn = turn + 1 == CONNECTIONS ? 0 : turn + 1;
        unchecking.parse(data);
        return byTag.get(tags[turn]) != null && unchecking.isFrom(path);
    }

    /** A segment of the send buffer: the application's copy, the copy to the frame, and its release. */
    @Benchmark
    public int streamSend() {
        sendBuffer.write(payload, 0, SEGMENT_BYTES);
        sendBuffer.copyTo(sentOffset, data.buffer(), HeaderTemplate.BYTES_V4 + DataHeader.BYTES, SEGMENT_BYTES);
        sentOffset += SEGMENT_BYTES;
        sendBuffer.release(sentOffset);
        return sendBuffer.limitBytes();
    }

    /** A segment through the receive buffer: the copy from the frame, and reading it where it lies. */
    @Benchmark
    public int streamReceive() {
        int at = HeaderTemplate.BYTES_V4 + DataHeader.BYTES;
        receiveBuffer.accept(receiveBuffer.inOrderOffset(), data.buffer(), at, SEGMENT_BYTES);
        int bytes = receiveBuffer.contiguousBytes();
        receiveBuffer.consume(bytes);
        return bytes;
    }

    /** What is in flight: a segment that leaves, and its sixteenth of an acknowledgement. */
    @Benchmark
    public long recovery() {
        recovery.onSent(++packetNumber, recoveredOffset, recoveredOffset + SEGMENT_BYTES);
        recoveredOffset += SEGMENT_BYTES;
        if (packetNumber % FRAMES_PER_ACK == 0) {
            recovery.onAck(recoveredOffset, packetNumber);
        }
        return recovery.inFlightBytes();
    }

    /** A credit that is made, taken, spent and comes back with data: both ends of ExpressPass. */
    @Benchmark
    public CounterId protocol() {
        nowNanos = Math.max(nowNanos + FRAME_NANOS, receiver.nextCreditNanos());
        if (nowNanos == Deadline.NO_DEADLINE) {
            throw new IllegalStateException("the receiver has stopped sending credits");
        }
        if (receiver.pollCredit(WINDOW_BYTES, nowNanos) > 0) {
            sender.onCredit((int) receiver.creditSequence(), receiver.creditFlags(), true, nowNanos);
        }
        if (!sender.maySend(0, nowNanos)) {
            return null;
        }
        UnsafeBuffer buffer = data.buffer();
        sender.onSegment(buffer, HeaderTemplate.BYTES_V4, WINDOW_BYTES, nowNanos);
        DataHeader.backlogBytes(buffer, HeaderTemplate.BYTES_V4, WINDOW_BYTES);
        return receiver.onData(buffer, HeaderTemplate.BYTES_V4, false, nowNanos);
    }

    /** A gap between two credits. */
    @Benchmark
    public long pacer() {
        long dueNanos = pacer.nextNanos();
        pacer.onSent(1, dueNanos);
        return dueNanos + pacer.nextWireBytes();
    }

    /** All headers of a data frame, without payload and checksums. */
    @Benchmark
    public int write() {
        int at = unchecked.begin(data, 0);
        DataHeader.write(data.buffer(), at, TAG, 0, sentOffset, SEGMENT_BYTES);
        DataHeader.t1(data.buffer(), at, nowNanos);
        WeirHeader.packetNumber(data.buffer(), at, sentOffset);
        unchecked.finish(data, DataHeader.BYTES + SEGMENT_BYTES, Dscp.DATA, Dscp.ECN_ECT0);
        return at;
    }

    /** An acknowledgement without ranges, not sealed. */
    @Benchmark
    public int acknowledgement() {
        UnsafeBuffer buffer = payload;
        AckHeader.write(buffer, 0, TAG, sentOffset, WINDOW_BYTES, 1);
        AckHeader.times(buffer, 0, 1, 2, 3);
        AckHeader.samples(buffer, 0, 0, FRAMES_PER_ACK);
        return AckHeader.length(buffer, 0);
    }

    /** The CRC32C of a data frame. */
    @Benchmark
    public boolean crc() {
        return DataHeader.isIntact(data.buffer(), HeaderTemplate.BYTES_V4, crc);
    }

    /** The Internet checksum of a data frame from its UDP header on. */
    @Benchmark
    public long checksum() {
        return InternetChecksum.add(
                0, data.buffer(), HeaderTemplate.BYTES_V4 - 8, 8 + DataHeader.BYTES + SEGMENT_BYTES);
    }

    /** Gives every frame back. */
    private static final class Sink implements UntimedNode {
        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frame.release();
        }
    }
}
