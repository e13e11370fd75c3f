package io.weir.bench.raw;

import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.frame.Frame;
import io.weir.transport.node.UntimedNode;

/** A Node that counts frames and passes them on at once, or drops them. */
final class RawNode implements UntimedNode {
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
}
