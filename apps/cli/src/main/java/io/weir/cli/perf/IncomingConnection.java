package io.weir.cli.perf;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import java.util.function.BiFunction;
import org.agrona.DirectBuffer;

/** A connection that came to a server: reads its purpose, then hands it to its owner. */
final class IncomingConnection implements ConnectionHandler {
    private final BiFunction<Preface, Connection, ConnectionHandler> router;
    private ConnectionHandler target;

    /**
     * Creates the handler of one connection.
     *
     * @param router tells who has the connection from its preface on, or null for nobody
     */
    IncomingConnection(BiFunction<Preface, Connection, ConnectionHandler> router) {
        this.router = router;
    }

    @Override
    public void onConnected(Connection connection) {
        // The client speaks first.
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        if (target != null) {
            return target.onData(connection, buffer, index, length);
        }
        if (length < Preface.BYTES) {
            return 0;
        }
        Preface preface = Preface.decode(buffer, index);
        target = preface == null ? null : router.apply(preface, connection);
        if (target == null) {
            connection.abort();
            return length;
        }
        int rest = length - Preface.BYTES;
        return Preface.BYTES + (rest == 0 ? 0 : target.onData(connection, buffer, index + Preface.BYTES, rest));
    }

    @Override
    public void onEnd(Connection connection) {
        if (target == null) {
            connection.abort();
        } else {
            target.onEnd(connection);
        }
    }

    @Override
    public void onWritable(Connection connection) {
        if (target != null) {
            target.onWritable(connection);
        }
    }

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        if (target != null) {
            target.onClosed(connection, reason);
        }
    }
}
