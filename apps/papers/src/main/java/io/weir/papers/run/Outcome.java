package io.weir.papers.run;

import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/**
 * How a simulation ended.
 *
 * @param complete whether it ran to its end
 * @param problems why it failed, or what makes its figures doubtful
 * @param dataDrops frames that full data queues dropped
 * @param run its seed, times and trace, or null if it failed
 */
record Outcome(boolean complete, List<String> problems, long dataDrops, ScenarioResult.Run run) {
    /** What a simulation has that nobody began. */
    static final Outcome NOT_BEGUN = new Outcome(false, List.of(), 0, null);

    static Outcome of(ScenarioResult result) {
        return new Outcome(
                result.complete(), result.problems(), result.summary().dataDrops(), result.run());
    }

    static Outcome failed(RuntimeException e) {
        return new Outcome(false, List.of("failed: " + e), 0, null);
    }

    /** {@return why there is nothing of it} */
    String reason() {
        if (!problems.isEmpty()) {
            return problems.get(0);
        }
        return run == null ? "not run" : "interrupted";
    }
}
