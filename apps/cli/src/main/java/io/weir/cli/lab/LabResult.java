package io.weir.cli.lab;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.weir.transport.scenario.result.ScenarioResult;

/**
 * What a run in a laboratory prints: the document of a simulation, and how well the laboratory kept time.
 *
 * @param result what the scenario found
 * @param lab how regularly the loop ran
 */
record LabResult(@JsonUnwrapped ScenarioResult result, LabFigures lab) {}
