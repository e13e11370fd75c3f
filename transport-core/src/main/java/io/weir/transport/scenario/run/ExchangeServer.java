package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;

/** A server's end of one connection of an exchange: answers every request that is complete. */
final class ExchangeServer implements ConnectionHandler {
    private final long requestBytes;
    private final long responseBytes;
    private long askedBytes;
    private long unwrittenBytes;

    ExchangeServer(long requestBytes, long responseBytes) {
        this.requestBytes = requestBytes;
        this.responseBytes = responseBytes;
    }

    @Override
    public void onConnected(Connection connection) {
        // The client speaks first.
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        askedBytes += length;
        while (askedBytes >= requestBytes) {
            askedBytes -= requestBytes;
            unwrittenBytes += responseBytes;
        }
        pump(from);
        return length;
    }

    private void pump(Connection connection) {
        unwrittenBytes -= ZeroBytes.write(connection, unwrittenBytes);
    }

    @Override
    public void onEnd(Connection from) {
        from.shutdownOutput();
    }

    @Override
    public void onWritable(Connection to) {
        pump(to);
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        // The client knows how the exchange ended.
    }
}
