package io.weir.cli.perf.carrier;

import io.weir.transport.host.CloseReason;
import org.agrona.DirectBuffer;

/** What is told of a {@link Link}, on its loop's thread. */
public interface LinkHandler {
    /** The connection that this end opened is open. */
    void onConnected(Link link);

    /** {@return how many of the bytes were taken: the others come again with more} */
    int onData(Link link, DirectBuffer buffer, int index, int length);

    /** The peer has ended its stream, and all its bytes have been taken. */
    void onEnd(Link link);

    /** After a write that took less than all, there is room again. */
    void onWritable(Link link);

    /** The connection is over; nothing follows. */
    void onClosed(Link link, CloseReason reason);
}
