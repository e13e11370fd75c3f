package io.weir.transport.protocol.peers;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.reactive.ReactiveSender;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends like any flow with a rate, and lets its control know when there is something to send. One instance per flow.
 */
final class IdealSender implements SenderProtocol {
    private final IdealControl control;
    private final ReactiveSender sender;

    IdealSender(IdealControl control, FlowContext context) {
        this.control = control;
        this.sender = new ReactiveSender(control, context);
    }

    @Override
    public boolean maySend(long inFlightBytes, long nowNanos) {
        control.onWanted();
        return sender.maySend(inFlightBytes, nowNanos);
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long backlogBytes, long nowNanos) {
        sender.onSegment(buffer, at, backlogBytes, nowNanos);
        if (backlogBytes == 0) {
            control.onDrained(nowNanos);
        }
    }

    @Override
    public void onBacklog(ControlSink out, long nowNanos) {
        sender.onBacklog(out, nowNanos);
    }

    @Override
    public boolean understandsMarks() {
        return sender.understandsMarks();
    }

    @Override
    public void onAck(AckSample ack, long nowNanos) {
        sender.onAck(ack, nowNanos);
    }

    @Override
    public boolean onRetransmissionTimeout(long nowNanos) {
        return sender.onRetransmissionTimeout(nowNanos);
    }

    @Override
    public long nextTimeoutNanos() {
        return sender.nextTimeoutNanos();
    }

    @Override
    public void onTimeout(ControlSink out, boolean hasBacklog, long nowNanos) {
        sender.onTimeout(out, hasBacklog, nowNanos);
    }
}
