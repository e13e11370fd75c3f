package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.ReadableClassPath;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests by which backend a program's interface is opened that names the interface alone. The programs see a folder of
 * the test at {@code /run/weir}.
 */
@LiveTest
class BrokerChoiceLiveTest {
    private static final int PORT = 4720;
    private static final Path RUN = Path.of("/run/weir");
    private static final List<String> UNPRIVILEGED = List.of(
            "setpriv",
            "--reuid",
            "61001",
            "--regid",
            "61001",
            "--clear-groups",
            "--no-new-privs",
            "--inh-caps=-all",
            "--bounding-set=-all");

    @TempDir
    static Path folder;

    private static String classPath;

    private final List<ChildJvm> children = new ArrayList<>();
    private TwoHosts hosts;
    private Path run;
    private Transport remote;
    private WeirServerSocket listener;

    /** A program that opens an interface by its name, says by what, and sends a byte to the remote host. */
    static final class Program {
        private Program() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) {
            TransportConfig config = TransportConfig.builder().warmUpNanosMax(0).build();
            try (Transport transport = Transport.open(TwoHosts.INTERFACE, config)) {
                System.out.println("OPENED by " + transport.portInfo().backend());
                InetSocketAddress remote = new InetSocketAddress(TwoHosts.ADDRESS_A, PORT);
                try (WeirSocket socket = transport.connect(remote, Duration.ofMinutes(5))) {
                    socket.write(ByteBuffer.wrap(new byte[] {42}));
                }
            } catch (IOException | RuntimeException e) {
                System.out.println("REFUSED " + e.getMessage());
            }
        }
    }

    @BeforeAll
    static void copyClassPath() throws IOException {
        classPath = ReadableClassPath.copyTo(folder);
        Files.createDirectories(RUN);
    }

    @BeforeEach
    void open() throws Exception {
        hosts = TwoHosts.create();
        run = Files.createTempDirectory(folder, "run");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        remote = hosts.openTransport(hosts.a());
        listener = remote.listen(PORT);
    }

    @AfterEach
    void close() throws IOException {
        children.forEach(ChildJvm::close);
        listener.close();
        remote.close();
        hosts.close();
    }

    /** {@return how a program is started in a namespace, which gives it separate mounts} */
    private List<String> launcher(NetNamespace namespace, List<String> further) {
        List<String> words = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace.name(),
                "sh",
                "-c",
                "mount --bind \"$0\" " + RUN + " && exec \"$@\"",
                run.toString()));
        words.addAll(further);
        return words;
    }

    private void broker(NetNamespace namespace) throws Exception {
        ChildJvm broker = ChildJvm.start(
                launcher(namespace, List.of()),
                BrokerProcess.class,
                TwoHosts.INTERFACE,
                BrokerConfig.socketOf(TwoHosts.INTERFACE).toString());
        children.add(broker);
        assertTrue(broker.awaitLine(BrokerProcess.SERVING).startsWith(BrokerProcess.SERVING));
    }

    /** {@return how the program opened the interface, or why it did not} */
    private String opened(String... launcher) throws Exception {
        ChildJvm program = ChildJvm.start(launcher(hosts.b(), List.of(launcher)), classPath, Program.class);
        children.add(program);
        return program.awaitLine("OPENED");
    }

    private void assertServed(String expected, String... launcher) throws Exception {
        assertEquals(expected, opened(launcher));
        try (WeirSocket socket = listener.accept()) {
            assertEquals(42, socket.inputStream().read());
        }
    }

    @Test
    void open_aBrokerServesTheInterface_isByTheBroker() throws Exception {
        broker(hosts.b());
        assertServed("OPENED by broker", UNPRIVILEGED.toArray(String[]::new));
        assertServed("OPENED by broker");
    }

    @Test
    void open_noBrokerIsThere_isByAfXdp() throws Exception {
        assertServed("OPENED by afxdp");
    }

    @Test
    void open_theBrokerHasEnded_isByAfXdp() throws Exception {
        broker(hosts.b());
        children.get(0).close();
        assertTrue(Files.exists(run.resolve(TwoHosts.INTERFACE + ".sock")), "a killed broker leaves its socket");
        assertServed("OPENED by afxdp");
    }

    @Test
    void open_aBrokerServesAnotherHostsInterfaceOfTheName_isByAfXdp() throws Exception {
        remote.close();
        broker(hosts.a());
        assertEquals("OPENED by afxdp", opened());
    }

    @Test
    void open_propertyNamesAnotherBackend_isByThatOrRefused() throws Exception {
        broker(hosts.b());
        String refused = opened("env", "JAVA_TOOL_OPTIONS=-Dweir.backend=afxdp");
        assertTrue(refused.contains("REFUSED") && refused.contains(TwoHosts.INTERFACE), refused);
        assertServed("OPENED by broker", "env", "JAVA_TOOL_OPTIONS=-Dweir.backend=broker");
    }
}
