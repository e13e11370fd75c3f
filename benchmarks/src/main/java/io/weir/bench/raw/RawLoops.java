package io.weir.bench.raw;

import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;

/** The jobs that move frames as fast as they go; each is the loop of a driver with nothing but the port in it. */
final class RawLoops {
    private static final int BATCH_FRAMES = 64;

    private RawLoops() {}

    static RawResult receive(AfXdpPort port, Span span) {
        RawNode node = new RawNode(null);
        long nowNanos = System.nanoTime();
        while (span.goesOn(node.frameCount(), port.nativeCallCount(), nowNanos)) {
            port.pollReceive(node, 0, BATCH_FRAMES, nowNanos);
            nowNanos = System.nanoTime();
        }
        return span.result(node.frameCount(), port.nativeCallCount(), nowNanos);
    }

    static RawResult transmit(AfXdpPort port, FramePool pool, int sizeBytes, Span span) {
        long frames = 0;
        long nowNanos = System.nanoTime();
        while (span.goesOn(frames, port.nativeCallCount(), nowNanos)) {
            if (port.transmitCapacity() >= BATCH_FRAMES && pool.available() >= BATCH_FRAMES) {
                for (int i = 0; i < BATCH_FRAMES; i++) {
                    Frame frame = pool.allocate();
                    frame.setExtent(TestFrames.OFFSET, sizeBytes);
                    port.transmit(frame);
                }
                frames += BATCH_FRAMES;
            }
            port.flush();
            nowNanos = System.nanoTime();
        }
        return span.result(frames, port.nativeCallCount(), nowNanos);
    }

    static RawResult forward(AfXdpPort in, AfXdpPort out, Span span) {
        RawNode node = new RawNode(out);
        long nowNanos = System.nanoTime();
        while (span.goesOn(node.frameCount(), calls(in, out), nowNanos)) {
            in.pollReceive(node, 0, Math.min(BATCH_FRAMES, out.transmitCapacity()), nowNanos);
            out.flush();
            nowNanos = System.nanoTime();
        }
        return span.result(node.frameCount(), calls(in, out), nowNanos);
    }

    private static long calls(AfXdpPort in, AfXdpPort out) {
        return in.nativeCallCount() + out.nativeCallCount();
    }
}
