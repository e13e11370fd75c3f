package io.weir.cli.scenario;

import io.weir.transport.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;

/**
 * What a file describes.
 *
 * @param scenario the experiment
 * @param criteria what the file demands of its result
 * @param yaml the file as it was read, with what the command line changed
 * @param folder where the file is
 * @param files the files of sizes and pauses that it names, below that folder
 */
public record ScenarioPlan(
        Scenario scenario, List<StatedCriterion> criteria, String yaml, Path folder, List<Path> files) {
    public ScenarioPlan {
        criteria = List.copyOf(criteria);
        files = List.copyOf(files);
    }
}
