package io.weir.cli.lab;

import java.util.List;

/**
 * How well the laboratory kept time, next to its result.
 *
 * @param loopNanos how long its loop ran, by the machine's clock
 * @param realTime whether its thread had the kernel's real-time class
 * @param timeStandsStill whether the laboratory's time stood still while the loop was away
 * @param awayCount how often a step of the loop took more than 20 us: its thread was off its core, or slept to leave it
 *     to others
 * @param awayNanos how long beyond that, all times together
 * @param awayFraction the same as a share of the loop's time
 * @param cyclesPerSecond how often it looked at every port
 * @param framesLost frames that the kernel dropped because the loop came too late
 * @param notes what the scenario says and the laboratory does not play
 */
public record LabFigures(
        long loopNanos,
        boolean realTime,
        boolean timeStandsStill,
        long awayCount,
        long awayNanos,
        double awayFraction,
        double cyclesPerSecond,
        long framesLost,
        List<String> notes) {
    public LabFigures {
        notes = List.copyOf(notes);
    }
}
