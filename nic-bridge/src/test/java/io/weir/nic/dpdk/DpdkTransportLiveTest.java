package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Exchanges;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sockets over DPDK's virtual devices, with another process or the kernel at the other end. */
@DpdkTest
@SuppressWarnings("try") // peers that are only there
class DpdkTransportLiveTest {
    private static final Duration PATIENCE = Deadline.HANG_GUARD;
    private static final int SIGTERM_STATUS = 128 + 15;
    private static final long SELF = ProcessHandle.current().pid();

    private final Exchanges exchanges = new Exchanges();

    @AfterEach
    void close() {
        exchanges.close();
    }

    @Test
    void memif_twoProcessesEachFamily_bytesComeBackUnchanged() throws Exception {
        try (ChildJvm echo = start(List.of(), memif("server", "2", ""));
                Transport client = open(memif("client", "1", ""))) {
            echo(client, "10.97.0.2", 5_000_000);
            echo(client, "fd97::2", 1_000_000);
        }
    }

    @Test
    void memif_jumboFrames_bytesComeBackUnchanged() throws Exception {
        try (ChildJvm echo = start(List.of(), memif("server", "2", ";mtu=9000"));
                Transport client = open(memif("client", "1", ";mtu=9000"))) {
            assertEquals(9000, client.portInfo().mtuBytes());
            echo(client, "10.97.0.2", 5_000_000);
        }
    }

    @Test
    void memif_otherEndKilled_isToldAndANewOneIsReached() throws Exception {
        try (Transport client = open(memif("client", "1", ""))) {
            try (ChildJvm echo = start(List.of(), memif("server", "2", ""))) {
                echo(client, "10.97.0.2", 10_000);
                echo.kill();
            }
            Deadline.await("the port to tell of its link", () -> client.loop().portFailure() != null);
            assertTrue(
                    client.loop().portFailure().contains("link of net_memif0 is down"),
                    client.loop().portFailure());
            // Nothing of the killed process is in the way of the next; it is at another Ethernet address.
            try (ChildJvm echo = start(List.of(), memif("server", "2", ""))) {
                Deadline.await("the link", () -> client.loop().portFailure() == null);
                echo(client, "10.97.0.2", 10_000);
            }
        }
        assertNoRunFiles();
    }

    @Test
    void tap_kernelAtTheOtherEnd_eachFindsTheOtherByArpAndDiscovery() throws Exception {
        String device = "device=net_tap0,iface=weirtap0;address=10.96.0.1/24,fd96::1/64;queues=2;eal=" + DpdkTest.EAL;
        try (Transport dpdk = open(device)) {
            run("ip", "address", "add", "10.96.0.2/24", "dev", "weirtap0");
            run("ip", "address", "add", "fd96::2/64", "dev", "weirtap0", "nodad");
            run("ip", "link", "set", "weirtap0", "up");
            FramePool pool = new FramePool(4_096, 2_048);
            try (Transport kernels = Transport.open(
                    PacketBackend.open(NetNamespace.own(), "weirtap0", pool, List.of()),
                    pool,
                    TransportConfig.DEFAULT)) {
                // The kernel asks for the one's address, the other asks for the kernel's.
                send(kernels, dpdk, new InetSocketAddress("10.96.0.1", DpdkEcho.PORT));
                send(dpdk, kernels, new InetSocketAddress("10.96.0.2", DpdkEcho.PORT));
                send(kernels, dpdk, new InetSocketAddress("fd96::1", DpdkEcho.PORT));
                send(dpdk, kernels, new InetSocketAddress("fd96::2", DpdkEcho.PORT));
            }
        }
        assertFalse(Files.exists(Path.of("/sys/class/net/weirtap0")), "the device is still there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"net_af_packet0", "net_pcap0"})
    void kernelInterface_peerOverAfPacket_bytesComeBackUnchanged(String device) throws Exception {
        try (TwoHosts hosts = TwoHosts.create(TwoHosts::withoutIpv6)) {
            giveToDpdk(hosts);
            FramePool pool = new FramePool(4_096, 2_048);
            try (ChildJvm echo = start(in(hosts.b()), vethDevice(device));
                    Transport client = Transport.open(
                            PacketBackend.open(hosts.a(), TwoHosts.INTERFACE, pool, List.of()),
                            pool,
                            TransportConfig.DEFAULT)) {
                echo(client, TwoHosts.ADDRESS_B, 2_000_000);
            }
        }
    }

    @Test
    void afXdp_killedWithItsProgramAttached_isCleanedUpByTheNext() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(TwoHosts::withoutIpv6)) {
            giveToDpdk(hosts);
            FramePool pool = new FramePool(8_192, 2_048);
            AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(hosts.a().name())
                    .build();
            try (Transport client = Transport.open(AfXdpInterface.open(config, pool), pool, TransportConfig.DEFAULT)) {
                try (ChildJvm echo = start(in(hosts.b()), vethDevice("net_af_xdp0"))) {
                    echo(client, TwoHosts.ADDRESS_B, 2_000_000);
                    assertTrue(TwoHosts.facts(hosts.b()).xdpProgramId() != 0);
                    echo.kill();
                }
                assertTrue(TwoHosts.facts(hosts.b()).xdpProgramId() != 0, "nothing stayed behind to clean up");
                try (ChildJvm echo = start(in(hosts.b()), vethDevice("net_af_xdp0"))) {
                    echo(client, TwoHosts.ADDRESS_B, 2_000_000);
                    assertEquals(SIGTERM_STATUS, echo.terminate());
                }
            }
        }
    }

    /** The address is DPDK's from now on: the kernel would answer for it. */
    private static void giveToDpdk(TwoHosts hosts) throws Exception {
        hosts.lab().run(hosts.b(), "ip", "address", "flush", "dev", TwoHosts.INTERFACE);
    }

    private static String vethDevice(String name) {
        return "device=" + name + ",iface=" + TwoHosts.INTERFACE + ";address=" + TwoHosts.ADDRESS_B + "/24;eal="
                + DpdkTest.EAL;
    }

    private static List<String> in(NetNamespace namespace) {
        return List.of("ip", "netns", "exec", namespace.name());
    }

    @Test
    void open_second_sharesTheEnvironmentUnlessItsArgumentsDiffer() throws Exception {
        String first = "device=net_ring0;address=10.95.0.1/24;eal=" + DpdkTest.EAL;
        try (Transport one = open(first);
                Transport two = open("device=net_ring1;address=10.95.1.1/24")) {
            assertEquals("net_ring", one.portInfo().mode());
            assertEquals("net_ring", two.portInfo().mode());
            IOException e = assertThrows(
                    NicException.class, () -> open("device=net_ring2;address=10.95.2.1/24;eal=--no-huge -m 64"));
            assertTrue(e.getMessage().contains("differs from what DPDK's environment runs with"), e.getMessage());
        }
        // What was closed can be opened again.
        open(first).close();
    }

    @Test
    void open_unusableDevice_saysWhyAndLeavesNothing() throws Exception {
        assertRefused("device=net_nosuch0;address=10.95.0.1/24", "cannot use the device net_nosuch0");
        assertRefused("device=net_ring0;address=10.95.0.1/24;queues=64", "exceeds 16, the receive queues");
        assertRefused("device=net_tap0,iface=weirtap0;address=10.95.0.1/24;queues=17", "queues");
        assertRefused("device=net_memif0;address=10.95.0.1/24;mtu=9000", "add bsize=16384 to its arguments");
        assertRefused("device=net_ring0", "has no address, and the kernel cannot tell one");
        assertFalse(Files.exists(Path.of("/sys/class/net/weirtap0")), "the device is still there");
        open("device=net_ring0;address=10.95.0.1/24;eal=" + DpdkTest.EAL).close();
    }

    @Test
    void resolve_nobodyAnswers_saysWho() throws Exception {
        try (Transport transport = open("device=net_ring0;address=10.95.0.1/24;eal=" + DpdkTest.EAL)) {
            IOException e = assertThrows(
                    IOException.class,
                    () -> transport.connect(new InetSocketAddress("10.95.0.2", DpdkEcho.PORT), PATIENCE));
            assertTrue(e.getMessage().contains("10.95.0.2 does not answer ARP"), e.getMessage());
            e = assertThrows(
                    IOException.class,
                    () -> transport.connect(new InetSocketAddress("10.1.0.2", DpdkEcho.PORT), PATIENCE));
            assertTrue(e.getMessage().contains("is in no network of net_ring0"), e.getMessage());
        }
    }

    private static void assertRefused(String device, String message) {
        String text = device + ";eal=" + DpdkTest.EAL;
        IOException e = assertThrows(NicException.class, () -> open(text));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    private static void assertNoRunFiles() throws IOException {
        Path folder = Path.of("/var/run/dpdk");
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(
                        List.of(),
                        files.filter(file -> file.getFileName().toString().startsWith("weir-"))
                                .toList());
            }
        }
    }

    private static String memif(String role, String host, String more) {
        return "device=net_memif0,role=" + role + ",id=0,socket=weir-test-" + SELF
                + (more.isEmpty() ? "" : ",bsize=16384") + ";address=10.97.0." + host + "/24,fd97::" + host + "/64;eal="
                + DpdkTest.EAL + more;
    }

    private static Transport open(String device) throws IOException {
        return Transport.open(
                device, TransportConfig.builder().backend(DpdkBackend.NAME).build());
    }

    private static ChildJvm start(List<String> launcher, String device) throws IOException {
        ChildJvm echo = ChildJvm.start(launcher, DpdkEcho.class, device);
        String line = echo.awaitLine(DpdkEcho.READY);
        if (!line.equals(DpdkEcho.READY)) {
            echo.close();
            throw new IOException(line);
        }
        return echo;
    }

    private void echo(Transport client, String host, int count) throws Exception {
        exchanges.echo(client, new InetSocketAddress(host, DpdkEcho.PORT), Exchanges.bytes(1, count));
    }

    private static void send(Transport from, Transport to, InetSocketAddress address) throws Exception {
        byte[] sent = Exchanges.bytes(1, 1_000_000);
        try (WeirServerSocket listener = to.listen(DpdkEcho.PORT)) {
            CompletableFuture<byte[]> received = Background.run(() -> {
                try (WeirSocket socket = listener.accept()) {
                    return readAll(socket);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            try (WeirSocket socket = from.connect(address, PATIENCE)) {
                socket.write(ByteBuffer.wrap(sent));
                socket.shutdownOutput();
                assertArrayEquals(sent, received.get());
            }
        }
    }

    private static byte[] readAll(WeirSocket socket) {
        try {
            return socket.inputStream().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " failed");
        }
    }
}
