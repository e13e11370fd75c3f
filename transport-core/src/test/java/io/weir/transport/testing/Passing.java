package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.PassingFrame;
import io.weir.transport.wire.Path;

/** One data frame that passes a policy of a port again and again. */
public final class Passing {
    /** What the frame occupies on a link. */
    public static final int WIRE_BYTES = 1538;

    private static final int PAYLOAD_BYTES = 1424;

    private final Frame frame = new FramePool(1, 2048, true).allocate();
    private final PassingFrame passing = new PassingFrame();
    private int at;

    /** {@return the frame with a new header: with these fields, which understands marks or does not} */
    public PassingFrame data(int window, int marks, long roundTripNanos, int ecn) {
        Path path =
                new Path(TestNetwork.mac(1), TestNetwork.mac(2), TestNetwork.address(1), TestNetwork.address(2), 1, 2);
        HeaderTemplate template = new HeaderTemplate(path);
        at = template.begin(frame, 0);
        DataHeader.write(frame.buffer(), at, 1, 0, 0, PAYLOAD_BYTES);
        DataHeader.window(frame.buffer(), at, window, marks);
        DataHeader.roundTripNanos(frame.buffer(), at, roundTripNanos);
        template.finish(frame, DataHeader.BYTES + PAYLOAD_BYTES, Dscp.DATA, ecn);
        return passing.lookAt(frame);
    }

    /** {@return the window field as it is now} */
    public int window() {
        return DataHeader.window(frame.buffer(), at);
    }

    /** {@return whether the frame is marked Congestion Experienced} */
    public boolean isMarked() {
        Datagram datagram = new Datagram();
        datagram.parse(frame);
        return datagram.isMarked();
    }
}
