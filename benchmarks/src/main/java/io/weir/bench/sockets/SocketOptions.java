package io.weir.bench.sockets;

import io.weir.bench.command.Arguments;
import java.util.List;

/**
 * What to measure.
 *
 * @param rounds turns of each kind of socket; the first half warms up
 * @param trips round trips per turn
 * @param sizeBytes bytes of a message
 * @param isMemory whether the link is memory, which needs no root, in place of AF_XDP
 * @param ratioMax the most that the median of {@code java.net.Socket} may be of Weir's, or 0 for no demand
 */
record SocketOptions(int rounds, int trips, int sizeBytes, boolean isMemory, double ratioMax) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar sockets [--rounds 60] [--trips 2000] [--size 64] [--memory]
                       [--require RATIO]   (as root: it makes network namespaces; not with --memory)""";

    private static final int ROUNDS_MIN = 2;
    private static final int SIZE_BYTES_MAX = 65_536;

    SocketOptions {
        if (rounds < ROUNDS_MIN || trips < 1) {
            throw new IllegalArgumentException(
                    "rounds=" + rounds + " must be at least " + ROUNDS_MIN + ", trips=" + trips + " at least 1");
        }
        if (sizeBytes < 1 || sizeBytes > SIZE_BYTES_MAX) {
            throw new IllegalArgumentException("size=" + sizeBytes + " is outside 1.." + SIZE_BYTES_MAX);
        }
    }

    /** {@return the options that the command line asks for} */
    static SocketOptions parse(String... arguments) {
        Arguments given = Arguments.of(List.of(arguments), "--rounds --trips --size --require", "--memory");
        return new SocketOptions(
                given.integer("--rounds", 60),
                given.integer("--trips", 2_000),
                given.integer("--size", 64),
                given.has("--memory"),
                given.decimal("--require", 0));
    }
}
