package io.weir.nic.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link Lab}. */
@LiveTest
class LabLiveTest {
    @Test
    void link_twoNamespaces_pingEachOther() throws Exception {
        try (Lab lab = Lab.create()) {
            NetNamespace a = lab.namespace("lab-a");
            NetNamespace b = lab.namespace("lab-b");
            lab.link(LabLink.between(new LabEnd(a, "east", "10.80.0.1/24"), new LabEnd(b, "west", "10.80.0.2/24"))
                    .withMtuBytes(1300)
                    .withStaticNeighbours());
            assertEquals(1300, a.call(() -> Interfaces.find("east")).mtuBytes());
            InetAddress target = InetAddress.getByName("10.80.0.2");
            assertTrue(a.call(() -> target.isReachable((int) Deadline.HANG_GUARD.toMillis())));
        }
    }

    @Test
    void link_withoutIpv6Address_isSilent() throws Exception {
        try (Lab lab = Lab.create()) {
            NetNamespace a = lab.namespace("lab-a");
            NetNamespace b = lab.namespace("lab-b");
            lab.link(LabLink.between(new LabEnd(a, "east", "10.80.0.1/24"), new LabEnd(b, "west", "fd80::2/64")));
            assertEquals(
                    "1",
                    a.call(() -> Files.readString(Path.of("/proc/sys/net/ipv6/conf/east/disable_ipv6")))
                            .strip());
            assertEquals(1, a.call(() -> Interfaces.find("east")).addresses().size());
            // Usable once the kernel has seen that the link is up, for which it takes its time.
            Deadline.await("the address", () -> b.call(() -> Interfaces.find("west")).addresses().stream()
                    .anyMatch(address -> address.toString().equals("fd80:0:0:0:0:0:0:2/64")));
        }
    }

    /** Without offloads no frame is longer than the MTU lets it be; with them the kernel hands over many segments. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void link_withOrWithoutOffloads_framesAreAsLongAsThatSays(boolean offloads) throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> offloads ? link.withOffloads() : link);
                ServerSocket listener = hosts.b().call(() -> new ServerSocket(0));
                Socket sender = hosts.a().call(() -> new Socket(TwoHosts.ADDRESS_B, listener.getLocalPort()));
                Socket receiver = listener.accept()) {
            byte[] sent = new byte[1 << 22];
            CompletableFuture<Integer> received = Background.run(() -> lengthOf(receiver, sent.length));
            sender.getOutputStream().write(sent);
            assertEquals(sent.length, received.get());
            long[] counts = sentBy(hosts.a());
            double frameBytes = (double) counts[0] / counts[1];
            assertEquals(offloads, frameBytes > 1_514, frameBytes + " B per frame");
        }
    }

    private static int lengthOf(Socket socket, int lengthMax) {
        try {
            return socket.getInputStream().readNBytes(lengthMax).length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return bytes and frames that left by the interface} */
    private static long[] sentBy(NetNamespace namespace) throws IOException {
        List<String> lines = namespace.call(() -> Files.readAllLines(Path.of("/proc/thread-self/net/dev")));
        String counts = lines.stream()
                .filter(line -> line.strip().startsWith(TwoHosts.INTERFACE + ":"))
                .findFirst()
                .orElseThrow();
        String[] words = counts.strip().split("[: ]+", -1);
        return new long[] {Long.parseLong(words[9]), Long.parseLong(words[10])};
    }

    @Test
    void run_programThatFails_saysWhatItSaid() throws Exception {
        try (Lab lab = Lab.create()) {
            NetNamespace namespace = lab.namespace("lab-run");
            lab.run(namespace, "true");
            NicException e =
                    assertThrows(NicException.class, () -> lab.run(namespace, "sh", "-c", "echo no luck; exit 3"));
            assertTrue(e.getMessage().contains("no luck"), e.getMessage());
        }
    }

    @Test
    void link_macAndNeighbours_areThoseThatWereAskedFor() throws Exception {
        try (Lab lab = Lab.create()) {
            NetNamespace a = lab.namespace("lab-a");
            NetNamespace b = lab.namespace("lab-b");
            LabEnd west = new LabEnd(b, "west", "10.80.0.2/24").withMac(0x02_00_00_00_00_07L);
            lab.link(LabLink.between(new LabEnd(a, "east", "10.80.0.1/24"), west));
            assertEquals(
                    0x02_00_00_00_00_07L, b.call(() -> Interfaces.find("west")).macAddress());
            lab.addNeighbours(west, Map.of("10.80.0.99", 0x02_00_00_00_00_63L));
            String known = b.call(() -> Files.readString(Path.of("/proc/thread-self/net/arp")));
            assertTrue(known.contains("10.80.0.99") && known.contains("02:00:00:00:00:63"), known);
        }
    }

    @Test
    void close_everything_isGone() throws Exception {
        NetNamespace a;
        try (Lab lab = Lab.create()) {
            a = lab.namespace("lab-gone");
            assertTrue(NetNamespace.names().contains(a.name()));
        }
        assertFalse(NetNamespace.names().contains(a.name()));
    }

    @Test
    void namespace_twice_isRefusedWithTheCommandsOwnWords() throws Exception {
        try (Lab lab = Lab.create()) {
            lab.namespace("lab-twice");
            NicException e = assertThrows(NicException.class, () -> lab.namespace("lab-twice"));
            assertTrue(e.getMessage().contains("File exists"), e.getMessage());
        }
    }

    @Test
    void create_afterAProcessWasKilled_removesItsLeftoversOnly() throws Exception {
        String leftover;
        try (Lab lab = Lab.create();
                ChildJvm child = ChildJvm.start(List.of(), Builder.class)) {
            NetNamespace ours = lab.namespace("lab-alive");
            leftover = child.awaitLine("weir-");
            assertTrue(NetNamespace.names().contains(leftover), leftover);
            Lab.removeLeftovers();
            assertTrue(NetNamespace.names().contains(leftover), "removed although its process lives");
            child.kill();
            Lab.create().close();
            assertFalse(NetNamespace.names().contains(leftover));
            assertTrue(NetNamespace.names().contains(ours.name()));
        }
    }

    @Test
    void exit_withoutClosing_cleansUp() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(), Builder.class, "exit")) {
            String name = child.awaitLine("weir-");
            assertTrue(child.awaitLine("no more output").isEmpty());
            child.kill();
            assertFalse(NetNamespace.names().contains(name));
        }
    }

    /** A process that builds a laboratory and is killed, or exits without closing it. */
    static final class Builder {
        private Builder() {}

        @SuppressWarnings({"SystemOut", "MustBeClosedChecker"})
        public static void main(String[] arguments) throws Exception {
            Lab lab = Lab.create();
            NetNamespace a = lab.namespace("left");
            NetNamespace b = lab.namespace("right");
            lab.link(LabLink.between(new LabEnd(a, "east"), new LabEnd(b, "west")));
            System.out.println(a.name());
            if (arguments.length > 0) {
                System.exit(0);
            }
            while (true) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            }
        }
    }
}
