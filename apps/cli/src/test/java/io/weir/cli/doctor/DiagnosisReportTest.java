package io.weir.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.testing.CommandRun;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.NeighbourState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is in the file that goes with a bug report, and what is not. */
class DiagnosisReportTest {
    private static final List<String> ADDRESSES = List.of("10.0.0.1", "10.0.0.9", "02:00:0a:00:00:01");

    @TempDir
    private Path root;

    private String report() {
        FakeMachine machine = new FakeMachine(root);
        machine.neighbours.add(new KernelEvent.Neighbour(
                false, 2, FakeMachine.address("10.0.0.9"), 0x0200_0a00_0002L, new NeighbourState(0x20)));
        machine.javaFlags = List.of("-XX:+UseSerialGC", "-Dservice.password=geheim");
        machine.file("proc/cmdline", "BOOT_IMAGE=/vmlinuz root=UUID=77 isolcpus=2-3 secret=geheim mitigations=off");
        machine.file(FakeMachine.DEVICE + "statistics/rx_dropped", "17");
        machine.file(FakeMachine.DEVICE + "statistics/rx_errors", "0");
        DoctorResult result = DoctorResult.of("eth0", Checks.run(machine.view()));
        return String.join("\n", DiagnosisReport.lines(machine.view(), result, Fingerprint.take()));
    }

    @Test
    void lines_haveWhatABugReportNeeds() {
        String report = report();
        for (String part : List.of(
                "\"weirVersion\"",
                "neighbour-failed",
                "-XX:+UseSerialGC",
                "isolcpus=2-3 mitigations=off",
                "rx_dropped=17",
                "== /proc/pressure/cpu",
                "receiveQueueCount=4",
                "zeroCopy=true")) {
            assertTrue(report.contains(part), part + " is missing in\n" + report);
        }
    }

    @Test
    void lines_haveNothingThatIsNobodysBusiness() {
        String report = report();
        assertFalse(report.contains("geheim"), report);
        assertFalse(report.contains("UUID"), report);
        assertFalse(report.contains("rx_errors"), report);
    }

    @Test
    void lines_masked_haveNoAddress() {
        String report = report();
        ADDRESSES.forEach(address -> assertTrue(report.contains(address), address + " is missing in\n" + report));
        String masked = new AddressMask().mask(report);
        ADDRESSES.forEach(address -> assertFalse(masked.contains(address), address + " is in\n" + masked));
        assertTrue(masked.contains("Linux") || masked.contains("6.18.44-amd64"), masked);
    }

    @Test
    void command_report_isWrittenOnceAndWithoutAddresses() throws IOException {
        Path file = root.resolve("report.txt");
        CommandRun run = CommandRun.execute("doctor", "lo", "--report", file.toString());
        assertEquals(ExitCode.ENVIRONMENT, run.await());
        assertTrue(run.out().contains("wrote " + file), run.out());
        String text = Files.readString(file);
        assertTrue(text.contains("link-not-ethernet"), text);
        assertFalse(text.contains("127.0.0.1"), text);
        CommandRun again = CommandRun.execute("doctor", "--report", file.toString());
        assertEquals(ExitCode.USAGE, again.await());
        assertTrue(again.err().contains("--report: " + file + " is there already; name another"), again.err());
        assertEquals(text, Files.readString(file));
    }

    @Test
    void command_reportWithAddresses_hasThem() throws IOException {
        Path file = root.resolve("report.txt");
        CommandRun.execute("doctor", "lo", "--addresses", "--report", file.toString())
                .await();
        assertTrue(Files.readString(file).contains("127.0.0.1"));
        assertEquals(ExitCode.USAGE, CommandRun.execute("doctor", "--addresses").await());
    }
}
