package io.weir.cli.lab;

import java.util.List;

/**
 * How well the laboratory kept time, beside its result.
 *
 * @param loopNanos how long its loop ran
 * @param realTime whether its thread had the kernel's real-time class
 * @param stallCount how often the loop's thread was off its core for 100 us or more
 * @param stallNanos how long, all times together
 * @param offCoreFraction the share of the time that it was off its core
 * @param cyclesPerSecond how often it looked at every port
 * @param framesLost frames that the kernel dropped because the loop came too late
 * @param notes what the scenario says and the laboratory does not play
 */
record LabFigures(
        long loopNanos,
        boolean realTime,
        long stallCount,
        long stallNanos,
        double offCoreFraction,
        double cyclesPerSecond,
        long framesLost,
        List<String> notes) {
    /** Copies the list. */
    LabFigures {
        notes = List.copyOf(notes);
    }
}
