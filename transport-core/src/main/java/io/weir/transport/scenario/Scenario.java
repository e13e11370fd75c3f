package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;
import java.util.List;

/**
 * An experiment: a network, what crosses it, what goes wrong, and what is measured. It runs in virtual time or on real
 * ports, and reports the same result document.
 *
 * @param name what results call it
 * @param description what it shows, or empty
 * @param seed what all randomness follows from
 * @param durationNanos when it ends
 * @param endsWhenDone whether it ends earlier, once every flow of limited size is complete
 * @param network the hosts, switches and links
 * @param traffic what crosses the network
 * @param faults what goes wrong
 * @param measurement what is measured and how often
 * @param tokens whether hosts have talked before: an opening then carries a token of its peer, needs no challenge, and
 *     data follow one round trip after it
 */
public record Scenario(
        String name,
        String description,
        long seed,
        long durationNanos,
        boolean endsWhenDone,
        Network network,
        List<Traffic> traffic,
        List<Fault> faults,
        Measurement measurement,
        boolean tokens) {
    /** Copies the lists and validates the length. */
    public Scenario {
        traffic = List.copyOf(traffic);
        faults = List.copyOf(faults);
        if (durationNanos <= 0) {
            throw new ConfigException("durationNanos=" + durationNanos + " must be positive");
        }
        if (measurement.warmUpNanos() >= durationNanos) {
            throw new ConfigException("warmUpNanos=" + measurement.warmUpNanos() + " leaves nothing of durationNanos="
                    + durationNanos + " to measure; shorten the warm-up or lengthen the run");
        }
    }

    /** Creates an experiment among hosts that have talked before. */
    public Scenario(
            String name,
            String description,
            long seed,
            long durationNanos,
            boolean endsWhenDone,
            Network network,
            List<Traffic> traffic,
            List<Fault> faults,
            Measurement measurement) {
        this(name, description, seed, durationNanos, endsWhenDone, network, traffic, faults, measurement, true);
    }

    /** {@return the same experiment from another seed} */
    public Scenario withSeed(long newSeed) {
        return new Scenario(
                name, description, newSeed, durationNanos, endsWhenDone, network, traffic, faults, measurement, tokens);
    }

    /** {@return the same experiment with other traffic} */
    public Scenario withTraffic(List<Traffic> newTraffic) {
        return new Scenario(
                name, description, seed, durationNanos, endsWhenDone, network, newTraffic, faults, measurement, tokens);
    }
}
