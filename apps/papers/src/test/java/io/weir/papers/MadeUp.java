package io.weir.papers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Judges figures by results that a test makes up, without running anything. */
public final class MadeUp {
    private MadeUp() {}

    /** {@return the verdict of each claim of a figure, by the claim's name without the figure's} */
    public static Map<String, Verdict> verdicts(Figure figure, Function<String, Object> extractOfRun) {
        RunResults results = new RunResults();
        for (PaperRun<?> run : figure.runs(Scale.QUICK)) {
            results.put(run, extractOfRun.apply(run.name()));
        }
        Map<String, Verdict> verdicts = new LinkedHashMap<>();
        for (Claim claim : figure.evaluate(results, Scale.QUICK).claims()) {
            verdicts.put(claim.id().substring(figure.id().length() + 1), claim.verdict());
        }
        return verdicts;
    }

    /** {@return the number behind a word in a run's name} */
    public static int number(String name, String word) {
        String rest = name.substring(name.indexOf(word) + word.length()).trim();
        return Integer.parseInt(rest.split("[^0-9]", 2)[0]);
    }
}
