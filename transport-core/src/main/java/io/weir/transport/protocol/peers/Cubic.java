package io.weir.transport.protocol.peers;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.protocol.reactive.RenoWindow;
import java.util.List;

/**
 * Grows the window along a cubic of the time since the latest loss. One instance per flow; O(1).
 *
 * <p>Source: RFC 9438. Deviations: docs/protocols/peers.md.
 */
public final class Cubic implements CongestionControl {
    private static final Parameter<Double> SCALE = Parameter.fraction(
                    "scale", 0.4, 100, "C, segments per cubed second (RFC 9438 section 5.1)")
            .within(0.001, 100);
    private static final Parameter<Double> BETA = Parameter.fraction(
                    "beta", 0.7, 0.99, "what a loss leaves of the window (RFC 9438 section 4.6)")
            .within(0.1, 0.99);
    static final Parameter<Boolean> FAST_CONVERGENCE = Parameter.flag(
            "fastConvergence", true, "leaves room when a loss comes below the last one (RFC 9438 section 4.7)");
    private static final Parameter<Long> INITIAL_SEGMENTS =
            Parameter.count("initialSegments", 10, 1, 1_000, "the first window (RFC 6928: 10)");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
            new ProtocolId(6, "cubic"),
            "RFC 9438",
            List.of(SCALE, BETA, FAST_CONVERGENCE, INITIAL_SEGMENTS, Reactive.FRAMES_PER_ACK),
            Reactive.maker(Cubic::new));

    private static final long PPM = 1_000_000;

    private final RenoWindow window;
    private final CubicCurve curve;
    private final long betaPpm;
    private long smoothedRttNanos;

    Cubic(Settings settings, FlowContext context) {
        betaPpm = Math.round(settings.fraction(BETA) * PPM);
        window = new RenoWindow(context.segmentBytesMax(), settings.whole(INITIAL_SEGMENTS));
        curve = new CubicCurve(
                context.segmentBytesMax(),
                Math.round(settings.fraction(SCALE) * PPM),
                betaPpm,
                settings.flag(FAST_CONVERGENCE));
    }

    @Override
    public long windowBytes() {
        return window.windowBytes();
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        long rttNanos = ack.rttNanos();
        if (rttNanos > 0) {
            smoothedRttNanos += smoothedRttNanos == 0 ? rttNanos : (rttNanos - smoothedRttNanos) / 8;
        }
    }

    @Override
    public void onAck(AckSample ack, boolean isLimited, long nowNanos) {
        if (!isLimited) {
            curve.pause(nowNanos);
        } else if (window.isInSlowStart()) {
            window.grow(ack.arrivedBytes());
        } else {
            window.set(curve.advance(window.windowBytes(), ack.arrivedBytes(), smoothedRttNanos, nowNanos));
        }
    }

    // = rfc9438 section 4.6: "ssthresh = flight_size * beta_cubic"
    @Override
    public void onLoss(long inFlightBytes, long nowNanos) {
        curve.onLoss(window.windowBytes());
        window.reduceTo(inFlightBytes * betaPpm / PPM);
    }

    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        curve.forget();
        window.restart(inFlightBytes * betaPpm / PPM);
    }
}
