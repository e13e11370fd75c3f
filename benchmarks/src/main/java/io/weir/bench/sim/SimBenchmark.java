package io.weir.bench.sim;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.weir.bench.command.Arguments;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Measures how many packet-hops per second the simulator does, as the processor time of its one thread has it. */
public final class SimBenchmark {
    private SimBenchmark() {}

    /** Measures; the exit status is 1 when {@code --require} is not met, 2 when the command line is wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        SimBenchmarkOptions options =
                Arguments.readOrExit(() -> SimBenchmarkOptions.parse(arguments), SimBenchmarkOptions.USAGE);
        SimFigures median = measure(options);
        System.out.println("median  " + median.line());
        if (options.baseline() != null) {
            compare(options, median);
        }
        if (median.hopsPerSecond() < options.hopsPerSecondMin()) {
            System.out.printf(
                    Locale.ROOT,
                    "NOT MET: %.2f M hops/s of %.2f%n",
                    median.hopsPerSecond() / 1e6,
                    options.hopsPerSecondMin() / 1e6);
            System.exit(1);
        }
    }

    @SuppressWarnings("SystemOut")
    private static SimFigures measure(SimBenchmarkOptions options) throws IOException {
        ScenarioTimer timer = new ScenarioTimer();
        List<SimFigures> figures = new ArrayList<>();
        for (int i = 0; i < 2 * options.runs(); i++) {
            SimFigures run = timer.measure(options.scenario(), options.assignments());
            System.out.println((i < options.runs() ? "warm    " : "run     ") + run.line());
            if (i >= options.runs()) {
                figures.add(run);
            }
        }
        figures.sort(Comparator.comparingDouble(SimFigures::nanosPerHop));
        return figures.get(figures.size() / 2);
    }

    @SuppressWarnings("SystemOut")
    private static void compare(SimBenchmarkOptions options, SimFigures median) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        File file = new File(options.baseline());
        String name = new File(options.scenario()).getName() + " " + String.join(" ", options.assignments());
        if (options.isWriting()) {
            Map<String, Object> all = new TreeMap<>();
            if (file.exists()) {
                all.putAll(mapper.readValue(file, new TypeReference<Map<String, Object>>() {}));
            }
            all.put(
                    name.strip(),
                    Map.of(
                            "yardsticksPerHop", Math.round(median.yardsticksPerHop() * 100) / 100.0,
                            "nanosPerHop", Math.round(median.nanosPerHop() * 10) / 10.0,
                            "packetHops", median.packetHops()));
            mapper.writeValue(file, all);
            return;
        }
        JsonNode before = mapper.readTree(file).path(name.strip()).path("yardsticksPerHop");
        System.out.printf(
                Locale.ROOT,
                "yardsticks/hop now / baseline: %.2f / %.2f = %.2f (below 1 is faster)%n",
                median.yardsticksPerHop(),
                before.asDouble(),
                median.yardsticksPerHop() / before.asDouble());
    }
}
