package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.bpf.BpfProgram;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.Deadline;
import io.weir.transport.runtime.Backend;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a transport says when the XDP program of its interface is no longer its own. */
@LiveTest
@SuppressWarnings("try") // a transport that is only there
class ForeignProgramLiveTest {
    private static final int FLAG_GENERIC = 1 << 1;

    @Test
    void program_takenOffAndReplacedByAnother_isSaid() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(hosts.a().name())
                    .build();
            Backend.Opened opened = AfXdpBackend.open(config, 0);
            AfXdpPort port = (AfXdpPort) opened.netInterface().port();
            int id = TwoHosts.facts(hosts.a()).xdpProgramId();
            try (Transport transport = Transport.open(List.of(opened), TransportConfig.DEFAULT);
                    BpfProgram foreign = BpfProgram.load("host")) {
                assertNull(port.failure());
                port.detachProgram();
                Deadline.await("the missing program", () -> port.failure() != null);
                assertEquals(
                        "interface weir0 had XDP program " + id
                                + " when it was opened, and has none now: frames for this"
                                + " transport go to the kernel; open the transport again",
                        port.failure());
                int index = TwoHosts.facts(hosts.a()).index();
                assertEquals(0, hosts.a().call(() -> foreign.attach(index, FLAG_GENERIC)));
                int foreignId = TwoHosts.facts(hosts.a()).xdpProgramId();
                Deadline.await("the foreign program", () -> port.failure().contains("program " + foreignId + " now"));
                assertTrue(port.failure().contains("ip link set dev weir0 xdp off"), port.failure());
            }
        }
    }
}
