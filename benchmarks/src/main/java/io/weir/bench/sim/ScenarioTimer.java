package io.weir.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.weir.cli.WeirCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs {@code weir sim} in this process, as users do, and times it. */
final class ScenarioTimer {
    private final ObjectMapper mapper = new ObjectMapper();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Yardstick yardstick = new Yardstick();

    /** {@return what a run of the scenario took; a scenario whose criteria are not met is an error} */
    SimFigures measure(String scenario, List<String> assignments) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("sim", scenario, "--json"));
        assignments.forEach(assignment -> arguments.addAll(List.of("--set", assignment)));
        double yardstickNanos = yardstick.measureNanos();
        StringWriter out = new StringWriter();
        CommandLine command = WeirCommand.commandLine().setOut(new PrintWriter(out));
        long bytesBefore = threads.getCurrentThreadAllocatedBytes();
        long nanosBefore = threads.getCurrentThreadCpuTime();
        int status = command.execute(arguments.toArray(new String[0]));
        long cpuNanos = threads.getCurrentThreadCpuTime() - nanosBefore;
        long bytes = threads.getCurrentThreadAllocatedBytes() - bytesBefore;
        if (status != 0) {
            throw new IllegalStateException("weir " + String.join(" ", arguments) + " ended with status " + status);
        }
        JsonNode run = mapper.readTree(out.toString()).path("result").path("run");
        return new SimFigures(
                run.path("packetHops").asLong(), run.path("events").asLong(), cpuNanos, bytes, yardstickNanos);
    }
}
