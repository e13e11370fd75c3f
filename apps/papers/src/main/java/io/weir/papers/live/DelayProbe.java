package io.weir.papers.live;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.reactive.AckReceiver;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.Reactive;

/**
 * A protocol that controls nothing: a window as large as it is told, an acknowledgement for each frame, and a note of
 * what each tells of delays.
 */
final class DelayProbe implements ProtocolConfig {
    private static final ProtocolId ID = new ProtocolId(ProtocolId.EXPERIMENT, "probe");

    private int windowSegments;
    private final DelaySamples samples;

    /**
     * Creates a probe of so many segments in flight; all its flows note their delays in {@code samples}, unless that is
     * null.
     */
    DelayProbe(int windowSegments, DelaySamples samples) {
        this.windowSegments = windowSegments;
        this.samples = samples;
    }

    /** Lets one segment more be in flight. On the loop's thread. */
    void widen() {
        windowSegments++;
    }

    @Override
    public ProtocolId id() {
        return ID;
    }

    @Override
    public String preset() {
        return ID.name();
    }

    @Override
    public ProtocolFactory newFactory(SeededRandom random) {
        return new Reactive(ID, Control::new, () -> new AckReceiver(1));
    }

    private final class Control implements CongestionControl {
        private final int segmentBytes;

        Control(FlowContext context) {
            segmentBytes = context.segmentBytesMax();
        }

        @Override
        public void observe(AckSample ack, long nowNanos) {
            if (samples != null && ack.hasTimes()) {
                samples.add(System.nanoTime(), ack.rttNanos(), ack.t2() - ack.t1());
            }
        }

        @Override
        public long windowBytes() {
            return (long) windowSegments * segmentBytes;
        }

        @Override
        public void onAck(AckSample ack, boolean isLimited, long nowNanos) {}

        @Override
        public void onLoss(long inFlightBytes, long nowNanos) {}

        @Override
        public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {}
    }
}
