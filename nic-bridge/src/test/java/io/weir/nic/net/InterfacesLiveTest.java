package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests {@link Interfaces} and {@link NetNamespace} on virtual links. */
@LiveTest
class InterfacesLiveTest {
    @Test
    void find_vethInAnotherNamespace_tellsAllFacts() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withMtuBytes(1400).withQueues(2))) {
            InterfaceFacts facts = TwoHosts.facts(hosts.a());
            assertEquals(1400, facts.mtuBytes());
            assertEquals(2, facts.receiveQueueCount());
            assertEquals("veth", facts.driver());
            assertEquals(InterfaceFacts.VETH_RATE_BPS, facts.linkRateBps());
            assertTrue(facts.up());
            assertTrue(facts.running());
            assertEquals(0, facts.xdpProgramId());
            assertNotEquals(0, facts.macAddress());
            List<String> addresses =
                    facts.addresses().stream().map(LocalAddress::toString).collect(Collectors.toList());
            assertTrue(addresses.contains("10.77.0.1/24"), addresses.toString());
            assertTrue(addresses.contains("fd77:0:0:0:0:0:0:1/64"), addresses.toString());
        }
    }

    @Test
    void findEthernet_tunDevice_isRefusedWithTheReason() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            assumeTrue(Files.exists(Path.of("/dev/net/tun")), "this kernel has no tun devices");
            hosts.lab().run(hosts.a(), "ip", "tuntap", "add", "dev", "tun0", "mode", "tun");
            hosts.lab().run(hosts.a(), "ip", "tuntap", "add", "dev", "tap0", "mode", "tap");

            NicException e =
                    assertThrows(NicException.class, () -> hosts.a().call(() -> Interfaces.findEthernet("tun0")));

            assertTrue(e.getMessage().startsWith("interface tun0 carries no Ethernet frames"), e.getMessage());
            assertEquals(
                    "tap0",
                    hosts.a().call(() -> Interfaces.findEthernet("tap0")).name());
        }
    }

    @Test
    void membersOf_interfaceThatHasSome_namesThemAlone() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            hosts.lab().run(hosts.a(), "ip", "link", "add", "br0", "type", "bridge");
            hosts.lab().run(hosts.a(), "ip", "link", "set", TwoHosts.INTERFACE, "master", "br0");
            int bridge = hosts.a().call(() -> Interfaces.numberOf("br0"));
            int member = hosts.a().call(() -> Interfaces.numberOf(TwoHosts.INTERFACE));
            assertEquals(List.of(TwoHosts.INTERFACE), hosts.a().call(() -> Interfaces.membersOf(bridge)));
            assertEquals(List.of(), hosts.a().call(() -> Interfaces.membersOf(member)));
        }
    }

    @Test
    void find_interfaceSetDown_isNotUp() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            hosts.lab().setUp(hosts.link().left(), false);
            assertFalse(TwoHosts.facts(hosts.a()).up());
        }
    }

    @Test
    void call_anotherNamespace_leavesTheCallersAlone() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            List<String> before = Interfaces.names();
            assertEquals(
                    List.of("lo", "weir0"),
                    hosts.a().call(() -> Interfaces.names().stream().sorted().collect(Collectors.toList())));
            assertEquals(before, Interfaces.names());
        }
    }

    @Test
    void call_unknownNamespace_namesThoseThatExist() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            NicException e = assertThrows(
                    NicException.class, () -> NetNamespace.of("weir-none").call(Interfaces::names));
            assertTrue(e.getMessage().contains("network namespace weir-none not found"), e.getMessage());
            assertTrue(e.getMessage().contains(hosts.a().name()), e.getMessage());
        }
    }

    @Test
    void call_taskThatFails_failsTheSameWay() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            assertThrows(IllegalStateException.class, () -> hosts.a().call(() -> {
                throw new IllegalStateException("from the task");
            }));
        }
    }
}
