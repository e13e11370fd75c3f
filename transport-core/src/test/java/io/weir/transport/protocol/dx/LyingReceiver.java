package io.weir.transport.protocol.dx;

import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AckHeader;
import org.agrona.concurrent.UnsafeBuffer;

/** A peer that writes other time stamps into its acknowledgements than it has taken. */
final class LyingReceiver implements ReceiverProtocol {
    private final Lie lie;

    /** What is written. */
    enum Lie {
        /** The truth. */
        NONE,
        /** The acknowledgement leaves before the data came. */
        NEGATIVE_TURNAROUND,
        /** The turnaround takes longer than the round trip. */
        ENDLESS_TURNAROUND,
        /** A frame is acknowledged that will leave in a second. */
        FRAME_OF_THE_FUTURE,
        /** No queue, ever: the receiver's clock runs with the sender's stamps. */
        EMPTY_PATH
    }

    LyingReceiver(Lie lie) {
        this.lie = lie;
    }

    @Override
    public CounterId onData(UnsafeBuffer buffer, int at, boolean isMarked, long nowNanos) {
        return null;
    }

    @Override
    public int framesPerAck(int hostFrames) {
        return 1;
    }

    @Override
    public void onAck(UnsafeBuffer buffer, int at, long nowNanos) {
        int t1 = AckHeader.t1(buffer, at);
        int t2 = AckHeader.t2(buffer, at);
        switch (lie) {
            case NEGATIVE_TURNAROUND -> AckHeader.times(buffer, at, t1, t2, t2 - 1_000);
            case ENDLESS_TURNAROUND -> AckHeader.times(buffer, at, t1, t2, t2 + 900_000_000);
            case FRAME_OF_THE_FUTURE -> AckHeader.times(buffer, at, t1 + 1_000_000_000, t2, t2);
            case EMPTY_PATH -> AckHeader.times(buffer, at, t1, t1, t1);
            default -> {}
        }
    }
}
