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
 * Grows the window by a segment a round trip and halves it on a loss. One instance per flow; O(1).
 *
 * <p>Source: RFC 5681 section 3.1, RFC 6582 section 3.2. Deviation: losses are found by packet numbers (RFC 9002
 * section 6.1.1), not by duplicate acknowledgements.
 */
public final class NewReno implements CongestionControl {
    private static final Parameter<Long> INITIAL_SEGMENTS =
            Parameter.count("initialSegments", 10, 1, 1_000, "the first window (RFC 6928: 10)");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
            new ProtocolId(5, "newreno"),
            "RFC 5681, RFC 6582",
            List.of(INITIAL_SEGMENTS, Reactive.FRAMES_PER_ACK),
            Reactive.maker(NewReno::new));

    private final RenoWindow window;

    NewReno(Settings settings, FlowContext context) {
        window = new RenoWindow(context.segmentBytesMax(), settings.whole(INITIAL_SEGMENTS));
    }

    @Override
    public long windowBytes() {
        return window.windowBytes();
    }

    @Override
    public void onAck(AckSample ack, boolean isLimited, long nowNanos) {
        if (isLimited) {
            window.grow(ack.arrivedBytes());
        }
    }

    // = rfc5681 section 3.1 equation 4: "ssthresh = max (FlightSize / 2, 2*SMSS)"
    @Override
    public void onLoss(long inFlightBytes, long nowNanos) {
        window.reduceTo(inFlightBytes / 2);
    }

    // = rfc5681 section 3.1: "cwnd MUST be set to no more than the loss window, LW, which equals 1 full-sized segment"
    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        window.restart(inFlightBytes / 2);
    }
}
