package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the demonstration, shortened: what it shows is checked here as far as it does not depend on the machine's speed. */
@Timeout(120)
class DemoTest {
    private static final DemoPlan SHORT =
            new DemoPlan(1_000_000_000L, 10_000_000_000L, 25_000, 16 << 20, 300_000_000, 4, 3, 7);

    private final List<String> progress = new ArrayList<>();

    private DemoResult run(DemoLab lab, String tcpSkipped) throws Exception {
        try (lab) {
            return new Demo(SHORT, lab, progress::add).run(tcpSkipped);
        }
    }

    private static void assertWeirWorked(DemoResult result) {
        assertTrue(result.transfer().isIntact(), result.transfer().toString());
        assertEquals(16 << 20, result.transfer().receivedBytes());
        assertTrue(result.creditsMetered() > result.creditsDropped(), result.toString());
        assertTrue(result.creditsDropped() > 0, result.toString());
        assertTrue(result.weir().idle().count() > 0, result.toString());
        assertEquals(0, result.weir().dataDrops());
        assertEquals(3, result.weir().join().count());
    }

    @Test
    void run_inMemory_movesVerifiedBytesAndSaysWhyTcpIsMissing() throws Exception {
        DemoResult result = run(new MemoryLab(SHORT), "not root");
        assertWeirWorked(result);
        String text = DemoText.of(result);
        assertTrue(text.contains("SHA-256 ") && text.contains(": matches"), text);
        assertTrue(text.contains("Kernel TCP was left out: not root"), text);
        assertEquals("a transfer whose SHA-256 is compared", progress.get(0));
    }

    @Test
    @LiveTest
    void run_inNamespaces_measuresBothAndLeavesNothingBehind() throws Exception {
        DemoResult result = run(NamespaceLab.create(SHORT), null);
        assertWeirWorked(result);
        assertTrue(result.tcp().idle().count() > 0, result.toString());
        assertTrue(result.tcp().alone().goodputBps() > 0, result.toString());
        String text = DemoText.of(result);
        assertTrue(text.contains("kernel TCP ("), text);
        assertTrue(text.contains("Both at once: Weir "), text);
        assertEquals(4, result.ports().size());
    }
}
