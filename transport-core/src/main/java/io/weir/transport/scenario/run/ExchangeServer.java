package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/** A server's end of one connection of an exchange or of calls: answers every request that is complete. */
final class ExchangeServer implements ConnectionHandler {
    private final long requestBytes;
    private final long responseBytes;
    private final ByteTally received;
    private final Consumer<Connection> established;
    private long askedBytes;
    private long unwrittenBytes;

    /**
     * Makes the server's end.
     *
     * @param received counts the bytes of requests
     * @param established is told of the connection
     */
    ExchangeServer(long requestBytes, long responseBytes, ByteTally received, Consumer<Connection> established) {
        this.requestBytes = requestBytes;
        this.responseBytes = responseBytes;
        this.received = received;
        this.established = established;
    }

    @Override
    public void onConnected(Connection connection) {
        established.accept(connection);
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        received.add(length);
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
