package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.scenario.workload.FlowPlan;
import org.agrona.DirectBuffer;

/** The sending end of a flow: keeps the send buffer full while it is on, and ends the stream after its last byte. */
final class FlowSource implements ConnectionHandler {
    /** A pausing flow leaves one byte to send, so that its last frame tells the receiver that nothing follows. */
    private static final int KEPT_BYTES = 1;

    private final Flow flow;
    private final FlowPlan plan;
    private final World world;
    private final Endpoints endpoints;
    private Connection connection;
    private long writtenBytes;
    private boolean isOn = true;
    private boolean isEnded;

    FlowSource(Flow flow, World world, Endpoints endpoints) {
        this.flow = flow;
        this.plan = flow.plan();
        this.world = world;
        this.endpoints = endpoints;
    }

    /** Opens the connection, with the first bytes in its buffer: the opening then asks for credits. */
    void start() {
        connection =
                endpoints.open(plan.source(), plan.destination(), plan.protocol(), this, new FlowSink(flow, world));
        if (connection == null) {
            flow.fail("NO_CONNECTION");
            return;
        }
        flow.onOpened(connection);
        pump();
        if (plan.schedule().offNanos() > 0) {
            after(plan.schedule().onNanos(), this::pause);
        }
    }

    private void after(long nanos, Runnable action) {
        int host = plan.source();
        world.at(world.nowNanos() + nanos, host, () -> world.whenRunning(host, action));
    }

    private void pause() {
        if (mayGoOn()) {
            isOn = false;
            writtenBytes -= connection.takeBackUnsent(KEPT_BYTES);
            after(plan.schedule().offNanos(), this::resume);
        }
    }

    private void resume() {
        if (mayGoOn()) {
            isOn = true;
            pump();
            after(plan.schedule().onNanos(), this::pause);
        }
    }

    /**
     * What has been ended cannot be taken back: a flow that pauses ends when all has arrived, at the next pause or
     * resumption.
     */
    private boolean mayGoOn() {
        if (!isEnded && flow.isComplete()) {
            end();
        }
        return !isEnded;
    }

    /** Ends the flow before its time. */
    void stop() {
        if (connection != null && !isEnded) {
            connection.takeBackUnsent(0);
            flow.onStopped(world.nowNanos());
            end();
        }
    }

    private void pump() {
        if (!isOn || isEnded) {
            return;
        }
        writtenBytes += ZeroBytes.write(connection, plan.bytes() - writtenBytes);
        if (writtenBytes == plan.bytes() && plan.schedule().offNanos() == 0) {
            end();
        }
    }

    private void end() {
        isEnded = true;
        connection.shutdownOutput();
    }

    @Override
    public void onConnected(Connection established) {
        flow.onSourceReady(established);
        pump();
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        return length;
    }

    @Override
    public void onEnd(Connection from) {
        // The receiver answers the end of the flow with its own.
    }

    @Override
    public void onWritable(Connection to) {
        pump();
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        isEnded = true;
        endpoints.forget(plan.destination(), from.path());
        flow.onSourceClosed(from, reason);
    }
}
