package io.weir.transport.protocol.peers;

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
 * Reduces the window by as much as switches mark of it. One instance per flow; O(1).
 *
 * <p>Source: RFC 8257; Alizadeh and others, "Data Center TCP (DCTCP)", SIGCOMM 2010. Deviations:
 * docs/protocols/peers.md.
 */
public final class Dctcp implements CongestionControl {
    private static final Parameter<Double> FIRST_ALPHA = Parameter.fraction(
            "firstAlpha", 1, 1, "the first alpha: 1 halves at the first mark (RFC 8257 section 3.3)");
    private static final Parameter<Double> GAIN = Parameter.fraction(
            "gain", 1 / 16.0, 1, "g, the weight of the latest window in alpha (RFC 8257 section 4.2)");
    private static final Parameter<Long> SEGMENTS_MIN =
            Parameter.count("segmentsMin", 2, 1, 1_000, "the smallest window (RFC 5681: 2)");
    private static final Parameter<Long> INITIAL_SEGMENTS =
            Parameter.count("initialSegments", 10, 1, 1_000, "the first window (RFC 6928: 10)");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(8, "dctcp"),
                    "RFC 8257",
                    List.of(FIRST_ALPHA, GAIN, SEGMENTS_MIN, INITIAL_SEGMENTS, Reactive.FRAMES_PER_ACK),
                    Reactive.maker(Dctcp::new))
            .with("dctcp-ns2", settings -> settings.with(FIRST_ALPHA, 0.0));

    private final DctcpWindow window;

    Dctcp(Settings settings, FlowContext context) {
        int segmentBytes = context.segmentBytesMax();
        RenoWindow reno = new RenoWindow(segmentBytes, settings.whole(INITIAL_SEGMENTS), settings.whole(SEGMENTS_MIN));
        MarkedShare share = new MarkedShare(settings.fraction(FIRST_ALPHA), settings.fraction(GAIN), segmentBytes);
        window = new DctcpWindow(reno, share);
    }

    @Override
    public long windowBytes() {
        return window.windowBytes();
    }

    @Override
    public boolean understandsMarks() {
        return true;
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        window.observe(ack);
    }

    @Override
    public void onAck(AckSample ack, boolean isLimited, long nowNanos) {
        window.onAck(ack, isLimited);
    }

    @Override
    public void onLoss(long inFlightBytes, long nowNanos) {
        window.onLoss(inFlightBytes);
    }

    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        window.onRetransmissionTimeout(inFlightBytes);
    }

    /** {@return the estimate of the marked share} */
    double alpha() {
        return window.share().fraction();
    }
}
