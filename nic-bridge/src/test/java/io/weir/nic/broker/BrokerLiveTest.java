package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.ReadableClassPath;
import io.weir.nic.testing.UdpEcho;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a broker on a real interface, whose clients are processes of other users without any privilege, next to a
 * program that uses the kernel's UDP. The remote host has its own transport.
 */
@LiveTest
@SuppressWarnings("try") // programs that are only there
class BrokerLiveTest {
    private static final int PORT = 4720;
    private static final int OTHER_PORT = 6001;
    private static final int BYTES = 2_000_000;
    private static final int MTU_BYTES = 1_500;
    private static final String ONE_USER = "61001";
    private static final String OTHER_USER = "61002";
    private static final String THIRD_USER = "61003";

    @TempDir
    static Path folder;

    private static String classPath;

    private final List<ChildJvm> children = new ArrayList<>();
    private TwoHosts hosts;
    private Path socket;
    private Transport remote;
    private UdpEcho kernelProgram;

    @BeforeAll
    static void copyClassPath() throws IOException {
        classPath = ReadableClassPath.copyTo(folder);
    }

    @BeforeEach
    void open() throws Exception {
        hosts = TwoHosts.create();
        Path run = Files.createTempDirectory(folder, "run");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        socket = run.resolve("weir0.sock");
        kernelProgram = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, OTHER_PORT);
        remote = hosts.openTransport(hosts.a());
    }

    @AfterEach
    void close() {
        children.forEach(ChildJvm::close);
        remote.close();
        kernelProgram.close();
        hosts.close();
    }

    private ChildJvm broker(String... rights) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(TwoHosts.INTERFACE, socket.toString()));
        arguments.addAll(List.of(rights));
        ChildJvm broker = ChildJvm.start(
                List.of("ip", "netns", "exec", hosts.b().name()),
                BrokerProcess.class,
                arguments.toArray(String[]::new));
        children.add(broker);
        assertTrue(broker.awaitLine(BrokerProcess.SERVING).startsWith(BrokerProcess.SERVING));
        return broker;
    }

    /** {@return a process of an ordinary user, with no capability at all} */
    private ChildJvm service(String user, String... arguments) throws IOException {
        return process(ServiceProcess.class, user, arguments);
    }

    private ChildJvm process(Class<?> program, String user, String... arguments) throws IOException {
        List<String> launcher = List.of(
                "ip",
                "netns",
                "exec",
                hosts.b().name(),
                "setpriv",
                "--reuid",
                user,
                "--regid",
                user,
                "--clear-groups",
                "--no-new-privs",
                "--inh-caps=-all",
                "--bounding-set=-all");
        List<String> all = new ArrayList<>(List.of(socket.toString()));
        all.addAll(List.of(arguments));
        ChildJvm service = ChildJvm.start(launcher, classPath, program, all.toArray(String[]::new));
        children.add(service);
        return service;
    }

    private ChildJvm echo(String user, int port) throws IOException {
        ChildJvm service = service(user, "echo", Integer.toString(port));
        assertEquals(ServiceProcess.SERVING, service.awaitLine(ServiceProcess.SERVING));
        return service;
    }

    /** Sends bytes to a service from the remote host, and compares what comes back. */
    private void askFromRemote(int port) throws Exception {
        byte[] sent = new byte[BYTES];
        new Random(port).nextBytes(sent);
        try (WeirSocket connection = connect(port)) {
            CompletableFuture<Void> written = Background.run(() -> {
                try {
                    connection.write(ByteBuffer.wrap(sent));
                    connection.shutdownOutput();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            byte[] echoed = connection.inputStream().readAllBytes();
            written.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
            assertArrayEquals(sent, echoed);
        }
    }

    private WeirSocket connect(int port) throws IOException {
        return remote.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, port), Deadline.HANG_GUARD);
    }

    private void askKernelProgram() throws IOException {
        UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, TwoHosts.ADDRESS_B, OTHER_PORT);
    }

    @Test
    void services_ofTwoUsers_areServedByOneBrokerNextToTheKernel() throws Exception {
        broker();
        echo(ONE_USER, PORT);
        echo(OTHER_USER, PORT + 1);
        CompletableFuture<Void> both = Background.run(() -> {
            try {
                askFromRemote(PORT);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        askFromRemote(PORT + 1);
        askKernelProgram();
        both.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
        // The kernel keeps the services' ports from others, and leaves them the rest.
        assertThrows(IOException.class, () -> UdpEcho.bind(hosts.b(), TwoHosts.ADDRESS_B, PORT));
        UdpEcho.bind(hosts.b(), TwoHosts.ADDRESS_B, PORT + 2).close();
        ChildJvm third = service(OTHER_USER, "echo", Integer.toString(PORT));
        assertTrue(third.awaitLine(ServiceProcess.ENDED).contains("UDP port 4720 is in use by another process"));
        ChildJvm fourth = service(OTHER_USER, "echo", Integer.toString(OTHER_PORT));
        assertTrue(fourth.awaitLine(ServiceProcess.ENDED).contains("UDP port 6001 is in use by another program"));
        askKernelProgram();
    }

    @ParameterizedTest
    @EnumSource(StrangerProcess.Attack.class)
    void attack_ofAnOrdinaryUser_harmsNoTransferAndKeepsNobodyOut(StrangerProcess.Attack attack) throws Exception {
        broker();
        echo(ONE_USER, PORT);
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> transfers = Background.run(() -> {
            try {
                do {
                    askFromRemote(PORT);
                } while (!isOver.get());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        ChildJvm stranger =
                process(StrangerProcess.class, OTHER_USER, attack.name(), TwoHosts.ADDRESS_B, Integer.toString(PORT));
        assertTrue(stranger.awaitLine(StrangerProcess.DONE).startsWith(StrangerProcess.DONE));
        echo(THIRD_USER, PORT + 1);
        askFromRemote(PORT + 1);
        isOver.set(true);
        transfers.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
        askKernelProgram();
    }

    @Test
    void questions_ofAnOrdinaryUserWithoutEnd_waitForItsShareAndTheBrokerSaysSo() throws Exception {
        ChildJvm broker = broker();
        echo(ONE_USER, PORT);
        ChildJvm stranger = process(
                StrangerProcess.class,
                OTHER_USER,
                StrangerProcess.Attack.UNKNOWN_HOSTS.name(),
                TwoHosts.ADDRESS_B,
                Integer.toString(PORT));
        String done = stranger.awaitLine(StrangerProcess.DONE);
        int questions = Integer.parseInt(done.substring(StrangerProcess.DONE.length() + 1));
        // Each is charged 2.5 ms: 100 at once, 20 per second, and what fits the socket.
        assertTrue(questions < 2_000, done);
        String waits = broker.awaitLine(BrokerProcess.WAITS);
        assertTrue(waits.contains(OTHER_USER + " what processes of this user ask for takes more than 5 %"), waits);
        askFromRemote(PORT);
    }

    @Test
    void services_thatTalkToEachOther_goThroughSharedMemory() throws Exception {
        broker();
        echo(ONE_USER, PORT);
        // The same service answers over the wire, by the interface's MTU.
        askFromRemote(PORT);
        long frames = remote.counters().get(CounterId.DATA_FRAMES_RECEIVED);
        assertTrue(frames >= BYTES / MTU_BYTES, frames + " frames");
        for (String address : List.of(TwoHosts.ADDRESS_B, "fd77::2", "127.0.0.1")) {
            ChildJvm asker = service(OTHER_USER, "ask", address, Integer.toString(PORT));
            assertEquals(
                    ServiceProcess.ANSWERED + " by shared memory in long frames",
                    asker.awaitLine(ServiceProcess.ANSWERED),
                    address);
        }
    }

    @Test
    void rights_portOfNoLine_isRefusedWithTheReason() throws Exception {
        Path rights = Files.writeString(folder.resolve("rights-" + hosts.b().name()), ONE_USER + " 4720-4721\n");
        broker(rights.toString());
        echo(ONE_USER, PORT);
        ChildJvm wrongPort = service(ONE_USER, "echo", "4722");
        String refused = wrongPort.awaitLine(ServiceProcess.ENDED);
        assertTrue(refused.contains("user 61001 has no right to UDP port 4722"), refused);
        ChildJvm wrongUser = service(OTHER_USER, "echo", "4721");
        refused = wrongUser.awaitLine(ServiceProcess.ENDED);
        assertTrue(refused.contains("user 61002 has no line in the rights file"), refused);
        askFromRemote(PORT);
    }

    @Test
    void kill_clientUnderTraffic_givesEverythingBack() throws Exception {
        ChildJvm broker = broker();
        for (int i = 0; i < 3; i++) {
            ChildJvm service = echo(ONE_USER, PORT);
            try (WeirSocket traffic = connect(PORT)) {
                AtomicLong echoedBytes = new AtomicLong();
                CompletableFuture<Void> writes = Background.run(() -> writeForever(traffic));
                CompletableFuture<Void> reads = Background.run(() -> readForever(traffic, echoedBytes));
                Deadline.await("traffic", () -> echoedBytes.get() > BYTES);
                service.kill();
                assertTrue(broker.awaitLine("GONE").startsWith("GONE"));
                traffic.abort();
                writes.join();
                reads.join();
            }
            // Another user takes the port at once, and the kernel has it back between the two.
            UdpEcho.bind(hosts.b(), TwoHosts.ADDRESS_B, PORT).close();
            ChildJvm other = echo(OTHER_USER, PORT);
            askFromRemote(PORT);
            other.kill();
            assertTrue(broker.awaitLine("GONE").startsWith("GONE"));
            askKernelProgram();
        }
    }

    @Test
    void kill_broker_clientsGetAnErrorAndNothingIsLeft() throws Exception {
        ChildJvm broker = broker();
        ChildJvm service = echo(ONE_USER, PORT);
        askFromRemote(PORT);
        broker.kill();
        String ended = service.awaitLine(ServiceProcess.ENDED);
        assertTrue(ended.startsWith(ServiceProcess.ENDED), ended);
        Deadline.await(
                "the interface to be clean", () -> TwoHosts.facts(hosts.b()).xdpProgramId() == 0);
        UdpEcho.bind(hosts.b(), TwoHosts.ADDRESS_B, PORT).close();
        askKernelProgram();
        ChildJvm early = service(ONE_USER, "echo", Integer.toString(PORT));
        String refused = early.awaitLine(ServiceProcess.ENDED);
        assertTrue(refused.contains("no broker listens at " + socket + " any more"), refused);
        // The next one finds the path, and serves.
        broker();
        echo(ONE_USER, PORT);
        askFromRemote(PORT);
    }

    @Test
    void service_thatReopens_isServedByTheNextBroker() throws Exception {
        ChildJvm broker = broker();
        ChildJvm service = service(ONE_USER, "echo-always", Integer.toString(PORT));
        assertEquals(ServiceProcess.SERVING, service.awaitLine(ServiceProcess.SERVING));
        askFromRemote(PORT);
        broker.kill();
        String gone = service.awaitLine("it is opened again when it returns");
        assertTrue(gone.contains("the broker ended or hung up"), gone);
        broker();
        String back = service.awaitLine("is open again after");
        assertTrue(back.contains("with UDP ports [" + PORT + "]"), back);
        askFromRemote(PORT);
    }

    @Test
    void open_interfaceOfABroker_isRefusedWithTheHint() throws Exception {
        ChildJvm broker = broker();
        NetNamespace namespace = hosts.b();
        AfXdpConfig config =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        NicException e =
                assertThrows(NicException.class, () -> AfXdpInterface.open(config, new FramePool(8_192, 2_048)));
        assertTrue(e.getMessage().contains("process " + broker.processId()), e.getMessage());
        assertTrue(e.getMessage().contains("open it by the backend broker"), e.getMessage());
    }

    private static void writeForever(WeirSocket socket) {
        try {
            while (true) {
                socket.write(ByteBuffer.wrap(new byte[1 << 16]));
            }
        } catch (IOException e) {
            // The service is gone, and the socket aborted.
        }
    }

    private static void readForever(WeirSocket socket, AtomicLong bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try {
            for (int count = socket.read(buffer); count >= 0; count = socket.read(buffer)) {
                bytes.addAndGet(count);
                buffer.clear();
            }
        } catch (IOException e) {
            // The service is gone, and the socket aborted.
        }
    }
}
