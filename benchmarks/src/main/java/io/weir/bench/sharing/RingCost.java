package io.weir.bench.sharing;

import io.weir.nic.NicException;
import io.weir.nic.broker.Bell;
import io.weir.nic.broker.RegionLayout;
import io.weir.nic.broker.RegionPort;
import io.weir.nic.broker.SharedRegion;
import io.weir.nic.ffi.Libc;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.runtime.MemoryLink;
import java.util.Arrays;

/** What a frame costs that goes into a shared ring and out of it, by one thread: the processor time of a hop. */
final class RingCost implements UntimedNode {
    private static final int RUNS = 9;
    private static final int FRAMES = 1_000_000;
    private static final int BURST = 16;
    private static final int POOL_FRAMES = 256;
    private static final int SLOT_BYTES = 1_600;

    private final FramePool pool = new FramePool(POOL_FRAMES, SLOT_BYTES);

    /** {@return nanoseconds per frame of this length: the median of nine runs, after as many} */
    static double nanos(int frameBytes) throws NicException {
        RingCost cost = new RingCost();
        RegionLayout layout = new RegionLayout(2_048, 1_514);
        int memory = SharedRegion.create(layout);
        int[] bells = Bell.pair();
        RegionPort near = cost.port(layout, memory, bells[0], 0);
        RegionPort far = cost.port(layout, memory, bells[1], 1);
        Libc.close(memory);
        try (near;
                far) {
            double[] nanos = new double[2 * RUNS];
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = cost.run(near, far, frameBytes);
            }
            double[] measured = Arrays.copyOfRange(nanos, RUNS, nanos.length);
            Arrays.sort(measured);
            return measured[RUNS / 2];
        }
    }

    private RegionPort port(RegionLayout layout, int memory, int bell, int side) throws NicException {
        return new RegionPort(
                MemoryLink.info("ring", 0, 1_500, 0), pool, SharedRegion.map(layout, memory), new Bell(bell), side);
    }

    private double run(RegionPort near, RegionPort far, int frameBytes) {
        long startNanos = System.nanoTime();
        for (int i = 0; i < FRAMES; i += BURST) {
            for (int j = 0; j < BURST; j++) {
                Frame frame = pool.allocate();
                frame.setExtent(0, frameBytes);
                near.transmit(frame);
            }
            near.flush();
            far.pollReceive(this, 0, BURST, 0);
        }
        return (System.nanoTime() - startNanos) / (double) FRAMES;
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        frame.release();
    }
}
