package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.testing.AllocationWindows;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.StampSources;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Datagram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests {@link DpdkPort}: alone on a ring in memory, which gives back what it is given, and with testpmd as a mirror.
 */
@DpdkTest
class DpdkPortLiveTest {
    private static final int FRAMES = 8192;
    private static final int BURST_FRAMES = 64;
    private static final int PAYLOAD_BYTES = 100;
    private static final int UDP_PORT = 9000;
    private static final String TAP = "weirtap1";
    private static final long MAC = 0x02_00_00_00_00_01L;

    private final UdpFrames writer = new UdpFrames(MAC, "10.94.0.1", MAC, "10.94.0.2");
    private final SinkNode sink = new SinkNode();
    private long sent;
    /** Null when there is none. */
    private DpdkPort opened;

    @Test
    void ring_frames_comeBackUnchangedInTheSameMemory() throws Exception {
        DpdkPort port = open("device=net_ring0");
        FramePool pool = port.pool();
        int available = pool.available();
        Frame frame = write(pool.allocate());
        port.transmit(frame);
        port.flush();
        await(port, 1);
        Frame back = sink.poll();
        assertEquals(frame, back, "the frame was copied");
        assertEquals(UdpFrames.HEADER_BYTES + PAYLOAD_BYTES, back.length());
        assertEquals(sent - 1, UdpFrames.mark(back));
        back.release();
        assertTrue(available - pool.available() <= BURST_FRAMES, "frames are gone");
        close(port);
    }

    @Test
    void burst_inSteadyState_allocatesNothingAndIsOneCallEachWay() throws Exception {
        DpdkPort port = open("device=net_ring0");
        Deadline guard = Deadline.of("the next frame", () -> sink.frameCount() + " of " + sent);
        Runnable window = () -> {
            for (int i = 0; i < 100; i++) {
                for (int j = 0; j < BURST_FRAMES; j++) {
                    port.transmit(write(port.pool().allocate()));
                }
                port.flush();
                while (sink.frameCount() < sent) {
                    guard.check();
                    port.pollReceive(sink, 0, BURST_FRAMES, 1);
                }
                sink.releaseAll();
            }
        };
        for (int i = 0; i < 200; i++) {
            window.run();
        }
        long calls = port.nativeCallCount();
        long sentBefore = sent;
        AllocationWindows.of(9, window).requireNothingInSteadyState();
        assertEquals(2 * (sent - sentBefore) / BURST_FRAMES, port.nativeCallCount() - calls);
        assertEquals(0, port.statistics().copiedFrames());
        assertEquals(0, port.poolEmptyCount());
        close(port);
    }

    @Test
    void pool_framesHeldForLong_areNotLackedByTheDriver() throws Exception {
        DpdkPort port = open("device=net_ring0");
        FramePool pool = port.pool();
        // A Node keeps what it was handed: the slots that go back to the driver are others.
        for (int burst = 0; burst < 40; burst++) {
            for (int i = 0; i < BURST_FRAMES; i++) {
                port.transmit(write(pool.allocate()));
            }
            port.flush();
            await(port, sent);
        }
        int total = 0;
        for (FrameOwner owner : FrameOwner.values()) {
            total += pool.count(owner);
        }
        assertEquals(FRAMES, total);
        assertEquals(40 * BURST_FRAMES, sink.frameCount());
        sink.releaseAll();
        close(port);
    }

    @Test
    void close_framesInEveryPlace_givesAllOfThemBack() throws Exception {
        DpdkPort port = open("device=net_ring0");
        FramePool pool = port.pool();
        for (int i = 0; i < BURST_FRAMES; i++) {
            port.transmit(write(pool.allocate()));
        }
        port.flush();
        // These are not flushed.
        port.transmit(write(pool.allocate()));
        close(port);
    }

    @Test
    void testpmd_asAMirror_givesBackEveryFrame(@TempDir Path directory) throws Exception {
        String socket = "weir-mirror-" + ProcessHandle.current().pid();
        Path log = directory.resolve("testpmd.log");
        Process mirror = new ProcessBuilder(List.of(
                        "dpdk-testpmd",
                        "--no-huge",
                        "-m",
                        "256",
                        "--no-pci",
                        "--no-telemetry",
                        "--no-shconf",
                        "--iova-mode=va",
                        "--file-prefix=" + socket,
                        "--vdev=net_memif0,role=server,id=0,socket=" + socket,
                        "-l",
                        "0,1",
                        "--",
                        "--port-topology=loop",
                        "--forward-mode=io",
                        "--total-num-mbufs=8192",
                        "--stats-period=1"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            // DPDK's memif server panics where a client comes and goes while it starts.
            Deadline.await("testpmd to forward", () -> {
                assertTrue(mirror.isAlive(), () -> "testpmd has ended: " + text(log));
                return text(log).contains("Port statistics");
            });
            DpdkPort port = open("device=net_memif0,role=client,id=0,socket=" + socket);
            Deadline.await("the link", () -> {
                // The link is asked for ten times per second of the time that is told.
                port.pollReceive(sink, 0, BURST_FRAMES, System.nanoTime());
                assertTrue(mirror.isAlive(), () -> "testpmd has ended: " + text(log));
                return port.failure() == null && port.transmitCapacity() == BURST_FRAMES;
            });
            for (int burst = 0; burst < 200; burst++) {
                for (int i = 0; i < BURST_FRAMES; i++) {
                    port.transmit(write(port.pool().allocate()));
                }
                Deadline.await("all frames of a burst to leave", () -> {
                    port.flush();
                    return port.transmitCapacity() == BURST_FRAMES;
                });
                await(port, sent);
                assertEquals(sent - 1, sink.lastMark());
                sink.releaseAll();
            }
            assertNull(port.failure());
            assertEquals(200 * BURST_FRAMES, port.statistics().receivedFrames());
            close(port);
        } finally {
            mirror.destroy();
            mirror.waitFor();
            Files.deleteIfExists(Path.of("/var/run/dpdk", socket));
        }
    }

    private Frame write(Frame frame) {
        return writer.write(frame, 0, PAYLOAD_BYTES, UDP_PORT, sent++);
    }

    @Test
    void tap_udpChecksums_areMadeAndCheckedByTheDevice() throws Exception {
        DpdkPort port = open("device=net_tap0,iface=" + TAP);
        assertEquals("net_tap, makes and checks UDP checksums", port.info().mode());
        assertFalse(port.info().needsDataChecksums());
        assertEquals(
                0, new ProcessBuilder("ip", "link", "set", TAP, "up").start().waitFor());
        FramePool pool = new FramePool(1_024, 2_048);
        SinkNode kernelSink = new SinkNode();
        Datagram datagram = new Datagram();
        try (NetPort kernel = PacketBackend.openForSwitch(NetNamespace.own(), TAP, pool)) {
            for (int i = 0; i < BURST_FRAMES; i++) {
                port.transmit(write(port.pool().allocate()));
            }
            for (int i = 0; i < BURST_FRAMES; i++) {
                Frame frame = next(port, kernel, kernelSink, kernelSink, i);
                assertNull(datagram.parse(frame), "frame " + i);
                assertTrue(datagram.hasUdpChecksum(), "frame " + i);
                kernel.transmit(frame);
            }
            for (int i = 0; i < BURST_FRAMES; i++) {
                Frame back = next(port, kernel, kernelSink, sink, i);
                assertTrue(back.isUdpChecked(), "frame " + i);
                assertNull(datagram.parse(back), "frame " + i);
                back.release();
            }
            Frame damaged = write(pool.allocate());
            damaged.buffer().putShort(UdpFrames.HEADER_BYTES - Short.BYTES, (short) 1);
            kernel.transmit(damaged);
            Frame back = next(port, kernel, kernelSink, sink, sent - 1);
            assertFalse(back.isUdpChecked());
            assertEquals(CounterId.DROP_CHECKSUM, datagram.parse(back));
            back.release();
            kernelSink.releaseAll();
        }
        close(port);
    }

    /** As between two machines of one host: no device on the way makes the checksum that was left to it. */
    @Test
    void virtio_checksumsLeftToTheOtherEnd_areCompleted(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("vhost");
        DpdkPort host = open("device=net_vhost0,iface=" + socket);
        FramePool pool = new FramePool(1, 2_048);
        Datagram datagram = new Datagram();
        try {
            DpdkPort guest = open("device=net_virtio_user0,path=" + socket);
            for (DpdkPort[] ends : new DpdkPort[][] {{guest, host}, {host, guest}}) {
                ends[0].transmit(write(ends[0].pool().allocate()));
                long wanted = sink.frameCount() + 1;
                Deadline.await("the frame", () -> {
                    ends[0].flush();
                    ends[0].pollReceive(sink, 0, BURST_FRAMES, 1);
                    ends[1].pollReceive(sink, 0, BURST_FRAMES, 1);
                    return sink.frameCount() >= wanted;
                });
                Frame back = sink.poll();
                assertTrue(back.isUdpChecked(), ends[1].info()::name);
                // A copy, as a switch makes, has no note of that: the checksum itself must be right.
                Frame copy = pool.allocate();
                copy.setExtent(0, back.length());
                copy.buffer().putBytes(0, back.buffer(), back.offset(), back.length());
                assertNull(datagram.parse(copy), ends[1].info()::name);
                assertTrue(datagram.hasUdpChecksum(), ends[1].info()::name);
                copy.release();
                back.release();
                sink.releaseAll();
            }
            close(guest);
        } finally {
            opened = null;
            host.close();
        }
    }

    @Test
    void pcap_stamps_areTheDriversByTheClockOfPolls(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("frames.pcap");
        long[] cameMicros = {0, 500_000, 1_100_000, 1_100_100, 1_100_250, 1_100_251};
        writeCapture(file, cameMicros);
        DpdkPort port = openHost("device=net_pcap0,rx_pcap=" + file + ";address=10.94.0.2/24");
        assertEquals(
                StampSources.Source.KERNEL,
                port.info().stamps().receive(),
                port.info().stamps()::line);
        // One frame a poll, each poll later than the frame by another time; the unit is known from the third frame on.
        long[] lateNanos = {0, 3_000, 4_000, 9_000, 4_500, 5_000};
        long[] stampNanos = new long[cameMicros.length];
        for (int i = 0; i < cameMicros.length; i++) {
            assertEquals(1, port.pollReceive(sink, 0, 1, 1_000_000 + 1_000 * cameMicros[i] + lateNanos[i]));
            Frame frame = sink.poll();
            assertEquals(i, UdpFrames.mark(frame));
            stampNanos[i] = frame.stampNanos(-1) < 0 ? -1 : frame.stampNanos(-1) - 1_000_000;
            frame.release();
        }
        // The least lateness stays in the distance between the clocks.
        assertArrayEquals(new long[] {-1, -1, 1_100_004_000, 1_100_104_000, 1_100_254_000, 1_100_255_000}, stampNanos);
        assertEquals(4, port.stampedCount());
        assertEquals(2, port.unstampedCount());
        close(port);
    }

    /** Frames with these times, in the format of libpcap. */
    private void writeCapture(Path file, long[] cameMicros) throws IOException {
        int length = UdpFrames.HEADER_BYTES + PAYLOAD_BYTES;
        ByteBuffer out =
                ByteBuffer.allocate(24 + cameMicros.length * (16 + length)).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(0xA1B2C3D4)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65_535)
                .putInt(1);
        FramePool pool = new FramePool(1, 2_048);
        for (long micros : cameMicros) {
            long since = 1_700_000_000_000_000L + micros;
            out.putInt((int) (since / 1_000_000))
                    .putInt((int) (since % 1_000_000))
                    .putInt(length)
                    .putInt(length);
            Frame frame = write(pool.allocate());
            frame.buffer().getBytes(frame.offset(), out, length);
            frame.release();
        }
        Files.write(file, out.array());
    }

    /** {@return the frame with this mark that comes to one of the two sinks; the kernel's own are thrown away} */
    private static Frame next(DpdkPort port, NetPort kernel, SinkNode kernelSink, SinkNode at, long mark)
            throws Exception {
        Frame[] found = new Frame[1];
        Deadline.await("frame " + mark, () -> {
            port.flush();
            kernel.flush();
            kernel.pollReceive(kernelSink, 0, BURST_FRAMES, 1);
            if (at != kernelSink) {
                port.pollReceive(at, 0, BURST_FRAMES, 1);
            }
            for (Frame frame = at.poll(); frame != null; frame = at.poll()) {
                if (frame.length() == UdpFrames.HEADER_BYTES + PAYLOAD_BYTES && UdpFrames.mark(frame) == mark) {
                    found[0] = frame;
                    return true;
                }
                frame.release();
            }
            return false;
        });
        return found[0];
    }

    private void await(DpdkPort port, long count) throws Exception {
        Deadline.await(count + " frames", () -> {
            port.flush();
            port.pollReceive(sink, 0, BURST_FRAMES, 1);
            return sink.frameCount() >= count;
        });
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DpdkPort open(String device) throws Exception {
        DpdkConfig config = DpdkConfig.parse(device + ";eal=" + DpdkTest.EAL);
        opened = DpdkLink.open(config, 1, FRAMES, null).get(0);
        return opened;
    }

    private DpdkPort openHost(String device) throws Exception {
        DpdkConfig config = DpdkConfig.parse(device + ";eal=" + DpdkTest.EAL);
        opened = DpdkLink.open(config, 1, FRAMES, new NeighbourTable(Map.of())).get(0);
        return opened;
    }

    /** The process has one EAL: a device that a failed test leaves open would be in the way of every test after it. */
    @AfterEach
    void closeWhatIsOpen() {
        if (opened != null) {
            opened.close();
        }
    }

    private void close(DpdkPort port) {
        opened = null;
        sink.releaseAll();
        port.close();
        assertEquals(FRAMES, port.pool().available());
    }
}
