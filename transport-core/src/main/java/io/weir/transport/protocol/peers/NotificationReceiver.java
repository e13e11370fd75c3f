package io.weir.transport.protocol.peers;

import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.Marks;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * DCQCN's notification point: tells the sender of marked data at once, and then not again for an interval. One instance
 * per flow.
 *
 * <p>Source: Zhu and others, SIGCOMM 2015, section 3.1. A notification is an acknowledgement with {@link
 * Marks#CONGESTION}.
 */
final class NotificationReceiver implements ReceiverProtocol {
    private final long intervalNanos;
    private final int framesPerAck;
    private long allowedNanos;
    private boolean isDue;

    NotificationReceiver(long intervalNanos, int framesPerAck) {
        this.intervalNanos = intervalNanos;
        this.framesPerAck = framesPerAck;
    }

    @Override
    public CounterId onData(UnsafeBuffer buffer, int at, boolean isMarked, long nowNanos) {
        if (isMarked && nowNanos >= allowedNanos) {
            isDue = true;
            allowedNanos = nowNanos + intervalNanos;
        }
        return null;
    }

    @Override
    public int framesPerAck(int hostFrames) {
        return framesPerAck;
    }

    @Override
    public boolean wantsAck() {
        return isDue;
    }

    @Override
    public void onAck(UnsafeBuffer buffer, int at, long nowNanos) {
        if (isDue) {
            isDue = false;
            AckHeader.window(buffer, at, AckHeader.window(buffer, at), Marks.CONGESTION);
        }
    }
}
