package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.bpf.BpfProgram;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Exchanges;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.XdpMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what {@link PortOpener} refuses, undoes, waits for, and leaves behind. */
@LiveTest
class PortOpenerLiveTest {
    private static final RingSizes SMALL = RingSizes.ofAll(256);

    private static TwoHosts hosts;

    private final FramePool pool = new FramePool(1024, 2048, true);
    private final AfXdp xdp = new AfXdp(pool);

    @BeforeAll
    static void setUp() throws Exception {
        hosts = TwoHosts.create(link -> link.withMtuBytes(1774));
    }

    @AfterAll
    static void tearDown() {
        hosts.close();
    }

    @Test
    void open_missingInterface_namesThoseThatExist() throws Exception {
        assertRefused(
                AfXdpConfig.host("eth9").namespace(hosts.a().name()),
                "interface eth9 not found; interfaces here: [lo, weir0]");
    }

    @Test
    void open_missingNamespace_namesIt() throws Exception {
        assertRefused(AfXdpConfig.host("weir0").namespace("weir-none"), "network namespace weir-none not found");
    }

    @Test
    void open_queueThatDoesNotExist_saysHowManyThereAre() throws Exception {
        assertRefused(
                Ports.host(hosts.a()).ringSizes(SMALL).queues(3),
                "queue 3 of weir0 does not exist; it has 1, numbered from 0");
        assertRefused(
                Ports.host(hosts.a()).ringSizes(SMALL).queues(0, 99),
                "queue 99 of weir0 does not exist; it has 1, numbered from 0; see: ethtool -l weir0");
    }

    @Test
    void open_zeroCopyAskedForWhereThereIsNone_saysWhyAndWhatElse() throws Exception {
        assertRefused(
                Ports.host(hosts.a()).ringSizes(SMALL).mode(XdpMode.ZERO_COPY),
                "mode zero-copy was asked for, and queue 0 of weir0 does without: zero-copy refused by driver veth:"
                        + " EOPNOTSUPP (operation not supported); use mode auto or native");
        assertNothingChanged();
    }

    @Test
    void open_driverWithUnsafeZeroCopy_copiesAndSaysWhy() throws Exception {
        AfXdpConfig config = Ports.host(hosts.a()).ringSizes(SMALL).build();
        PortOpener opener = new PortOpener(
                config,
                List.of(new Umem(pool)),
                port -> {},
                driver -> "not with " + driver + ", says somebody",
                driver -> null);
        try (AfXdpPort port = opener.open().get(0)) {
            assertEquals("native/copy", port.info().mode());
            assertTrue(
                    port.info().modeReason().contains("accepted; not with veth, says somebody"),
                    port.info().modeReason());
        }
        assertNothingChanged();
    }

    @ParameterizedTest
    @CsvSource({"AUTO, generic/copy", "NATIVE, native/copy"})
    void open_driverWithUnsafeNative_isGenericUnlessAskedFor(XdpMode mode, String rung) throws Exception {
        AfXdpConfig config = Ports.host(hosts.a()).ringSizes(SMALL).mode(mode).build();
        PortOpener opener = new PortOpener(
                config, List.of(new Umem(pool)), port -> {}, driver -> null, driver -> driver + " forgets");
        try (AfXdpPort port = opener.open().get(0)) {
            assertEquals(rung, port.info().mode());
            assertEquals(mode == XdpMode.AUTO, port.info().modeReason().startsWith("veth forgets; the generic path"));
        }
        assertNothingChanged();
    }

    @Test
    void open_vlanInterface_takesItsDatagramsByTheGenericPath() throws Exception {
        requireVlans();
        for (NetNamespace host : List.of(hosts.a(), hosts.b())) {
            String address = host == hosts.a() ? "10.78.0.1/24" : "10.78.0.2/24";
            hosts.lab().run(host, "ip", "link", "add", "link", "weir0", "name", "weir0.5", "type", "vlan", "id", "5");
            hosts.lab().run(host, "ip", "address", "add", address, "dev", "weir0.5");
            hosts.lab().run(host, "ip", "link", "set", "weir0.5", "up");
        }
        int index = TwoHosts.facts(hosts.a()).index();
        assertEquals(List.of("weir0.5"), hosts.a().call(() -> Interfaces.vlansOf(index)));
        try (Transport client = openVlan(hosts.a());
                Transport server = openVlan(hosts.b());
                WeirServerSocket listener = server.listen(4720)) {
            assertEquals("generic/copy", client.portInfo().mode());
            byte[] sent = Exchanges.bytes(1, 100_000);
            InetSocketAddress address = new InetSocketAddress("10.78.0.2", 4720);
            try (Exchanges exchanges = new Exchanges();
                    WeirSocket socket = client.connect(address, Deadline.HANG_GUARD);
                    WeirSocket accepted = listener.accept()) {
                CompletableFuture<Void> written = exchanges.run(() -> socket.write(ByteBuffer.wrap(sent)));
                assertArrayEquals(sent, accepted.inputStream().readNBytes(sent.length));
                written.get();
            }
        } finally {
            hosts.lab().run(hosts.a(), "ip", "link", "delete", "weir0.5");
            hosts.lab().run(hosts.b(), "ip", "link", "delete", "weir0.5");
        }
    }

    /** The kernel's module 8021q may not be there. */
    private static void requireVlans() throws Exception {
        try {
            hosts.lab().run(hosts.a(), "ip", "link", "add", "link", "weir0", "name", "v", "type", "vlan", "id", "6");
            hosts.lab().run(hosts.a(), "ip", "link", "delete", "v");
        } catch (NicException e) {
            Assumptions.assumeFalse(e.getMessage().contains("Unknown device type"), "this kernel has no VLANs");
            throw e;
        }
    }

    private static Transport openVlan(NetNamespace host) throws IOException {
        AfXdpConfig config = AfXdpConfig.host("weir0.5").namespace(host.name()).build();
        return Transport.open(List.of(AfXdpBackend.open(config, 0)), TransportConfig.DEFAULT);
    }

    @Test
    void open_poolTooSmallForTheFillRing_saysWhatIsNeeded() throws Exception {
        assertRefused(
                Ports.host(hosts.a()).ringSizes(RingSizes.DEFAULT),
                "the pool has 1024 free frames of 1024 for weir0: frameCount=1024 is too few for 1 queues of 2048 frames to"
                        + " receive into, which leave a quarter to send; give at least 2731 frames");
    }

    @Test
    void open_nothingChosen_ringsFollowThePool() throws Exception {
        try (AfXdpPort port = xdp.open(Ports.host(hosts.a()).build())) {
            assertEquals(512, pool.count(FrameOwner.FILL), port.info().name());
        }
    }

    @Test
    void open_mtuThatDoesNotFitASlot_saysTheLimit() throws Exception {
        try (TwoHosts jumbo = TwoHosts.create(link -> link.withMtuBytes(1775))) {
            NicException e = assertThrows(
                    NicException.class,
                    () -> xdp.open(Ports.host(jumbo.a()).ringSizes(SMALL).build()));
            assertTrue(
                    e.getMessage()
                            .startsWith("MTU 1775 of weir0 exceeds 1774, the most that fits a slot of 2048 bytes"),
                    e.getMessage());
        }
        xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build()).close();
        assertNothingChanged();
    }

    @Test
    void open_interfaceDown_saysHowToSetItUp() throws Exception {
        hosts.lab().setUp(hosts.link().right(), false);
        try {
            NicException e = assertThrows(
                    NicException.class,
                    () -> xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build()));
            assertEquals("interface weir0 is down; set it up: ip link set weir0 up", e.getMessage());
        } finally {
            hosts.lab().setUp(hosts.link().right(), true);
        }
    }

    @Test
    void open_foreignProgramAttached_isRefusedAndLeavesItAlone() throws Exception {
        try (BpfProgram foreign = BpfProgram.load("switch")) {
            InterfaceFacts before = TwoHosts.facts(hosts.a());
            assertEquals(0, (int) hosts.a().call(() -> foreign.attach(before.index(), 1 << 1)));
            int id = TwoHosts.facts(hosts.a()).xdpProgramId();
            NicException e = assertThrows(
                    NicException.class,
                    () -> xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build()));
            assertTrue(
                    e.getMessage()
                            .startsWith("interface weir0 has an XDP program of this process ("
                                    + ProcessHandle.current().pid() + ") already (program id " + id + ")"),
                    e.getMessage());
            assertEquals(id, TwoHosts.facts(hosts.a()).xdpProgramId());

            // One that came between the check and the attaching is refused too, in whatever mode it is.
            try (PortProgram ours =
                    PortProgram.load(ProgramKind.HOST, new PortProgram.Beginning(List.of(), List.of(), false))) {
                for (XdpMode mode : XdpMode.values()) {
                    DriverObstacles obstacles = new DriverObstacles(before, PortOffloads.of(hosts.a(), before));
                    NicException late = assertThrows(
                            NicException.class, () -> hosts.a().call(() -> ours.attach(before, mode, obstacles)));
                    assertTrue(late.getMessage().contains("of this process"), late.getMessage());
                }
            }
        }
        assertNothingChanged();
    }

    @Test
    void open_queueHeldBySomeoneElse_waitsUntilItIsFree() throws Exception {
        FramePool otherPool = new FramePool(512, 2048);
        Umem other = new Umem(otherPool);
        AfXdpConfig config = Ports.host(hosts.a()).ringSizes(SMALL).build();
        PortSocket holder = hosts.a().call(() -> PortSocket.open(config, other, null));
        hosts.a().call(() -> other.bind(holder.socket(), TwoHosts.facts(hosts.a()), 0, config, false));
        CompletableFuture<AfXdpPort> opened = Background.run(() -> {
            try {
                return xdp.open(config);
            } catch (NicException e) {
                throw new IllegalStateException(e);
            }
        });
        Deadline.await("the wait for the queue", PortOpenerLiveTest::isSomeoneRetrying);
        assertFalse(opened.isDone());
        holder.close();
        opened.get().close();
        assertEquals(otherPool.frameCount(), otherPool.available());
        assertNothingChanged();
    }

    @Test
    void open_queueHeldForGood_isRefusedByName() throws Exception {
        FramePool otherPool = new FramePool(512, 2048);
        Umem other = new Umem(otherPool);
        AfXdpConfig config = Ports.host(hosts.a()).ringSizes(SMALL).build();
        PortSocket holder = hosts.a().call(() -> PortSocket.open(config, other, null));
        hosts.a().call(() -> other.bind(holder.socket(), TwoHosts.facts(hosts.a()), 0, config, false));
        NicException e = assertThrows(NicException.class, () -> xdp.open(config));
        assertTrue(e.getMessage().contains("EBUSY"), e.getMessage());
        assertTrue(e.getMessage().contains("queue 0 of weir0 is in use by another AF_XDP socket"), e.getMessage());
        holder.close();
        assertNothingChanged();
    }

    @Test
    void open_afterAProcessWasKilled_worksAtOnceAndNothingIsLeft() throws Exception {
        try (ChildJvm child =
                ChildJvm.start(List.of(), Holder.class, hosts.a().name(), Integer.toString(Ports.UDP_PORT))) {
            String line = child.awaitLine("READY");
            assertEquals("READY", line);
            assertTrue(TwoHosts.facts(hosts.a()).xdpProgramId() > 0);
            child.kill();
        }
        assertEquals(0, TwoHosts.facts(hosts.a()).xdpProgramId());
        SinkNode sink = new SinkNode();
        try (AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
                AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build())) {
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 10, 0);
            Ports.receive(b, a, sink, 10);
            sink.releaseAll();
        }
        assertNothingChanged();
    }

    @Test
    void open_anotherProcessHasTheInterface_isRefusedNamingIt() throws Exception {
        try (ChildJvm child =
                ChildJvm.start(List.of(), Holder.class, hosts.a().name(), Integer.toString(Ports.UDP_PORT))) {
            assertEquals("READY", child.awaitLine("READY"));
            NicException e = assertThrows(
                    NicException.class,
                    () -> xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build()));
            assertTrue(
                    e.getMessage()
                            .startsWith("interface weir0 has an XDP program of process " + child.processId() + " ("),
                    e.getMessage());
            assertTrue(e.getMessage().contains("java"), e.getMessage());
            assertTrue(e.getMessage().contains("end that process (kill " + child.processId() + ")"), e.getMessage());
            child.kill();
        }
        assertNothingChanged();
    }

    @Test
    void open_withoutCapabilities_saysWhichAreMissing() throws Exception {
        assertChildSays("-net_raw", "missing CAP_NET_RAW (AF_XDP sockets): run as root");
        assertChildSays("-net_admin", "missing CAP_NET_ADMIN (attaching the XDP program): run as root");
        assertChildSays("-bpf,-sys_admin", "enter network namespace");
    }

    private static void assertChildSays(String capabilities, String message) throws Exception {
        List<String> launcher = List.of("setpriv", "--bounding-set", capabilities, "--inh-caps", capabilities);
        try (ChildJvm child =
                ChildJvm.start(launcher, Holder.class, hosts.a().name(), Integer.toString(Ports.UDP_PORT))) {
            String line = child.awaitLine("NicException");
            assertTrue(line.contains(message), line);
        }
        assertEquals(0, TwoHosts.facts(hosts.a()).xdpProgramId());
    }

    private static boolean isSomeoneRetrying() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getMethodName().equals("awaitFree"));
    }

    private void assertRefused(AfXdpConfig.Builder config, String message) throws Exception {
        NicException e = assertThrows(NicException.class, () -> xdp.open(config.build()));
        assertTrue(e.getMessage().startsWith(message), e.getMessage());
        assertNothingChanged();
    }

    private void assertNothingChanged() throws Exception {
        assertEquals(pool.frameCount(), pool.available());
        assertEquals(0, TwoHosts.facts(hosts.a()).xdpProgramId());
        assertEquals(0, TwoHosts.facts(hosts.b()).xdpProgramId());
    }

    /** A process that opens a port and keeps it until it is killed. */
    static final class Holder {
        private Holder() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) throws Exception {
            AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(arguments[0])
                    .udpPorts(Integer.parseInt(arguments[1]))
                    .build();
            AfXdpPort port = new AfXdp(new FramePool(4096, 2048)).open(config);
            System.out.println("READY");
            while (port.failure() == null) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            }
        }
    }
}
