package io.weir.transport.protocol.reactive;

import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends the window field of data back with the next acknowledgement, as switches have left it. One instance per flow.
 */
public final class EchoReceiver implements ReceiverProtocol {
    private final int mark;
    private final int framesPerAck;
    private int window;
    private int marks;

    /** Creates the receiver of a flow whose data says by {@code mark} that its window field is to be sent back. */
    public EchoReceiver(int mark, int framesPerAck) {
        this.mark = mark;
        this.framesPerAck = framesPerAck;
    }

    @Override
    public CounterId onData(UnsafeBuffer buffer, int at, boolean isMarked, long nowNanos) {
        if ((DataHeader.marks(buffer, at) & mark) != 0) {
            window = DataHeader.window(buffer, at);
            marks = mark;
        }
        return null;
    }

    @Override
    public int framesPerAck(int hostFrames) {
        return framesPerAck;
    }

    @Override
    public void onAck(UnsafeBuffer buffer, int at, long nowNanos) {
        if (marks != 0) {
            AckHeader.window(buffer, at, window, marks);
        }
    }
}
