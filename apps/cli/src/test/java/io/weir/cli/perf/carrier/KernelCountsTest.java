package io.weir.cli.perf.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what is read of the kernel's tables of counts. */
class KernelCountsTest {
    private static final List<String> LINES =
            List.of("Ip: Forwarding Retrans", "Ip: 1 2", "Tcp: RtoMin RetransSegs OutRsts", "Tcp: 200 -7 3");

    @Test
    void value_ofAGroup_isUnderItsHeading() {
        assertEquals(-7, KernelCounts.value(LINES, "Tcp:", "RetransSegs"));
        assertEquals(1, KernelCounts.value(LINES, "Ip:", "Forwarding"));
    }

    @Test
    void value_missing_isNothing() {
        assertEquals(0, KernelCounts.value(LINES, "Tcp:", "Other"));
        assertEquals(0, KernelCounts.value(LINES, "TcpExt:", "TCPTimeouts"));
        assertEquals(0, KernelCounts.value(List.of(), "Tcp:", "RetransSegs"));
    }
}
