package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.compare.end.Task;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares for a moment: that bytes arrive, and that nothing stays behind; not how fast. */
@LiveTest
class CompareLiveTest {
    @Test
    void run_bulkWithAndWithoutASpinningThread_everybodyMovesBytes() throws Exception {
        CompareFindings findings = compare(
                "--subjects weir-expresspass,tcp-xdp --workloads bulk --pairs 1 --warm 1 --seconds 2 --spinners 0,1");
        assertEquals(List.of(), findings.gaps());
        findings.outcomes().values().forEach(outcome -> {
            assertTrue(outcome.values().get(Measure.GOODPUT) > 0);
            assertTrue(outcome.values().get(Measure.OPENING) > 0);
            assertTrue(outcome.ramp().size() >= 2);
        });
        assertEquals(2, findings.holds().size());
        assertNothingStays();
    }

    @Test
    @Tag("slow")
    void run_roundTripsByEveryKindOfCarrier_messagesComeBack() throws Exception {
        CompareFindings findings = compare(
                "--subjects weir-memory,weir-sockets,weir-jdk,weir-netty,weir-grpc,weir-af-packet,weir-dpdk,weir-memif,"
                        + "tcp-offloads,udp,netty,grpc,aeron-udp,aeron-ipc --workloads rr --sizes 64 --pairs 1"
                        + " --warm 0.1 --seconds 0.3 --base udp");
        assertEquals(List.of(), findings.gaps());
        findings.outcomes().forEach((turn, outcome) -> {
            // It is over with an answer after the window; in the window itself the machine may have stood still.
            assertTrue(outcome.values().containsKey(Measure.ROUND_TRIPS), turn.toString());
            assertTrue(outcome.values().get(Measure.P50) <= outcome.values().get(Measure.P9999), turn.toString());
        });
        assertNothingStays();
    }

    @Test
    @Tag("slow")
    void run_callsOverOpenConnections_areAnswered() throws Exception {
        CompareFindings findings = compare("--subjects weir-expresspass,weir-dctcp,tcp-xdp,tcp-epoll --workloads rpc"
                + " --sizes 64,20000 --connections 1,3 --outstanding 1,4 --pairs 1 --warm 0.2 --seconds 0.5");
        findings.outcomes().forEach((turn, outcome) -> {
            boolean isStated =
                    turn.rival().name().equals("tcp-epoll") && turn.job().task() != Task.CALLS;
            assertEquals(isStated ? "the program in C only calls" : null, outcome.failure(), turn.toString());
            if (turn.job().task() == Task.CALLS) {
                // In the window itself the machine may have stood still; it is over with an answer after that.
                assertTrue(outcome.values().containsKey(Measure.CALLS), turn.toString());
                assertTrue(outcome.values().get(Measure.P50) <= outcome.values().get(Measure.P99), turn.toString());
            }
            if (turn.job().task() == Task.DUPLEX && !isStated) {
                assertTrue(outcome.values().get(Measure.GOODPUT) > 0, turn.toString());
            }
        });
        assertNothingStays();
    }

    @Test
    void run_connectionsAndIdle_areCountedOrStated() throws Exception {
        CompareFindings findings = compare("--subjects weir-expresspass,tcp-plain,udp --workloads connects,many,idle "
                + "--connections 3 --pairs 1 --warm 0 --seconds 1 --base tcp-plain");
        findings.outcomes().forEach((turn, outcome) -> {
            boolean isStated = turn.rival().name().equals("udp") && turn.job().task() != Task.IDLE;
            assertEquals(isStated ? "UDP has no connections" : null, outcome.failure());
            if (!isStated && turn.job().task() == Task.MANY) {
                assertTrue(outcome.values().get(Measure.OPENS) > 0);
                assertTrue(outcome.values().get(Measure.RESIDENT) > 0);
            }
        });
        assertNothingStays();
    }

    @Test
    @Tag("slow")
    void run_jumboFrames_subjectsThatCannotSayWhy() throws Exception {
        CompareFindings findings =
                compare("--subjects weir-expresspass,tcp-plain --workloads bulk --pairs 1 --warm 1 --seconds 1 "
                        + "--mtu 9000 --base tcp-plain");
        for (Map.Entry<CompareTurn, TurnOutcome> entry : findings.outcomes().entrySet()) {
            TurnOutcome outcome = entry.getValue();
            // A subject has bytes, or a reason: never a zero. The kernel's TCP has no reason.
            assertTrue(!outcome.isFailure() || entry.getKey().rival().isWeir(), outcome.failure());
            assertTrue(
                    outcome.isFailure()
                            ? !outcome.failure().isBlank()
                            : outcome.values().get(Measure.GOODPUT) > 0);
        }
        assertNothingStays();
    }

    @Test
    @Tag("slow")
    void run_withArchives_runsWithoutThoseThatTheJvmRefusesAndSaysSo() throws Exception {
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        // The class path of tests has folders.
        CompareFindings findings = Compare.run(
                CompareOptions.parse(
                        ("--subjects weir-expresspass --workloads bulk --pairs 1 --warm 1 --seconds 1" + " --archive")
                                .split(" ", -1)),
                new PrintStream(progress, false, StandardCharsets.UTF_8));
        assertEquals(List.of(), findings.gaps());
        String said = progress.toString(StandardCharsets.UTF_8);
        assertTrue(said.contains("weir-expresspass: 0 of 2 written; a JVM refuses"), said);
        assertNothingStays();
    }

    private static CompareFindings compare(String arguments) throws Exception {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return Compare.run(CompareOptions.parse(arguments.split(" ", -1)), nowhere);
    }

    private static void assertNothingStays() throws Exception {
        String ours = "weir-" + ProcessHandle.current().pid() + "-";
        for (String name : NetNamespace.names()) {
            assertFalse(name.startsWith(ours + "client") || name.startsWith(ours + "server"), name);
        }
        assertEquals(
                0,
                ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .filter(child -> child.info().command().orElse("").endsWith("java"))
                        .count());
    }
}
