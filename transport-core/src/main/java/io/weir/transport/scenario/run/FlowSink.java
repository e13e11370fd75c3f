package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;

/** The receiving end of a flow: counts, and ends its own stream when the sender's has ended. */
final class FlowSink implements ConnectionHandler {
    private final Flow flow;
    private final World world;

    FlowSink(Flow flow, World world) {
        this.flow = flow;
        this.world = world;
    }

    @Override
    public void onConnected(Connection connection) {
        flow.onSinkReady(connection.creditLedger());
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        flow.deliver(length, world.nowNanos());
        return length;
    }

    @Override
    public void onEnd(Connection from) {
        from.shutdownOutput();
    }

    @Override
    public void onWritable(Connection to) {
        // Nothing is sent this way.
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        // The sender knows how the flow ended.
    }
}
