package io.weir.transport.protocol.peers;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.EchoReceiver;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends at the lowest rate that the ports on the way have stamped into its data, once the first acknowledgement has
 * brought it. One instance per flow; O(1).
 *
 * <p>Source: Dukkipati and others, IWQoS 2005. Deviation: the first segment asks for the rate, not the frame that opens
 * the connection, which has no field for it: one round trip later. Losses do not change the rate; a time-out makes the
 * flow ask again.
 */
public final class Rcp implements CongestionControl {
    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(12, "rcp"),
                    "Dukkipati and others, IWQoS 2005",
                    List.of(Reactive.FRAMES_PER_ACK),
                    Reactive.maker(
                            (settings, context) -> new Rcp(),
                            settings -> new EchoReceiver(Marks.RATE, (int) settings.whole(Reactive.FRAMES_PER_ACK))))
            .withPortPart(RcpPort.PART);

    private static final long KILO = 1_000;
    private static final int RTT_SHIFT = 3;

    private long windowBytes;
    private long rateBps;
    private long rttNanos;

    Rcp() {}

    /** {@return room for a single segment until a rate is known, then for everything} */
    @Override
    public long windowBytes() {
        return windowBytes;
    }

    @Override
    public long rateBps() {
        return rateBps;
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long nowNanos) {
        DataHeader.window(buffer, at, DataHeader.WINDOW_UNSET, Marks.RATE);
        DataHeader.roundTripNanos(buffer, at, rttNanos);
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        if (ack.rttNanos() > 0) {
            rttNanos = rttNanos == 0 ? ack.rttNanos() : rttNanos + ((ack.rttNanos() - rttNanos) >> RTT_SHIFT);
        }
        if ((ack.marks() & Marks.RATE) != 0) {
            windowBytes = UNLIMITED_BYTES;
            // No port on the way has a rate to tell: nothing but the host's own link is in the way.
            rateBps = ack.window() == DataHeader.WINDOW_UNSET ? 0 : Integer.toUnsignedLong(ack.window()) * KILO;
        }
    }

    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        windowBytes = 0;
        rateBps = 0;
    }
}
