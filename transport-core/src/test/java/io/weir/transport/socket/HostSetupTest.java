package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.wire.ChecksumScope;
import org.junit.jupiter.api.Test;

/** Tests {@link HostSetup}: what a configuration and an interface make of a host. */
class HostSetupTest {
    @Test
    void checksums_configurationDemandsThem_areOnAllFramesWhateverTheInterface() {
        PortInfo memory = MemoryLink.info("memory", 2, 1500, 1_000_000_000L);
        PortInfo wire = memory.withDataChecksums(true);
        TransportConfig demanding = TransportConfig.builder().udpChecksums(true).build();
        assertEquals(ChecksumScope.ALL, HostSetup.checksums(demanding, memory));
        assertEquals(ChecksumScope.ALL, HostSetup.checksums(demanding, wire));
        assertEquals(ChecksumScope.NOT_ON_DATA, HostSetup.checksums(TransportConfig.DEFAULT, memory));
        assertEquals(ChecksumScope.ALL_ON_WIRES, HostSetup.checksums(TransportConfig.DEFAULT, wire));
    }
}
