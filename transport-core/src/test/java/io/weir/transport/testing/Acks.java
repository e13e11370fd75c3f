package io.weir.transport.testing;

import io.weir.pacer.PauseBudget;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.FrameArrivals;
import io.weir.transport.protocol.HostPauses;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.Path;

/** What a congestion control is told in tests, one acknowledgement after the other. */
public final class Acks {
    /** Payload of a segment. */
    public static final int SEGMENT_BYTES = 1424;

    private final AckSample sample = new AckSample();
    private long packetNumber;

    /** {@return a flow whose host has a link of this rate} */
    public static FlowContext context(long linkRateBps) {
        Path path = Path.from(TestNetwork.mac(1), TestNetwork.address(1), 1)
                .to(TestNetwork.mac(2), TestNetwork.address(2), 2);
        return new FlowContext(
                path, new Counters(), linkRateBps, linkRateBps, SEGMENT_BYTES, 1538, 1, new FrameArrivals(), calm(), 0);
    }

    /**
     * {@return the acknowledgement of {@code frames}, after this round trip, with this window field and these marks}
     */
    public AckSample of(int frames, long rttNanos, int window, int marks) {
        packetNumber += frames;
        return sample.begin((long) frames * SEGMENT_BYTES, packetNumber)
                .times(0, 0, 0, rttNanos)
                .signals(0, window, marks)
                .lost(0, 0)
                .arrived((long) frames * SEGMENT_BYTES, frames, packetNumber, 0);
    }

    /**
     * {@return the acknowledgement of {@code frames} sent now by two clocks that agree, which waited so long on their
     * way}
     */
    public AckSample delayed(int frames, long rttNanos, int waitNanos) {
        return of(frames, rttNanos + waitNanos, 0, 0).times(0, waitNanos, waitNanos, rttNanos + waitNanos);
    }

    /** {@return the pauses of two ends that have none} */
    public static FlowPauses calm() {
        return new FlowPauses(new HostPauses(PauseBudget.NONE, 1_000_000_000L, 0));
    }
}
