package io.weir.cli.demo;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;

/** A handler that ignores what its subclass does not care for, and notes when its connection ends unasked. */
abstract class QuietHandler implements ConnectionHandler {
    private final AtomicReference<String> failure;
    private final String name;
    private volatile boolean isEnding;

    /**
     * Creates a handler.
     *
     * @param failure where to say that the connection has ended unasked
     */
    QuietHandler(String name, AtomicReference<String> failure) {
        this.name = name;
        this.failure = failure;
    }

    /** Says that the connection may end now. */
    final void allowEnd() {
        isEnding = true;
    }

    @Override
    public void onConnected(Connection connection) {}

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        return length;
    }

    @Override
    public void onEnd(Connection connection) {}

    @Override
    public void onWritable(Connection connection) {}

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        if (!isEnding) {
            failure.compareAndSet(null, name + " ended: " + reason);
        }
    }
}
