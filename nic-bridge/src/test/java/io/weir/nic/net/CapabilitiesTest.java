package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Capabilities}. */
class CapabilitiesTest {
    @Test
    void missingForXdp_none_namesAllWithTheirPurpose() {
        assertEquals(
                List.of(
                        "CAP_NET_RAW (AF_XDP sockets)",
                        "CAP_NET_ADMIN (attaching the XDP program)",
                        "CAP_BPF (loading the XDP program)",
                        "CAP_PERFMON (loading the XDP program)"),
                Capabilities.missingForXdp(0));
    }

    @Test
    void missingForXdp_systemAdministrator_countsForBoth() {
        long netAdminRawAndSysAdmin = 1L << 12 | 1L << 13 | 1L << 21;
        assertEquals(List.of(), Capabilities.missingForXdp(netAdminRawAndSysAdmin));
    }

    @Test
    void missingForXdp_fourOnly_isEnough() {
        assertEquals(List.of(), Capabilities.missingForXdp(1L << 12 | 1L << 13 | 1L << 38 | 1L << 39));
    }
}
