package io.weir.cli.perf;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A data connection that a client opens: says which stream it is for, then leaves it to the stream. */
final class OutgoingStream implements ConnectionHandler {
    private final TestSession session;
    private final int stream;

    OutgoingStream(TestSession session, int stream) {
        this.session = session;
        this.stream = stream;
    }

    private DataStream target() {
        return session.streams().get(stream);
    }

    @Override
    public void onConnected(Connection connection) {
        byte[] preface = Preface.data(session.spec().id(), stream).encoded();
        connection.write(new UnsafeBuffer(preface), 0, preface.length);
        session.attach(stream, connection);
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        return target().onData(connection, buffer, index, length);
    }

    @Override
    public void onEnd(Connection connection) {
        target().onEnd(connection);
    }

    @Override
    public void onWritable(Connection connection) {
        target().onWritable(connection);
    }

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        target().onClosed(connection, reason);
    }
}
