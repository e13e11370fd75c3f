package io.weir.cli.scenario;

import io.weir.transport.scenario.Scenario;
import java.util.List;

/**
 * What a file describes.
 *
 * @param scenario the experiment
 * @param criteria what the file demands of its result
 * @param yaml the file as it was read, with what the command line changed
 */
record ScenarioPlan(Scenario scenario, List<StatedCriterion> criteria, String yaml) {
    /** Copies the list. */
    ScenarioPlan {
        criteria = List.copyOf(criteria);
    }
}
