package io.weir.papers;

import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A simulation that a figure needs.
 *
 * @param <R> what remains of its result
 * @param name what the report calls it; unlike that of the figure's other runs
 * @param file a file of the catalogue, as in {@code expresspass/fig10-parking-lot.yaml}
 * @param settings what is put in the place of the file's values, as {@code --set} takes it: {@code
 *     topology.bottlenecks=6}
 * @param extract reduces the result at once, so that memory does not grow with the number of runs; runs on any thread
 */
public record PaperRun<R>(String name, String file, List<String> settings, Function<ScenarioResult, R> extract) {
    /** Where the repository has the catalogue. */
    public static final String CATALOGUE = "benchmarks/scenarios/";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.,:=/%+-]+");

    public PaperRun {
        settings = List.copyOf(settings);
    }

    /** {@return the line that repeats exactly this run} */
    public String command() {
        String line = "./weir sim " + CATALOGUE + file;
        return settings.isEmpty()
                ? line
                : line
                        + settings.stream()
                                .map(setting -> " --set " + quoted(setting))
                                .collect(Collectors.joining());
    }

    private static String quoted(String setting) {
        return PLAIN.matcher(setting).matches() ? setting : "'" + setting.replace("'", "'\\''") + "'";
    }
}
