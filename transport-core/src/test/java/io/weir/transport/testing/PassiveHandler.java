package io.weir.transport.testing;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;

/** Takes everything that comes and does nothing; tests override what they care about. */
public class PassiveHandler implements ConnectionHandler {
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
    public void onClosed(Connection connection, CloseReason reason) {}
}
