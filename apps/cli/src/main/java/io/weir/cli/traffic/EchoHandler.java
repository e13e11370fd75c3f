package io.weir.cli.traffic;

import io.weir.transport.host.Connection;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;

/** Sends back what comes. */
public final class EchoHandler extends QuietHandler {
    /** Creates a handler that notes in {@code failure} when its connection ends unasked. */
    public EchoHandler(AtomicReference<String> failure) {
        super("the answering side of an exchange", failure);
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        return connection.write(buffer, index, length);
    }
}
