package io.weir.bench.pauses;

import io.weir.bench.command.Arguments;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.scenario.PauseTraces;
import java.util.List;

/**
 * What to play.
 *
 * @param trace the name of a trace that comes with Weir
 * @param protocols the names of the protocols
 * @param nets the names of the networks
 * @param millis how long each run lasts, a quarter of it to warm up
 * @param seed what all randomness of the first run follows from; those of the others follow
 * @param seeds runs of each case: the table has medians of rates and bytes, and the largest of queues and drops
 */
record TableOptions(String trace, List<String> protocols, List<String> nets, long millis, long seed, int seeds) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar pauses table [--trace spinner] [--protocols A,B...] [--nets A,B...]
                       [--millis 400] [--seed 1] [--seeds 3]""";

    private static final long MILLIS_MAX = 10_000;
    private static final int SEEDS_MAX = 100;

    TableOptions {
        protocols = List.copyOf(protocols);
        nets = List.copyOf(nets);
        if (!PauseTraces.names().contains(trace)) {
            throw new IllegalArgumentException(
                    "there is no trace " + trace + "; there are " + String.join(", ", PauseTraces.names()));
        }
        for (String protocol : protocols) {
            if (Catalogue.find(protocol).isEmpty()) {
                throw new IllegalArgumentException(
                        "there is no protocol " + protocol + "; there are " + String.join(", ", Catalogue.names()));
            }
        }
        for (String net : nets) {
            if (!PauseTable.NETS.contains(net)) {
                throw new IllegalArgumentException(
                        "there is no network " + net + "; there are " + String.join(", ", PauseTable.NETS));
            }
        }
        if (seeds < 1 || seeds > SEEDS_MAX) {
            throw new IllegalArgumentException("--seeds " + seeds + " is outside 1.." + SEEDS_MAX);
        }
        if (millis < 1 || millis > MILLIS_MAX) {
            throw new IllegalArgumentException("--millis " + millis + " is outside 1.." + MILLIS_MAX);
        }
    }

    /** {@return the options that the command line asks for} */
    static TableOptions parse(List<String> arguments) {
        Arguments given = Arguments.of(arguments, "--trace --protocols --nets --millis --seed --seeds");
        return new TableOptions(
                given.text("--trace", "spinner"),
                given.has("--protocols") ? given.list("--protocols", "") : Catalogue.protocolNames(),
                given.has("--nets") ? given.list("--nets", "") : PauseTable.NETS,
                given.whole("--millis", 400),
                given.whole("--seed", 1),
                given.integer("--seeds", 3));
    }
}
