package io.weir.transport.protocol.reactive;

import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.telemetry.CounterId;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Acknowledges every so many frames; the acknowledgement itself tells of marks, times and gaps (docs/WIRE.md). One
 * instance per flow.
 */
public final class AckReceiver implements ReceiverProtocol {
    private final int framesPerAck;

    /** Creates the receiver of a flow, which acknowledges each {@code framesPerAck} frames. */
    public AckReceiver(int framesPerAck) {
        this.framesPerAck = framesPerAck;
    }

    @Override
    public CounterId onData(UnsafeBuffer buffer, int at, boolean isMarked, long nowNanos) {
        return null;
    }

    @Override
    public int framesPerAck(int hostFrames) {
        return framesPerAck;
    }
}
