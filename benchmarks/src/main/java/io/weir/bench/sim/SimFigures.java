package io.weir.bench.sim;

import java.util.Locale;

/**
 * What one measurement of a scenario gave.
 *
 * @param packetHops frames that started on a link
 * @param events events of the simulator
 * @param cpuNanos processor time of the whole run, set-up and report included
 * @param allocatedBytes bytes that the run's thread allocated
 * @param yardstickNanos what the yardstick's unit took just before
 */
record SimFigures(long packetHops, long events, long cpuNanos, long allocatedBytes, double yardstickNanos) {
    double hopsPerSecond() {
        return packetHops * 1e9 / cpuNanos;
    }

    double nanosPerHop() {
        return (double) cpuNanos / packetHops;
    }

    /** {@return a hop's cost in units of the yardstick: the figure that machines have in common} */
    double yardsticksPerHop() {
        return nanosPerHop() / yardstickNanos;
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%,13d hops  %5.2f M hops/s  %6.1f ns/hop  %5.2f yardsticks/hop  %4.2f events/hop  %8.3f B/hop",
                packetHops,
                hopsPerSecond() / 1e6,
                nanosPerHop(),
                yardsticksPerHop(),
                (double) events / packetHops,
                (double) allocatedBytes / packetHops);
    }
}
