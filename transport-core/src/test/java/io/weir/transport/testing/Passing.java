package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.AckHeader;
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

    /** Payload of such a frame. */
    public static final int PAYLOAD_BYTES = 1424;

    private static final int TO = 100;
    private static final int FROM_PORT = 40_000;
    private static final int TO_PORT = 4720;

    private final Frame frame = new FramePool(1, 2048, true).allocate();
    private final PassingFrame passing = new PassingFrame();
    private int at;

    /** {@return the frame with a new header: with these fields, which understands marks or does not} */
    public PassingFrame data(int window, int marks, long roundTripNanos, int ecn) {
        Path path = Path.from(TestNetwork.mac(1), TestNetwork.address(1), 1)
                .to(TestNetwork.mac(2), TestNetwork.address(2), 2);
        HeaderTemplate template = new HeaderTemplate(path);
        at = template.begin(frame, 0);
        DataHeader.write(frame.buffer(), at, 1, 0, 0, PAYLOAD_BYTES);
        DataHeader.window(frame.buffer(), at, window, marks);
        DataHeader.roundTripNanos(frame.buffer(), at, roundTripNanos);
        template.finish(frame, DataHeader.BYTES + PAYLOAD_BYTES, Dscp.DATA, ecn);
        return passing.lookAt(frame);
    }

    /** {@return data of this host's flow with the others, or without payload} */
    public PassingFrame data(int fromHost, int payloadBytes, int flags, int window, int marks) {
        HeaderTemplate template = new HeaderTemplate(path(fromHost, TO));
        at = template.begin(frame, 0);
        DataHeader.write(frame.buffer(), at, 1, flags, 0, payloadBytes);
        DataHeader.window(frame.buffer(), at, window, marks);
        template.finish(frame, DataHeader.BYTES + payloadBytes, Dscp.DATA, Dscp.ECN_NOT_ECT);
        return passing.lookAt(frame);
    }

    /** {@return an acknowledgement for this host's flow} */
    public PassingFrame ack(int toHost, int window, int marks) {
        HeaderTemplate template = new HeaderTemplate(path(toHost, TO).mirrored());
        at = template.begin(frame, 0);
        AckHeader.write(frame.buffer(), at, 1, 0, 0, 0);
        AckHeader.window(frame.buffer(), at, window, marks);
        template.finish(frame, AckHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return passing.lookAt(frame);
    }

    private static Path path(int from, int to) {
        return Path.from(TestNetwork.mac(from), TestNetwork.address(from), FROM_PORT)
                .to(TestNetwork.mac(to), TestNetwork.address(to), TO_PORT);
    }

    /** {@return the window field as it is now} */
    public int window() {
        return passing.window();
    }

    /** {@return the marks as they are now} */
    public int marks() {
        return passing.marks();
    }

    /** {@return whether the frame is marked Congestion Experienced} */
    public boolean isMarked() {
        Datagram datagram = new Datagram();
        datagram.parse(frame);
        return datagram.isMarked();
    }
}
