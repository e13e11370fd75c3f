package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.DataHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Paces one flow at the rate that the oracle has for it now, and tells the oracle when it begins and ends: from the
 * first byte that waits to the time at which the last would have left at the flow's rate.
 */
final class IdealControl implements CongestionControl {

    private final FairShares shares;
    private final FairShares.Flow flow;
    private final int overheadBytes;
    private long endNanos = Deadline.NO_DEADLINE;
    private int frameBytes;

    IdealControl(FairShares shares, FlowContext context) {
        this.shares = shares;
        this.flow = shares.addFlow(context.path().localMac(), context.path().remoteMac());
        this.overheadBytes = context.dataWireBytesMax() - context.segmentBytesMax();
    }

    /** Something waits to be sent. */
    void onWanted() {
        endNanos = Deadline.NO_DEADLINE;
        shares.begin(flow);
    }

    /** What has just left was all. */
    void onDrained(long nowNanos) {
        endNanos = nowNanos + RateMath.serializationNanosCeil(frameBytes, shares.rateBps(flow));
    }

    @Override
    public long windowBytes() {
        return UNLIMITED_BYTES;
    }

    @Override
    public long rateBps() {
        return shares.rateBps(flow);
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long nowNanos) {
        frameBytes = DataHeader.riderBytes(buffer, at) + DataHeader.payloadBytes(buffer, at) + overheadBytes;
    }

    @Override
    public long nextTimeoutNanos() {
        return endNanos;
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (endNanos <= nowNanos) {
            endNanos = Deadline.NO_DEADLINE;
            shares.end(flow);
        }
    }

    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {}
}
