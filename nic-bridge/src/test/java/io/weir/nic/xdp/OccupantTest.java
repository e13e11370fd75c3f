package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.bpf.ProgramHolder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the sentences of {@link Occupant}. */
class OccupantTest {
    @Test
    void sentence_anotherProcess_namesItAndTheRemedy() {
        assertEquals(
                "interface eth0 has an XDP program of process 42 (java -jar server.jar; program id 17); end that process (kill"
                        + " 42) or use another interface: the queues of an interface belong to one transport at a time; to"
                        + " serve several processes run weir broker --interface eth0 and open it by the backend broker"
                        + " (docs/SHARING.md)",
                Occupant.sentence("eth0", 17, Optional.of(new ProgramHolder(42, "java -jar server.jar"))));
    }

    @Test
    void sentence_thisProcess_saysSo() {
        long here = ProcessHandle.current().pid();
        assertEquals(
                "interface eth0 has an XDP program of this process (" + here
                        + ") already (program id 17); close the transport"
                        + " that has it, or use that one for everything: the queues of an interface belong to one transport"
                        + " at a time",
                Occupant.sentence("eth0", 17, Optional.of(new ProgramHolder(here, "java"))));
    }

    @Test
    void sentence_nobodyToBeSeen_saysHowToTakeItOff() {
        assertEquals(
                "interface eth0 has an XDP program of someone else (program id 17), and no process that can be seen from here"
                        + " keeps it there; take it off: ip link set dev eth0 xdp off; ip link set dev eth0 xdpgeneric off",
                Occupant.sentence("eth0", 17, Optional.empty()));
    }
}
