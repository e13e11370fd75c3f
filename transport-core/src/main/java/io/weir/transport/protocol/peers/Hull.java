package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.DctcpWindow;
import io.weir.transport.protocol.reactive.MarkedShare;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.protocol.reactive.RenoWindow;
import java.util.List;

/**
 * DCTCP's window, whose segments leave one by one, a little faster than a window a round trip. One instance per flow;
 * O(1).
 *
 * <p>Source: Alizadeh and others, "Less Is More: Trading a Little Bandwidth for Ultra-Low Latency in the Data Center",
 * NSDI 2012. What its switches do is {@link PhantomQueue}. Deviation: the pacer takes its rate from window and
 * round-trip time, which the host knows, where the paper's, in the network card, has to find it out from what passes
 * and from its own backlog.
 */
public final class Hull implements CongestionControl {
    private static final Parameter<Double> FIRST_ALPHA =
            Parameter.fraction("firstAlpha", 1, 1, "DCTCP's first alpha (RFC 8257 section 3.3)");
    private static final Parameter<Double> GAIN =
            Parameter.fraction("gain", 1 / 16.0, 1, "g, the weight of the latest window in alpha (DCTCP)");
    private static final Parameter<Long> SEGMENTS_MIN =
            Parameter.count("segmentsMin", 2, 1, 1_000, "the smallest window");
    private static final Parameter<Long> INITIAL_SEGMENTS =
            Parameter.count("initialSegments", 10, 1, 1_000, "the first window (RFC 6928: 10)");
    private static final Parameter<Double> HEADROOM = Parameter.fraction(
            "paceHeadroom", 0.25, 1, "by how much the pacer's rate exceeds a window per round trip (section 4)");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(9, "hull"),
                    "Alizadeh and others, NSDI 2012",
                    List.of(FIRST_ALPHA, GAIN, SEGMENTS_MIN, INITIAL_SEGMENTS, HEADROOM, Reactive.FRAMES_PER_ACK),
                    Reactive.maker(Hull::new))
            .withPortPart(PhantomQueue.PART);

    private static final int RTT_SHIFT = 3;

    private final DctcpWindow window;
    private final double wireBitsPerByte;
    private final double headroom;
    private final long linkRateBps;
    private long rttNanos;
    private long rateBps;

    Hull(Settings settings, FlowContext context) {
        int segmentBytes = context.segmentBytesMax();
        RenoWindow reno = new RenoWindow(segmentBytes, settings.whole(INITIAL_SEGMENTS), settings.whole(SEGMENTS_MIN));
        MarkedShare share = new MarkedShare(settings.fraction(FIRST_ALPHA), settings.fraction(GAIN), segmentBytes);
        window = new DctcpWindow(reno, share);
        wireBitsPerByte = 8.0 * context.dataWireBytesMax() / segmentBytes;
        headroom = 1 + settings.fraction(HEADROOM);
        linkRateBps = context.linkRateBps();
    }

    @Override
    public long windowBytes() {
        return window.windowBytes();
    }

    /** {@return what the pacer lets pass; 0, everything, until a round trip is known} */
    @Override
    public long rateBps() {
        return rateBps;
    }

    @Override
    public boolean understandsMarks() {
        return true;
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        window.observe(ack);
        if (ack.rttNanos() > 0) {
            rttNanos = rttNanos == 0 ? ack.rttNanos() : rttNanos + ((ack.rttNanos() - rttNanos) >> RTT_SHIFT);
        }
    }

    @Override
    public void onAck(AckSample ack, boolean isLimited, long nowNanos) {
        window.onAck(ack, isLimited);
        pace();
    }

    @Override
    public void onLoss(long inFlightBytes, long nowNanos) {
        window.onLoss(inFlightBytes);
        pace();
    }

    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        window.onRetransmissionTimeout(inFlightBytes);
        pace();
    }

    private void pace() {
        if (rttNanos > 0) {
            double wantedBps = headroom * window.windowBytes() * wireBitsPerByte * RateMath.NANOS_PER_SECOND / rttNanos;
            rateBps = (long) Math.min(wantedBps, (double) linkRateBps);
        }
    }
}
