package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.AllocationWindows;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.UntimedNode;
import org.junit.jupiter.api.Test;

/** Proves what a frame costs in steady state: no allocation, and a small share of a system call. */
@LiveTest
class HotPathLiveTest {
    private static final int BURST_FRAMES = 64;
    private static final int PAYLOAD_BYTES = 18;
    private static final int WARM_UP_FRAMES = 200_000;
    private static final int WINDOW_FRAMES = 100_000;
    private static final int WINDOWS = 8;
    /** After so many flushes a kernel that refused frames is asked again, whatever it has finished. */
    private static final int REFUSED_FLUSHES = 1_024;

    private static final int JUMBO_WARM_UP_FRAMES = 60_000;
    private static final int JUMBO_WINDOW_FRAMES = 20_000;
    private static final int JUMBO_PAYLOAD_BYTES = 8_972;

    @Test
    void steadyState_manyFramesOf9000Bytes_allocatesNothing() throws Exception {
        FramePool pool = new FramePool(4096, AfXdpInterface.slotBytes(9000));
        try (TwoHosts hosts = TwoHosts.create(link -> link.withMtuBytes(9000));
                AfXdp xdp = new AfXdp(pool)) {
            Traffic traffic = new Traffic(
                    xdp.open(Ports.host(hosts.a())
                            .ringSizes(RingSizes.ofAll(1024))
                            .build()),
                    xdp.open(Ports.host(hosts.b())
                            .ringSizes(RingSizes.ofAll(1024))
                            .build()),
                    pool,
                    UdpFrames.fromAToB(hosts),
                    JUMBO_PAYLOAD_BYTES);
            traffic.run(JUMBO_WARM_UP_FRAMES);
            AllocationWindows windows = AllocationWindows.of(WINDOWS, () -> traffic.run(JUMBO_WINDOW_FRAMES));
            traffic.drain();

            windows.requireNothingInSteadyState();
            assertEquals(traffic.sent, traffic.received);
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void steadyState_manyFrames_allocatesNothingAndSharesSystemCalls() throws Exception {
        FramePool pool = new FramePool(8192, 2048);
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            Traffic traffic = new Traffic(
                    xdp.open(Ports.host(hosts.a()).build()),
                    xdp.open(Ports.host(hosts.b()).build()),
                    pool,
                    UdpFrames.fromAToB(hosts),
                    PAYLOAD_BYTES);
            traffic.run(WARM_UP_FRAMES);
            AllocationWindows windows = AllocationWindows.of(WINDOWS, () -> traffic.run(WINDOW_FRAMES));
            traffic.drain();

            windows.requireNothingInSteadyState();
            assertEquals(traffic.sent, traffic.received);
            long calls = traffic.sender.nativeCallCount();
            assertTrue(calls <= traffic.flushes, calls + " system calls for " + traffic.flushes + " flushes");
            // One for each burst, one for each 32 frames that a kernel that had refused has finished; and flushes that
            // wait for a busy machine, however many they are, hardly add any.
            long callsMax = traffic.sent * 3 / 64 + traffic.flushes / REFUSED_FLUSHES;
            assertTrue(calls <= callsMax, calls + " system calls for " + traffic);
            long receiverCalls = traffic.receiver.nativeCallCount();
            assertTrue(receiverCalls <= 2, receiverCalls + " system calls to receive");
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    /** Bursts of frames from one port to the other, both driven by the calling thread. */
    private static final class Traffic implements UntimedNode {
        private final AfXdpPort sender;
        private final AfXdpPort receiver;
        private final FramePool pool;
        private final UdpFrames writer;
        private final int payloadBytes;
        private long sent;
        private long received;
        private long flushes;
        private final Deadline guard = Deadline.of("the next frame", this::toString);

        Traffic(AfXdpPort sender, AfXdpPort receiver, FramePool pool, UdpFrames writer, int payloadBytes) {
            this.sender = sender;
            this.receiver = receiver;
            this.pool = pool;
            this.writer = writer;
            this.payloadBytes = payloadBytes;
        }

        void run(int frames) {
            long target = received + frames;
            while (received < target) {
                guard.check();
                boolean hasRoom = sender.transmitCapacity() >= BURST_FRAMES && pool.available() >= BURST_FRAMES;
                for (int i = 0; hasRoom && i < BURST_FRAMES; i++) {
                    sender.transmit(writer.write(pool.allocate(), 128, payloadBytes, Ports.UDP_PORT, sent++));
                }
                sender.flush();
                flushes++;
                receiver.pollReceive(this, 0, 2 * BURST_FRAMES, 1);
            }
        }

        void drain() {
            while (received < sent) {
                guard.check();
                sender.flush();
                flushes++;
                receiver.pollReceive(this, 0, BURST_FRAMES, 1);
            }
        }

        @Override
        public String toString() {
            return sent + " frames sent, " + received + " received, " + flushes + " flushes, receiver: "
                    + receiver.statistics();
        }

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            received++;
            frame.release();
        }
    }
}
