package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.bpf.LoadedProgram;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.transport.socket.Transport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Asks a veth how it is set, who its neighbours are, and whose its XDP program is. */
@LiveTest
class DriverSettingsLiveTest {
    private TwoHosts hosts;

    @BeforeEach
    void open() throws Exception {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private DriverSettings settings() throws Exception {
        return hosts.a().call(() -> DriverSettings.of(TwoHosts.INTERFACE));
    }

    @Test
    void of_veth_tellsWhatItHasAndNothingOfWhatItHasNot() throws Exception {
        DriverSettings settings = settings();
        assertTrue(settings.features().contains("highdma"), settings.toString());
        assertFalse(settings.features().contains("tx-tcp-segmentation"), "the laboratory turns it off");
        assertEquals(1, settings.transmitQueueCount());
        assertEquals(new DriverSettings.Rings(0, 0, 0, 0), settings.rings());
        assertEquals(new DriverSettings.Coalescing(0, 0, false), settings.coalescing());
        assertTrue(settings.hashesUdpPorts());
        assertEquals(new BitSet(), settings.spreadQueues());
    }

    @Test
    void of_noSuchInterface_tellsNothing() throws Exception {
        assertEquals(
                new DriverSettings(
                        Set.of(),
                        0,
                        new DriverSettings.Rings(0, 0, 0, 0),
                        new DriverSettings.Coalescing(0, 0, false),
                        false,
                        false,
                        true,
                        new BitSet()),
                hosts.a().call(() -> DriverSettings.of("none0")));
    }

    @Test
    void known_neighbours_areThoseOfTheInterface() throws Exception {
        hosts.lab()
                .run(
                        hosts.a(),
                        "ip",
                        "neighbour",
                        "replace",
                        "10.77.0.9",
                        "lladdr",
                        "02:00:00:00:00:09",
                        "dev",
                        TwoHosts.INTERFACE,
                        "nud",
                        "permanent");
        int index = TwoHosts.facts(hosts.a()).index();
        List<KernelEvent.Neighbour> known = hosts.a().call(() -> Neighbours.known(index));
        KernelEvent.Neighbour added = known.stream()
                .filter(neighbour -> neighbour.address().equals(address("10.77.0.9")))
                .findFirst()
                .orElseThrow();
        assertEquals(0x0200_0000_0009L, added.macAddress());
        assertTrue(added.state().isFixed());
        assertEquals(List.of(), hosts.a().call(() -> Neighbours.known(index + 100)));
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void find_programOfATransport_isOfWeirAndHeldHere() throws Exception {
        try (Transport transport = hosts.openTransport(hosts.a())) {
            LoadedProgram program = LoadedProgram.find(TwoHosts.facts(hosts.a()).xdpProgramId());
            assertTrue(program.isOfWeir(), program + " of " + transport.portInfo());
            assertTrue(program.holder().orElseThrow().isThisProcess(), program.toString());
        }
        assertFalse(LoadedProgram.find(Integer.MAX_VALUE).isOfWeir());
    }
}
