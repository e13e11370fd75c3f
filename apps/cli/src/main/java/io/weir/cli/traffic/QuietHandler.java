package io.weir.cli.traffic;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;

/** Takes what comes and sends nothing; notes when its connection ends unasked. */
public class QuietHandler implements ConnectionHandler {
    private final AtomicReference<String> failure;
    private final String name;
    private volatile boolean isEnding;

    /**
     * Creates a handler.
     *
     * @param failure where to say that the connection has ended unasked
     */
    public QuietHandler(String name, AtomicReference<String> failure) {
        this.name = name;
        this.failure = failure;
    }

    /** {@return this handler, whose connection may end at any time} */
    public static <T extends QuietHandler> T ofAnyEnd(T handler) {
        handler.allowEnd();
        return handler;
    }

    /** Says that the connection may end now. */
    public final void allowEnd() {
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
