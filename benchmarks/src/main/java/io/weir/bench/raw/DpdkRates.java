package io.weir.bench.raw;

import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.runtime.Backend;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * {@code dpdk receive|transmit|loop SECONDS BYTES DEVICE [DEVICE]}: moves frames by DPDK on the calling thread as fast
 * as they go, and prints the rate, of the time that passed and of the time that the thread had a core. {@code loop}
 * sends bursts by the first device and receives them by the last.
 */
public final class DpdkRates {
    private static final int FRAMES = 8192;
    private static final int BATCH_FRAMES = 64;
    private static final int OFFSET = 128;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Backend.Opened first;
    private final Backend.Opened last;
    private final Counter counter = new Counter();
    private long sent;

    private DpdkRates(Backend.Opened first, Backend.Opened last) {
        this.first = first;
        this.last = last;
    }

    /** Runs one measurement. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 4) {
            throw new IllegalArgumentException(
                    "give receive, transmit or loop, seconds, bytes, a device (docs/DPDK.md)");
        }
        String job = arguments[0];
        long runNanos = (long) (Double.parseDouble(arguments[1]) * TimeUnit.SECONDS.toNanos(1));
        int sizeBytes = Integer.parseInt(arguments[2]);
        Backend.Opened first = open(arguments[3]);
        Backend.Opened last = arguments.length > 4 ? open(arguments[4]) : first;
        try (NetPort from = first.netInterface().port();
                NetPort to = last.netInterface().port()) {
            DpdkRates rates = new DpdkRates(first, last);
            rates.run(job, sizeBytes, WARM_UP_NANOS);
            long framesBefore = rates.frames(job);
            long coreBefore = coreNanos();
            long startNanos = System.nanoTime();
            rates.run(job, sizeBytes, runNanos);
            long frames = rates.frames(job) - framesBefore;
            System.out.printf(
                    Locale.ROOT,
                    "%s %d B from %s to %s: %,d frames, %.2f Mpps, %.2f Mpps of core time%n",
                    job,
                    sizeBytes,
                    from.info().name(),
                    to.info().name(),
                    frames,
                    frames * 1e3 / (System.nanoTime() - startNanos),
                    frames * 1e3 / (coreNanos() - coreBefore));
        }
    }

    private static Backend.Opened open(String device) throws IOException {
        return DpdkBackend.open(NetNamespace.own(), device, FRAMES);
    }

    private static long coreNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private long frames(String job) {
        return job.equals("transmit") ? sent : counter.frameCount;
    }

    private void run(String job, int sizeBytes, long nanos) {
        long startNanos = System.nanoTime();
        for (long nowNanos = startNanos; nowNanos - startNanos < nanos; nowNanos = System.nanoTime()) {
            if (!job.equals("receive")) {
                transmit(sizeBytes, nowNanos);
            }
            if (!job.equals("transmit")) {
                last.netInterface().port().pollReceive(counter, 0, BATCH_FRAMES, nowNanos);
            }
        }
    }

    /** Polls too where nobody else does: that takes sent frames back. */
    @SuppressWarnings("ReferenceEquality")
    private void transmit(int sizeBytes, long nowNanos) {
        NetPort port = first.netInterface().port();
        FramePool pool = first.pool();
        if (pool.available() < BATCH_FRAMES || first != last) {
            port.pollReceive(counter, 0, BATCH_FRAMES, nowNanos);
        }
        int room = Math.min(port.transmitCapacity(), pool.available());
        for (int i = 0; i < room; i++) {
            Frame frame = pool.allocate();
            frame.setExtent(OFFSET, sizeBytes);
            port.transmit(frame);
        }
        sent += room;
        port.flush();
    }

    /** A Node that counts frames and gives them back. */
    private static final class Counter implements UntimedNode {
        private long frameCount;

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frameCount++;
            frame.release();
        }
    }
}
