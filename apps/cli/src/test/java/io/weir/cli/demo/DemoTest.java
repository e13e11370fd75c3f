package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.lab.Laboratory;
import io.weir.cli.lab.QueueStats;
import io.weir.cli.output.Json;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.testing.Documents;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.dpdk.DpdkTest;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.xdp.AfXdpBackend;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Runs the demonstration, shortened: what it shows is checked here as far as it does not depend on the machine's speed.
 */
class DemoTest {
    private static final DemoPlan SHORT = new DemoPlanBuilder()
            .transferBytes(16 << 20)
            .measureNanos(300_000_000)
            .flowCount(4)
            .joinCount(3)
            .seed(7)
            .build();

    private final List<String> progress = new ArrayList<>();

    private DemoResult run(Laboratory lab, String backend, String tcpSkipped) throws Exception {
        try (lab) {
            return new Demo(SHORT, lab, backend, progress::add, new StopRequest()).run(tcpSkipped);
        }
    }

    /** {@return what a demonstration gives that is asked to end when it comes to a step} */
    private static DemoResult runUntil(String step) throws IOException {
        StopRequest stop = new StopRequest();
        Consumer<String> steps = line -> {
            if (line.contains(step)) {
                stop.ask();
            }
        };
        try (Laboratory lab = Laboratory.inMemory(Trunk.scenario(SHORT), Trunk.options())) {
            return new Demo(SHORT, lab, Laboratory.MEMORY, steps, stop).run("made up");
        }
    }

    @Test
    void run_askedToEnd_hasWhatWasMeasuredAndTheReason() throws Exception {
        DemoResult result = runUntil(": one flow alone");
        assertEquals(StopRequest.REASON, result.ended());
        assertTrue(result.transfer().isIntact(), result.transfer().toString());
        assertNotNull(result.weir().idle());
        assertNull(result.weir().alone());
        assertNull(result.weir().join());
        JsonNode document = Documents.valid(Json.line(
                ResultDocument.of("demo", Fingerprint.take(), result, List.of()).endedBecause("interrupted")));
        assertEquals(ExitCode.FAILED, document.at("/error/exitCode").asInt());
        assertTrue(document.at("/result/weir/alone").isNull(), document.toString());
    }

    @Test
    void run_askedToEndBeforeAnything_hasNoResult() {
        assertThrows(InterruptedIOException.class, () -> runUntil("a transfer"));
    }

    private static void assertWeirWorked(DemoResult result) {
        assertTrue(result.transfer().isIntact(), result.transfer().toString());
        assertEquals(16 << 20, result.transfer().receivedBytes());
        // A credit for each segment. Whether there are more than the trunk can use, so that some are dropped, is for
        // the receivers' cores.
        long credits = result.creditsMetered() - result.creditsDropped();
        assertTrue(credits >= (16 << 20) / 1_460, result.toString());
        assertEquals(0, result.weir().dataDrops());
        assertEquals(3, result.weir().join().count());
        assertPausesAreBounded(result.weir(), 2);
    }

    /** What holds at any speed: shares are shares, every figure was either measured or is unknown, and tells why. */
    private static void assertPausesAreBounded(SystemFigures system, int hostLoops) {
        assertEquals(hostLoops, system.pauses().hosts().size());
        double offCore = system.pauses().offCoreFraction();
        assertTrue(offCore >= 0 && offCore <= 1, system.toString());
        Joins joins = system.join();
        assertEquals(joins.count(), joins.judged() + joins.baseTooSmall() + joins.pausedTooLong() + joins.notSeen());
        assertTrue(joins.medianRoundTrips() == null || joins.medianRoundTrips() > 0, joins.toString());
        QueueStats queue = system.alone().queue();
        boolean isAllStalled = queue.windows() == queue.windowsStalled();
        assertEquals(isAllStalled, queue.bytesMax() == null, queue.toString());
        assertTrue(isAllStalled || queue.bytesMean() <= queue.bytesMax(), queue.toString());
    }

    @Test
    void run_inMemory_movesVerifiedBytesAndSaysWhyTcpIsMissing() throws Exception {
        DemoResult result =
                run(Laboratory.inMemory(Trunk.scenario(SHORT), Trunk.options()), Laboratory.MEMORY, "not root");
        assertWeirWorked(result);
        String text = DemoText.of(result);
        assertTrue(text.contains("SHA-256 ") && text.contains(": matches"), text);
        assertTrue(text.contains("Kernel TCP was left out: not root"), text);
        assertEquals("a transfer whose SHA-256 is compared", progress.get(0));
    }

    @Test
    @LiveTest
    void run_inNamespaces_measuresBothAndLeavesNothingBehind() throws Exception {
        DemoResult result =
                run(Laboratory.inNamespaces(Trunk.scenario(SHORT), Trunk.options()), AfXdpBackend.NAME, null);
        assertWeirWorked(result);
        assertPausesAreBounded(result.tcp(), 0);
        String text = DemoText.of(result);
        assertTrue(text.contains("kernel TCP ("), text);
        assertTrue(text.contains("Both at once: Weir "), text);
        assertEquals(4, result.ports().size());
    }

    /** The switches flood nothing, so that a host of DPDK cannot ask for its neighbour's Ethernet address. */
    @Test
    @DpdkTest
    void run_hostsByDpdk_reachEachOther() throws Exception {
        DemoResult result =
                run(Laboratory.inNamespaces(Trunk.scenario(SHORT), Trunk.options()), DpdkBackend.NAME, null);
        assertWeirWorked(result);
        assertEquals(DpdkBackend.NAME, result.ports().get(0).backend());
    }
}
