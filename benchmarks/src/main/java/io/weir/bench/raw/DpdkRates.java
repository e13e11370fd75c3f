package io.weir.bench.raw;

import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.ffi.Libc;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.runtime.Backend;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * {@code dpdk receive|transmit|forward|circulate|loop SECONDS BYTES [--core=N] DEVICE [DEVICE]}: moves frames by DPDK
 * on the calling thread as fast as they go, and prints the rate, of the time that passed and of the time that the
 * thread had a core. {@code forward} sends back what comes; {@code circulate} does so by both devices, of which each is
 * the other's other end, with frames that it sends first. {@code loop} sends bursts by the first device and receives
 * them by the last.
 */
public final class DpdkRates {
    private static final int FRAMES = 8192;
    private static final int BATCH_FRAMES = 64;
    /** What is printed when the warm-up is over. */
    static final String BEGINS = "BEGIN";

    static final String CORE_OPTION = "--core=";
    private static final int OFFSET = 128;
    /** The headers of a datagram between two addresses that no host has, as testpmd's. */
    private static final int HEADER_BYTES = 42;

    private static final long WARM_UP_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);
    /** How many times as long as the measurement the warm-up is, if that is less. */
    private static final int WARM_UP_RUNS = 3;

    private final Backend.Opened first;
    private final Backend.Opened last;
    private final Counter counter = new Counter();
    private final Echo echo;
    private final Echo farEcho;
    /** Bursts that either end still sends before it only sends back. */
    private int burstsToSend = Testpmd.FIRST_BURSTS;

    private final UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_BYTES]);
    private long sent;

    private DpdkRates(Backend.Opened first, Backend.Opened last) {
        this.first = first;
        this.last = last;
        this.farEcho = new Echo(first.netInterface().port());
        this.echo = new Echo(last.netInterface().port());
    }

    /** Runs one measurement. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 4) {
            throw new IllegalArgumentException(
                    "give receive, transmit, forward, circulate or loop, seconds, bytes, a device (docs/DPDK.md)");
        }
        int devicesAt = 3;
        if (arguments[devicesAt].startsWith(CORE_OPTION)) {
            Libc.pinThread(Integer.parseInt(arguments[devicesAt++].substring(CORE_OPTION.length())));
        }
        String job = arguments[0];
        long runNanos = (long) (Double.parseDouble(arguments[1]) * TimeUnit.SECONDS.toNanos(1));
        int sizeBytes = Integer.parseInt(arguments[2]);
        Backend.Opened first = open(arguments[devicesAt]);
        Backend.Opened last = arguments.length > devicesAt + 1 ? open(arguments[devicesAt + 1]) : first;
        try (NetPort from = first.netInterface().port();
                NetPort to = last.netInterface().port()) {
            DpdkRates rates = new DpdkRates(first, last);
            rates.writeHeader(sizeBytes);
            rates.run(job, sizeBytes, Math.min(WARM_UP_NANOS_MAX, WARM_UP_RUNS * runNanos));
            System.out.println(BEGINS);
            long framesBefore = rates.frames(job);
            long coreBefore = coreNanos();
            long startNanos = System.nanoTime();
            rates.run(job, sizeBytes, runNanos);
            long frames = rates.frames(job) - framesBefore;
            long nanos = System.nanoTime() - startNanos;
            long onCoreNanos = coreNanos() - coreBefore;
            System.out.println("RESULT frames=" + frames + " nanos=" + nanos + " oncore=" + onCoreNanos);
            System.out.printf(
                    Locale.ROOT,
                    "%s %d B from %s to %s: %,d frames, %.2f Mpps, %.2f Mpps of core time%n",
                    job,
                    sizeBytes,
                    from.info().name(),
                    to.info().name(),
                    frames,
                    frames * 1e3 / nanos,
                    frames * 1e3 / onCoreNanos);
        }
    }

    private void writeHeader(int sizeBytes) {
        int ipBytes = sizeBytes - 14;
        header.putLong(0, 0x0200_0000_0000_0200L, ByteOrder.BIG_ENDIAN);
        header.putInt(8, 1, ByteOrder.BIG_ENDIAN);
        header.putInt(12, 0x0800_4500, ByteOrder.BIG_ENDIAN);
        header.putInt(16, ipBytes << 16, ByteOrder.BIG_ENDIAN);
        header.putInt(20, 0x4011, ByteOrder.BIG_ENDIAN);
        header.putInt(26, 0xC612_0001, ByteOrder.BIG_ENDIAN);
        header.putInt(30, 0xC612_0002, ByteOrder.BIG_ENDIAN);
        header.putShort(24, (short) ~sumOfHeader(), ByteOrder.BIG_ENDIAN);
        header.putInt(34, 0x0009_0009, ByteOrder.BIG_ENDIAN);
        header.putInt(38, (ipBytes - 20) << 16, ByteOrder.BIG_ENDIAN);
    }

    private int sumOfHeader() {
        int sum = 0;
        for (int at = 14; at < 34; at += Short.BYTES) {
            sum += header.getShort(at, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        }
        return (sum & 0xFFFF) + (sum >>> 16);
    }

    private static Backend.Opened open(String device) throws IOException {
        return DpdkBackend.open(NetNamespace.own(), device, FRAMES);
    }

    private static long coreNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private long frames(String job) {
        return switch (job) {
            case "transmit" -> sent;
            case "forward", "circulate" -> echo.frameCount;
            default -> counter.frameCount;
        };
    }

    private void run(String job, int sizeBytes, long nanos) {
        NetPort from = first.netInterface().port();
        NetPort to = last.netInterface().port();
        long startNanos = System.nanoTime();
        for (long nowNanos = startNanos; nowNanos - startNanos < nanos; nowNanos = System.nanoTime()) {
            switch (job) {
                case "receive" -> to.pollReceive(counter, 0, BATCH_FRAMES, nowNanos);
                case "transmit" -> transmit(sizeBytes, nowNanos);
                case "forward" -> {
                    to.pollReceive(echo, 0, to.transmitCapacity(), nowNanos);
                    to.flush();
                }
                case "circulate" -> {
                    if (burstsToSend > 0 && from.failure() == null && to.failure() == null) {
                        burstsToSend--;
                        transmit(first, sizeBytes);
                        transmit(last, sizeBytes);
                    }
                    from.pollReceive(farEcho, 0, from.transmitCapacity(), nowNanos);
                    from.flush();
                    to.pollReceive(echo, 0, to.transmitCapacity(), nowNanos);
                    to.flush();
                }
                case "loop" -> {
                    transmit(sizeBytes, nowNanos);
                    to.pollReceive(counter, 0, BATCH_FRAMES, nowNanos);
                }
                default ->
                    throw new IllegalArgumentException(
                            job
                                    + " is none of receive, transmit, forward, circulate, loop; docs/DPDK.md describes devices");
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
        sent += transmit(first, sizeBytes);
    }

    /** {@return how many frames were sent} */
    private int transmit(Backend.Opened end, int sizeBytes) {
        NetPort port = end.netInterface().port();
        FramePool pool = end.pool();
        int room = Math.min(port.transmitCapacity(), pool.available());
        for (int i = 0; i < room; i++) {
            Frame frame = pool.allocate();
            frame.setExtent(OFFSET, sizeBytes);
            frame.buffer().putBytes(OFFSET, header, 0, HEADER_BYTES);
            port.transmit(frame);
        }
        port.flush();
        return room;
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

    /** A Node that sends frames back. */
    private static final class Echo implements UntimedNode {
        private final NetPort port;
        private long frameCount;

        Echo(NetPort port) {
            this.port = port;
        }

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frameCount++;
            port.transmit(frame);
        }
    }
}
