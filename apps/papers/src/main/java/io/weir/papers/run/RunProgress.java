package io.weir.papers.run;

import io.weir.cli.unit.Durations;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How far the runs are.
 *
 * @param done how many have ended
 * @param all how many there are
 * @param current those that run now
 */
public record RunProgress(int done, int all, List<Current> current) {
    public RunProgress {
        current = List.copyOf(current);
    }

    /**
     * A run that is not over.
     *
     * @param figure the figure that needs it
     * @param run what the figure calls it
     * @param virtualNanos the time in the experiment
     * @param durationNanos when that ends at the latest
     */
    public record Current(String figure, String run, long virtualNanos, long durationNanos) {
        private String line() {
            return figure + " (" + run + ") " + Durations.print(virtualNanos) + " of " + Durations.print(durationNanos);
        }
    }

    /** {@return the part of the runs that is done, those that run now by their virtual time} */
    public double fraction() {
        double running = current.stream()
                .mapToDouble(run -> (double) run.virtualNanos() / run.durationNanos())
                .sum();
        return all == 0 ? 1 : (done + running) / all;
    }

    /** {@return it in a line for people} */
    public String line() {
        return done + " of " + all + " runs; "
                + current.stream().map(Current::line).collect(Collectors.joining(", "));
    }
}
