package io.weir.bench.path;

import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.runtime.Backend;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the DPDK port costs, on DPDK's net_ring: a device whose frames come back at once, so that nothing but the port
 * and two rings takes time. One thread; a frame of 1514 B is not touched.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
public class DpdkPortCost {
    private static final String DEVICE = "device=net_ring0;address=10.95.0.1/24;eal=--no-huge -m 512";
    private static final int BURST_FRAMES = 64;
    private static final int POOL_FRAMES = 8_192;
    private static final int OFFSET = 128;
    private static final int FRAME_BYTES = 1_514;

    private final Sink sink = new Sink();
    private NetPort port;
    private FramePool pool;

    /** Opens the device. */
    @Setup
    public void open() throws IOException {
        Backend.Opened opened = DpdkBackend.open(NetNamespace.own(), DEVICE, POOL_FRAMES);
        port = opened.netInterface().port();
        pool = opened.pool();
    }

    /** Gives the device back. */
    @TearDown
    public void close() {
        port.close();
    }

    /** A poll that finds nothing, as most polls of an idle loop: one native call. */
    @Benchmark
    public int emptyPoll() {
        return port.pollReceive(sink, 0, BURST_FRAMES, 0);
    }

    /** A frame that leaves alone and comes back: two native calls for one frame. */
    @Benchmark
    public long one() {
        return circulate(1);
    }

    /** A frame of a burst of 64 that leaves and comes back: two native calls for all. */
    @Benchmark
    @OperationsPerInvocation(BURST_FRAMES)
    public long burst() {
        return circulate(BURST_FRAMES);
    }

    private long circulate(int count) {
        if (port.transmitCapacity() < count) {
            throw new IllegalStateException("the device keeps frames: room for " + port.transmitCapacity());
        }
        for (int i = 0; i < count; i++) {
            Frame frame = pool.allocate();
            frame.setExtent(OFFSET, FRAME_BYTES);
            port.transmit(frame);
        }
        port.flush();
        port.pollReceive(sink, 0, BURST_FRAMES, 0);
        return sink.frameCount;
    }

    /** Counts frames and gives them back. */
    private static final class Sink implements UntimedNode {
        private long frameCount;

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frameCount++;
            frame.release();
        }
    }
}
