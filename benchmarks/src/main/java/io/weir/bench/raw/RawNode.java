package io.weir.bench.raw;

import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;

/** A Node that counts frames and passes them on at once, or drops them. */
final class RawNode implements Node {
    private final AfXdpPort output;
    private long frameCount;

    /** Passes frames on by {@code output}, or drops them when that is null. */
    RawNode(AfXdpPort output) {
        this.output = output;
    }

    /** {@return how many frames came} */
    long frameCount() {
        return frameCount;
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        frameCount++;
        if (output == null) {
            frame.release();
        } else {
            output.transmit(frame);
        }
    }

    @Override
    public void onTimeout(long nowNanos) {}

    @Override
    public long nextTimeoutNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    public Egress egress(int portIndex) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int portCount() {
        return 1;
    }

    @Override
    public void onPause(long pauseNanos, long nowNanos) {}
}
