package io.weir.bench.raw;

import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Sends one frame, spins until its echo is there, and notes how long that took. */
final class PingLoop {
    private static final int SAMPLES_MAX = 1 << 22;
    private static final long LOST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AfXdpPort port;
    private final FramePool pool;
    private final int sizeBytes;
    private final double seconds;
    private final int[] samples = new int[SAMPLES_MAX];
    private int sampleCount;

    PingLoop(AfXdpPort port, FramePool pool, int sizeBytes, double seconds) {
        this.port = port;
        this.pool = pool;
        this.sizeBytes = sizeBytes;
        this.seconds = seconds;
    }

    RawResult run() {
        RawNode node = new RawNode(null);
        long startNanos = System.nanoTime();
        long endNanos = startNanos + Span.WARM_UP_NANOS + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        for (long sentNanos = startNanos; sentNanos - endNanos < 0; sentNanos = System.nanoTime()) {
            long answers = node.frameCount();
            send();
            long nowNanos = sentNanos;
            while (node.frameCount() == answers && nowNanos - sentNanos < LOST_NANOS) {
                port.pollReceive(node, 0, 1, nowNanos);
                nowNanos = System.nanoTime();
            }
            boolean counts = sentNanos - startNanos >= Span.WARM_UP_NANOS && sampleCount < SAMPLES_MAX;
            if (counts && node.frameCount() > answers) {
                samples[sampleCount++] = (int) (nowNanos - sentNanos);
            }
        }
        return result();
    }

    private void send() {
        if (port.transmitCapacity() > 0) {
            Frame frame = pool.allocate();
            frame.setExtent(TestFrames.OFFSET, sizeBytes);
            port.transmit(frame);
            port.flush();
        }
    }

    private RawResult result() {
        Arrays.sort(samples, 0, sampleCount);
        return RawResult.ofRoundTrips(sampleCount, at(500), at(990), at(999));
    }

    private long at(int perMille) {
        return sampleCount == 0 ? 0 : samples[(int) ((long) sampleCount * perMille / 1000)];
    }
}
