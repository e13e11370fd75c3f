package io.weir.transport.protocol.tfc;

import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers a round mark at once with the window that the frame has brought, or with what it can take itself if that is
 * less. One instance per flow.
 *
 * <p>Source: TFC section 5.3. It never tells less than a frame: the host's own receive window, which has a separate
 * field, stops the sender alone, while a window below a frame would make switches hold the acknowledgement.
 */
final class TfcReceiver implements ReceiverProtocol {
    private final int framesPerAck;
    private final int frameWireBytes;
    private final int segmentBytes;
    private int window;
    private boolean isAnswerDue;

    TfcReceiver(FlowContext context, int framesPerAck) {
        this.framesPerAck = framesPerAck;
        this.frameWireBytes = context.dataWireBytesMax();
        this.segmentBytes = context.segmentBytesMax();
    }

    @Override
    public CounterId onData(UnsafeBuffer buffer, int at, boolean isMarked, long nowNanos) {
        if ((DataHeader.marks(buffer, at) & Marks.ROUND) != 0) {
            window = DataHeader.window(buffer, at);
            isAnswerDue = true;
        }
        return null;
    }

    @Override
    public int framesPerAck(int hostFrames) {
        return framesPerAck;
    }

    @Override
    public boolean acksRideOnData() {
        return false;
    }

    @Override
    public boolean wantsAck() {
        return isAnswerDue;
    }

    // = tfc section 5.3: "the minimum of the advertised congestion window size, awnd, at the receiver and the window
    // value carried in the header of the RM data packet is assigned to the window field"
    @Override
    public void onAck(UnsafeBuffer buffer, int at, long nowNanos) {
        if (isAnswerDue) {
            isAnswerDue = false;
            AckHeader.window(buffer, at, leastOf(window, AckHeader.receiveWindowBytes(buffer, at)), Marks.ROUND_ACK);
        }
    }

    private int leastOf(int wireBytes, long payloadBytes) {
        long ownBytes = Math.max(1, payloadBytes / segmentBytes) * frameWireBytes;
        return (int) Math.min(Integer.toUnsignedLong(wireBytes), ownBytes);
    }
}
