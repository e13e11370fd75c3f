package io.weir.nic.packet;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.host.HostInterface;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.AllocationWindows;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link PacketPort} between two namespaces. */
@LiveTest
class PacketPortLiveTest {
    private static final int PORT = 9000;
    private static final int BURST_FRAMES = 64;
    private static final int PAYLOAD_BYTES = 100;

    private final FramePool pool = new FramePool(4096, 2048);
    private final SinkNode sink = new SinkNode();
    private TwoHosts hosts;
    private PacketPort a;
    private PacketPort b;
    private UdpFrames writer;
    private long sent;

    @BeforeEach
    void open() throws NicException {
        hosts = TwoHosts.create(TwoHosts::withoutIpv6);
        a = port(hosts.a());
        b = port(hosts.b());
        writer = UdpFrames.fromAToB(hosts);
    }

    private PacketPort port(NetNamespace namespace) throws NicException {
        return PacketPort.open(new HostInterface.Plan(namespace, TwoHosts.facts(namespace), List.of(), false), pool);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        hosts.close();
        sink.releaseAll();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void poll_portTaken_handsOverItsFramesUnchangedAndNoOthers() throws Exception {
        b.addPort(addressOfB(), PORT);
        send(1, PORT + 1);
        send(1000, PORT);
        receive(1000);
        assertEquals(sent - 1, sink.lastMark());
        Frame first = sink.poll();
        assertEquals(UdpFrames.HEADER_BYTES + PAYLOAD_BYTES, first.length());
        first.release();
        assertEquals(0, b.malformedCount());
    }

    @Test
    void poll_priorityTag_handsOverTheFrameWithoutIt() throws Exception {
        b.addPort(addressOfB(), PORT);
        byte[] untagged = sendTagged(0x8100, 0x6000);
        receive(1);
        assertArrayEquals(untagged, bytesOf(sink.poll()));
        // Of VLAN 5, which is another network.
        sendTagged(0x8100, 0x6005);
        sendTagged(0x88A8, 0xE000);
        receive(2);
        assertArrayEquals(untagged, bytesOf(sink.poll()));
        assertEquals(0, b.malformedCount());
    }

    @ParameterizedTest
    @CsvSource({"0x8100, 0x6000", "0x8100, 0x6005", "0x88A8, 0x0FFE"})
    void poll_portOfASwitchAndAnyTag_handsOverTheFrameWithIt(String type, String control) throws Exception {
        close();
        hosts = TwoHosts.create(link -> {
            LabLink plain = TwoHosts.withoutIpv6(link);
            return plain.withEnds(plain.left(), new LabEnd(plain.right().namespace(), TwoHosts.INTERFACE));
        });
        a = port(hosts.a());
        b = PacketPort.openForSwitch(hosts.b(), TwoHosts.INTERFACE, pool);
        writer = UdpFrames.fromAToB(hosts);
        byte[] untagged = sendTagged(Integer.decode(type), Integer.decode(control));
        Deadline.await("the frame", () -> {
            a.flush();
            b.pollReceive(sink, 0, BURST_FRAMES, 1);
            return sink.frameCount() > 0;
        });
        byte[] received = bytesOf(sink.poll());
        assertEquals(untagged.length + 4, received.length);
        assertArrayEquals(Arrays.copyOf(untagged, 12), Arrays.copyOf(received, 12));
        int tag = ByteBuffer.wrap(received).getInt(12);
        assertEquals(Integer.decode(type) << 16 | Integer.decode(control), tag);
        assertArrayEquals(
                Arrays.copyOfRange(untagged, 12, untagged.length), Arrays.copyOfRange(received, 16, received.length));
    }

    /** {@return the sent frame without its tag} */
    private byte[] sendTagged(int type, int control) throws Exception {
        Deadline.await("room to transmit", () -> a.transmitCapacity() > 0);
        Frame frame = writer.write(pool.allocate(), 128, PAYLOAD_BYTES, PORT, 0);
        byte[] untagged = new byte[frame.length()];
        frame.buffer().getBytes(frame.offset(), untagged);
        ByteBuffer tagged = ByteBuffer.allocate(untagged.length + 4)
                .put(untagged, 0, 12)
                .putShort((short) type)
                .putShort((short) control)
                .put(untagged, 12, untagged.length - 12);
        frame.setExtent(128, tagged.capacity());
        frame.buffer().putBytes(128, tagged.array());
        a.transmit(frame);
        a.flush();
        return untagged;
    }

    private static byte[] bytesOf(Frame frame) {
        byte[] bytes = new byte[frame.length()];
        frame.buffer().getBytes(frame.offset(), bytes);
        frame.release();
        return bytes;
    }

    @Test
    void removePort_ofEachAddress_leavesFramesToTheKernel() throws Exception {
        InetAddress further = InetAddress.getByName("10.77.0.9");
        b.addPort(addressOfB(), PORT);
        b.addPort(addressOfB(), PORT + 1);
        b.addPort(further, PORT);
        b.removePort(further, PORT);
        send(1, PORT);
        receive(1);
        b.removePort(addressOfB(), PORT);
        send(1, PORT);
        // Frames keep their order, so that the first would be here by now.
        send(1, PORT + 1);
        receive(2);
        assertEquals(sent - 1, sink.lastMark());
    }

    @Test
    void burst_inSteadyState_allocatesNothingAndMakesOneCall() throws Exception {
        b.addPort(addressOfB(), PORT);
        Deadline guard = Deadline.of("the next frame", () -> sink.frameCount() + " of " + sent);
        Runnable window = () -> {
            for (int i = 0; i < 100; i++) {
                putBurst(guard);
                a.flush();
                while (sink.frameCount() < sent) {
                    guard.check();
                    a.flush();
                    b.pollReceive(sink, 0, BURST_FRAMES, 1);
                }
                sink.releaseAll();
            }
        };
        for (int i = 0; i < 100; i++) {
            window.run();
        }
        long callsBefore = a.nativeCallCount();
        long sentBefore = sent;
        AllocationWindows windows = AllocationWindows.of(9, window);
        windows.requireNothingInSteadyState();
        long bursts = (sent - sentBefore) / BURST_FRAMES;
        assertTrue(a.nativeCallCount() - callsBefore <= bursts, "more calls than bursts");
        assertTrue(b.nativeCallCount() <= 2, b.nativeCallCount() + " calls to receive");
        assertEquals(0, b.overflowCount());
    }

    private void putBurst(Deadline guard) {
        while (a.transmitCapacity() < BURST_FRAMES) {
            guard.check();
        }
        for (int i = 0; i < BURST_FRAMES; i++) {
            a.transmit(writer.write(pool.allocate(), 0, PAYLOAD_BYTES, PORT, sent++));
        }
    }

    @Test
    void flush_peerTakesNoLongFrames_theyDoNotHoldUpThoseBehindThem() throws Exception {
        int longFrames = 100;
        long cycleNanos = 200_000;
        // The first is tried for a while, and a flush gives up 64.
        long mostNanos = 5_000_000 + 3 * cycleNanos;
        b.addPort(addressOfB(), PORT);
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1300");
        for (int i = 0; i < longFrames; i++) {
            a.transmit(writer.write(pool.allocate(), 0, 1_400, PORT, sent++));
        }
        a.transmit(writer.write(pool.allocate(), 0, PAYLOAD_BYTES, PORT, sent++));
        long nowNanos = 0;
        a.flush();
        while (a.nextFlushNanos() != NO_DEADLINE) {
            nowNanos += cycleNanos;
            assertTrue(a.nextFlushNanos() <= nowNanos, "asks for no flush");
            assertTrue(nowNanos <= mostNanos, "frames still wait");
            a.pollReceive(sink, 0, BURST_FRAMES, nowNanos);
            a.flush();
        }
        assertTrue(nowNanos > 0);
        Deadline.await("the short frame", () -> b.pollReceive(sink, 0, 1, 1) > 0);
        assertEquals(sent - 1, sink.lastMark());
    }

    @Test
    void poll_poolEmpty_leavesFramesInTheRing() throws Exception {
        b.addPort(addressOfB(), PORT);
        send(3, PORT);
        List<Frame> all = new ArrayList<>();
        while (pool.available() > 0) {
            all.add(pool.allocate());
        }
        Deadline.await("a poll without a frame for it", () -> {
            b.pollReceive(sink, 0, BURST_FRAMES, 1);
            return b.poolEmptyCount() > 0;
        });
        all.forEach(Frame::release);
        receive(3);
    }

    @Test
    void link_downAndUp_isToldByNobodyAndFramesGoOn() throws Exception {
        b.addPort(addressOfB(), PORT);
        send(1, PORT);
        receive(1);
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "down");
        b.setImpairment("down");
        assertEquals("down", b.failure());
        b.pollReceive(sink, 0, 1, 1);
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "up");
        b.setImpairment(null);
        assertNull(b.failure());
        Deadline.await("frames after the link came up", () -> {
            send(1, PORT);
            b.pollReceive(sink, 0, 1, 1);
            return sink.frameCount() > 1;
        });
    }

    @Test
    void interface_deleted_stopsThePortAndSaysSo() throws Exception {
        hosts.lab().run(hosts.b(), "ip", "link", "del", TwoHosts.INTERFACE);
        Deadline.await("the port to stop", () -> {
            b.transmit(writer.write(pool.allocate(), 0, PAYLOAD_BYTES, PORT, 0));
            b.flush();
            return b.failure() != null;
        });
        assertTrue(b.failure().contains("was deleted"), b.failure());
        assertEquals(0, b.transmitCapacity());
    }

    @Test
    void open_interfaceDown_isRefusedWithTheRemedy() throws Exception {
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "down");
        IOException e = assertThrows(IOException.class, () -> port(hosts.b()));
        assertTrue(e.getMessage().contains("ip link set " + TwoHosts.INTERFACE + " up"), e.getMessage());
    }

    private static InetAddress addressOfB() throws IOException {
        return InetAddress.getByName(TwoHosts.ADDRESS_B);
    }

    private void send(int count, int udpPort) throws Exception {
        for (int i = 0; i < count; i++) {
            Deadline.await("room to transmit", () -> a.transmitCapacity() > 0 && pool.available() > 0);
            sent++;
            a.transmit(writer.write(pool.allocate(), 0, PAYLOAD_BYTES, udpPort, sent - 1));
        }
        a.flush();
    }

    private void receive(long count) throws Exception {
        Deadline.await(count + " frames", () -> {
            a.flush();
            b.pollReceive(sink, 0, BURST_FRAMES, 1);
            return sink.frameCount() >= count;
        });
    }
}
