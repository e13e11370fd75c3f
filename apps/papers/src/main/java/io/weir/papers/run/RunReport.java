package io.weir.papers.run;

import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/**
 * What a run was, and what it took.
 *
 * @param figure the figure that needs it
 * @param name what the figure calls it
 * @param file the scenario's file
 * @param settings what was put in the place of its values
 * @param command the line that repeats it
 * @param complete whether it ran to its end
 * @param problems why it failed, or what makes its figures doubtful; empty if all is well
 * @param dataDrops frames that full data queues dropped
 * @param run its seed, times and trace, or null if it did not begin
 */
public record RunReport(
        String figure,
        String name,
        String file,
        List<String> settings,
        String command,
        boolean complete,
        List<String> problems,
        long dataDrops,
        ScenarioResult.Run run) {
    public RunReport {
        settings = List.copyOf(settings);
        problems = List.copyOf(problems);
    }

    /** {@return whether its figures can be relied on} */
    public boolean succeeded() {
        return complete && problems.isEmpty();
    }
}
