package io.weir.bench.held;

import io.weir.bench.command.Arguments;
import java.util.List;

/**
 * What to measure.
 *
 * @param connections how many are open at the end
 * @param bytes what each carries in each direction
 * @param idleSeconds how long they are idle before memory is read
 * @param bytesMax the most that one end of a connection may cost, or 0 for no demand
 */
record HeldOptions(int connections, long bytes, double idleSeconds, long bytesMax) {
    static final String USAGE = """
            usage: java -Xmx3g -jar weir-benchmarks.jar held [--connections 10000] [--bytes 1000000] [--idle 10]
                       [--require BYTES]""";

    private static final int CONNECTIONS_MAX = 60_000;

    HeldOptions {
        if (connections < 1 || connections > CONNECTIONS_MAX) {
            throw new IllegalArgumentException("connections=" + connections + " is outside 1.." + CONNECTIONS_MAX);
        }
        if (bytes < 1 || idleSeconds < 0) {
            throw new IllegalArgumentException(
                    "bytes=" + bytes + " must be at least 1, idle=" + idleSeconds + " at least 0");
        }
    }

    /** {@return the options that the command line asks for} */
    static HeldOptions parse(String... arguments) {
        Arguments given = Arguments.of(List.of(arguments), "--connections --bytes --idle --require");
        return new HeldOptions(
                given.integer("--connections", 10_000),
                given.whole("--bytes", 1_000_000),
                given.decimal("--idle", 10),
                given.whole("--require", 0));
    }
}
