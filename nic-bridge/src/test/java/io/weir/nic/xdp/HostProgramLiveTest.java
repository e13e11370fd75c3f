package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.XdpMode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which frames the XDP programs take and which they leave to the kernel. */
@LiveTest
class HostProgramLiveTest {
    private static final RingSizes SMALL = RingSizes.ofAll(256);
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final int OTHER_PORT = 5353;
    /** fd77::2. */
    private static final byte[] IPV6_B = {(byte) 0xFD, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

    private static final long MARKER = 2;
    private static final int TIMEOUT_MILLIS = (int) Deadline.HANG_GUARD.toMillis();
    /** Where the headers of a frame written by {@link UdpFrames} begin. */
    private static final int IPV4_AT = 14;

    private static final int UDP_AT = 34;

    private final FramePool pool = new FramePool(2048, 2048, true);
    private final AfXdp xdp = new AfXdp(pool);
    private final SinkNode sink = new SinkNode();
    private TwoHosts hosts;

    @BeforeEach
    void setUp() throws Exception {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void tearDown() {
        sink.releaseAll();
        xdp.close();
        hosts.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void host_trafficOfTheKernel_worksWhileOurPortIsTaken(XdpMode mode) throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).mode(mode).ringSizes(SMALL).build());
        for (String address : new String[] {TwoHosts.ADDRESS_B, "fd77::2"}) {
            InetAddress target = InetAddress.getByName(address);
            assertTrue(hosts.a().call(() -> target.isReachable(TIMEOUT_MILLIS)), "ping " + address);
            assertUdpWorks(target);
            assertTcpWorks(target);
        }
        assertEquals(0, sink.frameCount());

        // And what is ours does not reach the kernel.
        sendDatagram(hosts.a(), TwoHosts.ADDRESS_B, Ports.UDP_PORT);
        sendDatagram(hosts.a(), "fd77::2", Ports.UDP_PORT);
        Deadline.await("our datagrams", () -> {
            b.pollReceive(sink, 0, 64, 1);
            return sink.frameCount() == 2;
        });
    }

    @Test
    void host_portsChangedAtRunTime_areFollowed() throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
        b.addPort(OTHER_PORT);
        sendDatagram(hosts.a(), TwoHosts.ADDRESS_B, OTHER_PORT);
        Deadline.await("a datagram of the added port", () -> {
            b.pollReceive(sink, 0, 64, 1);
            return sink.frameCount() == 1;
        });
        b.removePort(OTHER_PORT);
        assertUdpWorks(InetAddress.getByName(TwoHosts.ADDRESS_B));
        b.pollReceive(sink, 0, 64, 1);
        assertEquals(1, sink.frameCount());
        assertThrows(IllegalArgumentException.class, () -> b.addPort(0));
        b.close();
        assertThrows(IllegalStateException.class, () -> b.addPort(OTHER_PORT));
    }

    @Test
    void host_sourcePortOnly_isLeftToTheKernel() throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
        b.addPort(UdpFrames.SOURCE_PORT);
        assertTaken(b, false, frame -> putShort(frame, UDP_AT + 2, OTHER_PORT));
        assertTaken(b, true, frame -> putShort(frame, UDP_AT + 2, UdpFrames.SOURCE_PORT));
    }

    @Test
    void host_destinationThatIsNotOurs_isLeftToTheKernel() throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b())
                .addresses(List.of(InetAddress.getByName("10.77.0.9")))
                .ringSizes(SMALL)
                .build());
        assertTaken(b, false, frame -> putByte(frame, IPV4_AT + 19, 3));
        assertTaken(b, false, frame -> putByte(frame, IPV4_AT + 19, 255));
        assertTaken(b, true, frame -> putByte(frame, IPV4_AT + 19, 9));
        assertTaken(b, false, frame -> {
            toIpv6(frame, 17);
            putByte(frame, IPV4_AT + 39, 3);
        });
        b.removeAddress(InetAddress.getByName("10.77.0.9"));
        assertTaken(b, false, frame -> putByte(frame, IPV4_AT + 19, 9));
        b.addAddress(InetAddress.getByName("10.77.0.9"));
        assertTaken(b, true, frame -> putByte(frame, IPV4_AT + 19, 9));
    }

    @Test
    void host_portOfOneAddress_isLeftToTheKernelOnTheOthers() throws Exception {
        InetAddress further = InetAddress.getByName("10.77.0.9");
        AfXdpPort b = xdp.open(Ports.host(hosts.b())
                .addresses(List.of(further))
                .ringSizes(SMALL)
                .build());
        b.addPort(further, OTHER_PORT);
        assertTaken(b, false, frame -> putShort(frame, UDP_AT + 2, OTHER_PORT));
        assertTaken(b, true, frame -> {
            putShort(frame, UDP_AT + 2, OTHER_PORT);
            putByte(frame, IPV4_AT + 19, 9);
        });
        b.removePort(further, OTHER_PORT);
        assertTaken(b, false, frame -> {
            putShort(frame, UDP_AT + 2, OTHER_PORT);
            putByte(frame, IPV4_AT + 19, 9);
        });
    }

    @Test
    void host_moreAddressesThanTheProgramHolds_isRefused() throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
        NicException refusal = assertThrows(NicException.class, () -> {
            for (int i = 0; i < TakenPorts.ADDRESSES_MAX; i++) {
                b.addAddress(InetAddress.getByName("10.78.0." + i));
            }
        });
        assertTrue(refusal.getMessage().contains("is one too many"), refusal.getMessage());
        assertTaken(b, true, frame -> {});
    }

    @Test
    void host_framesThatAreNotPlainUdp_areLeftToTheKernel() throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
        assertTaken(b, true, frame -> {});
        assertTaken(b, true, frame -> putShort(frame, IPV4_AT + 6, 0x4000));
        assertTaken(b, false, frame -> putShort(frame, IPV4_AT + 6, 0x2000));
        assertTaken(b, false, frame -> putShort(frame, IPV4_AT + 6, 0x0001));
        assertTaken(b, false, frame -> putByte(frame, IPV4_AT, 0x46));
        assertTaken(b, false, frame -> putByte(frame, IPV4_AT, 0x65));
        assertTaken(b, false, frame -> putByte(frame, IPV4_AT + 9, 6));
        assertTaken(b, false, frame -> putShort(frame, 12, 0x8100));
        assertTaken(b, false, frame -> putShort(frame, 12, 0x0806));
        assertTaken(b, false, frame -> putShort(frame, 36, OTHER_PORT));
        assertTaken(b, false, frame -> frame.setExtent(frame.offset(), 41));
        assertTaken(b, true, frame -> frame.setExtent(frame.offset(), 42));
    }

    @Test
    void host_ipv6_onlyWithoutExtensionHeaders() throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
        assertTaken(b, true, frame -> toIpv6(frame, 17));
        assertTaken(b, false, frame -> toIpv6(frame, 0));
        assertTaken(b, false, frame -> toIpv6(frame, 44));
        assertTaken(b, false, frame -> toIpv6(frame, 58));
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void host_priorityTag_isTakenAndGone(XdpMode mode) throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).mode(mode).ringSizes(SMALL).build());
        // Priority 3; the least; and drop eligible, in a tag of a provider's.
        assertTaken(b, true, frame -> addTag(frame, 0x8100, 0x6000));
        assertTaken(b, true, frame -> addTag(frame, 0x8100, 0x0000));
        assertTaken(b, true, frame -> addTag(frame, 0x88A8, 0x1000));
        assertTaken(b, true, frame -> {
            toIpv6(frame, 17);
            addTag(frame, 0x8100, 0xE000);
        });
        assertEquals(Map.of(), b.skippedFrames());

        Frame sent = pool.allocate();
        UdpFrames.fromAToB(hosts).write(sent, 128, 100, Ports.UDP_PORT, 77);
        byte[] untagged = new byte[sent.length()];
        sent.buffer().getBytes(sent.offset(), untagged);
        addTag(sent, 0x8100, 0x6000);
        AfXdpConfig sender = Ports.switchPort(hosts.a()).ringSizes(SMALL).build();
        try (AfXdpPort a = xdp.open(sender)) {
            sink.releaseAll();
            long framesBefore = sink.frameCount();
            a.transmit(sent);
            a.flush();
            Ports.receive(b, a, sink, framesBefore + 1);
            Frame received = sink.poll();
            byte[] bytes = new byte[received.length()];
            received.buffer().getBytes(received.offset(), bytes);
            assertArrayEquals(untagged, bytes);
            received.release();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void host_framesForOurPortOfOtherShapes_areCountedByReason(XdpMode mode) throws Exception {
        AfXdpPort b = xdp.open(Ports.host(hosts.b()).mode(mode).ringSizes(SMALL).build());
        assertTaken(b, false, frame -> addTag(frame, 0x8100, 0x6005));
        assertTaken(b, false, frame -> addTag(frame, 0x88A8, 0x0FFF));
        assertTaken(b, false, frame -> putShort(frame, IPV4_AT + 6, 0x2000));
        assertTaken(b, false, frame -> {
            putByte(frame, IPV4_AT, 0x46);
            putShort(frame, UDP_AT + 4 + 2, Ports.UDP_PORT);
        });
        assertEquals(
                Map.of("with the tag of a VLAN", 2L, "fragmented", 1L, "with IPv4 options", 1L), b.skippedFrames());

        // What is for nobody here is no one's business.
        assertTaken(b, false, frame -> {
            putShort(frame, UDP_AT + 2, OTHER_PORT);
            addTag(frame, 0x8100, 0x6005);
        });
        assertTaken(b, false, frame -> putShort(frame, IPV4_AT + 6, 0x0001));
        assertEquals(2L, b.skippedFrames().get("with the tag of a VLAN"));
        b.close();
        assertEquals(2L, b.skippedFrames().get("with the tag of a VLAN"), "of a closed port, until it was closed");
    }

    /** Puts a tag behind the Ethernet addresses. */
    private static void addTag(Frame frame, int type, int control) {
        int offset = frame.offset() - 4;
        byte[] addresses = new byte[12];
        frame.buffer().getBytes(frame.offset(), addresses);
        frame.setExtent(offset, frame.length() + 4);
        frame.buffer().putBytes(offset, addresses);
        putShort(frame, 12, type);
        putShort(frame, 14, control);
    }

    @Test
    void switch_anyFrame_isTaken() throws Exception {
        hosts.close();
        hosts = TwoHosts.create(TwoHosts::withoutIpv6);
        AfXdpPort b = xdp.open(Ports.switchPort(hosts.b()).ringSizes(SMALL).build());
        assertTaken(b, true, frame -> {});
        assertTaken(b, true, frame -> putShort(frame, 12, 0x8100));
        assertTaken(b, true, frame -> putByte(frame, IPV4_AT + 9, 6));
        assertTaken(b, true, frame -> frame.setExtent(frame.offset(), 14));
        assertThrows(IllegalStateException.class, () -> b.addPort(OTHER_PORT));
        // The kernel behind it gets nothing: no ARP answer, hence no ping.
        InetAddress target = InetAddress.getByName(TwoHosts.ADDRESS_B);
        assertEquals(false, hosts.a().call(() -> target.isReachable(300)));
    }

    @ParameterizedTest
    @EnumSource(ProgramKind.class)
    void program_queueWithoutSocket_hostLeavesItToTheKernelAndSwitchDrops(ProgramKind kind) throws Exception {
        hosts.close();
        hosts = TwoHosts.create(link -> TwoHosts.withoutIpv6(link).withQueues(2));
        AfXdpConfig.Builder config = kind == ProgramKind.HOST ? Ports.host(hosts.b()) : Ports.switchPort(hosts.b());
        AfXdpPort b = xdp.open(config.queues(1).ringSizes(SMALL).build());
        InetAddress address = InetAddress.getByName(TwoHosts.ADDRESS_B);
        try (DatagramSocket kernel =
                        hosts.b().call(() -> new DatagramSocket(new InetSocketAddress(address, Ports.UDP_PORT)));
                AfXdpPort a = xdp.open(
                        Ports.switchPort(hosts.a()).queues(0).ringSizes(SMALL).build())) {
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 1, 0);
            DatagramPacket packet = new DatagramPacket(new byte[256], 256);
            kernel.setSoTimeout(kind == ProgramKind.HOST ? TIMEOUT_MILLIS : 200);
            if (kind == ProgramKind.HOST) {
                kernel.receive(packet);
                assertEquals(100, packet.getLength());
            } else {
                assertThrows(SocketTimeoutException.class, () -> kernel.receive(packet));
            }
            assertEquals(0, b.pollReceive(sink, 0, 64, 1));
        }
    }

    /** Sends a frame from {@code a}, changed by {@code change}, and then a marker; whether {@code b} gets the first. */
    private void assertTaken(AfXdpPort b, boolean taken, Consumer<Frame> change) throws Exception {
        long framesBefore = sink.frameCount();
        try (AfXdpPort a = xdp.open(Ports.switchPort(hosts.a()).ringSizes(SMALL).build())) {
            Frame frame = UdpFrames.fromAToB(hosts).write(pool.allocate(), 128, 100, Ports.UDP_PORT, 1);
            change.accept(frame);
            a.transmit(frame);
            a.transmit(UdpFrames.fromAToB(hosts).write(pool.allocate(), 128, 100, Ports.UDP_PORT, MARKER));
            a.flush();
            // Frames stay in order: what did not come before the marker never will.
            Deadline.await("the marker", () -> {
                b.pollReceive(sink, 0, 64, 1);
                return sink.lastMark() == MARKER;
            });
        }
        assertEquals(framesBefore + (taken ? 2 : 1), sink.frameCount());
        sink.releaseAll();
    }

    private static void toIpv6(Frame frame, int nextHeader) {
        putShort(frame, 12, 0x86DD);
        UnsafeBuffer slot = frame.buffer();
        slot.setMemory(frame.offset() + IPV4_AT, 40, (byte) 0);
        putByte(frame, IPV4_AT, 0x60);
        putByte(frame, IPV4_AT + 6, nextHeader);
        slot.putBytes(frame.offset() + IPV4_AT + 24, IPV6_B);
        putShort(frame, IPV4_AT + 40, 1234);
        putShort(frame, IPV4_AT + 42, Ports.UDP_PORT);
    }

    private static void putShort(Frame frame, int at, int value) {
        frame.buffer().putShort(frame.offset() + at, (short) value, ByteOrder.BIG_ENDIAN);
    }

    private static void putByte(Frame frame, int at, int value) {
        frame.buffer().putByte(frame.offset() + at, (byte) value);
    }

    private void assertUdpWorks(InetAddress target) throws Exception {
        try (DatagramSocket server =
                hosts.b().call(() -> new DatagramSocket(new InetSocketAddress(target, OTHER_PORT)))) {
            server.setSoTimeout(TIMEOUT_MILLIS);
            sendDatagram(hosts.a(), target.getHostAddress(), OTHER_PORT);
            DatagramPacket packet = new DatagramPacket(new byte[64], 64);
            server.receive(packet);
            assertEquals(HELLO.length, packet.getLength());
        }
    }

    private void assertTcpWorks(InetAddress target) throws Exception {
        try (ServerSocket server = hosts.b().call(() -> new ServerSocket(OTHER_PORT, 1, target));
                Socket client = hosts.a().call(() -> connect(target));
                Socket accepted = server.accept()) {
            accepted.setSoTimeout(TIMEOUT_MILLIS);
            client.getOutputStream().write(HELLO);
            assertArrayEquals(HELLO, accepted.getInputStream().readNBytes(HELLO.length));
        }
    }

    private static Socket connect(InetAddress target) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(target, OTHER_PORT), TIMEOUT_MILLIS);
        return socket;
    }

    private static void sendDatagram(NetNamespace from, String address, int port) throws Exception {
        InetAddress target = InetAddress.getByName(address);
        from.call(() -> {
            try (DatagramSocket client = new DatagramSocket()) {
                client.send(new DatagramPacket(HELLO, HELLO.length, target, port));
            }
            return null;
        });
    }
}
