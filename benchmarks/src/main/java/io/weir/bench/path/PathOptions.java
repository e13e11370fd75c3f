package io.weir.bench.path;

import io.weir.bench.command.Arguments;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.util.List;

/**
 * What to measure.
 *
 * @param protocol what schedules the frames
 * @param frames data frames a run
 * @param runs measured runs; as many come before, to warm up
 * @param connections connections that share the path
 * @param creditFrames how many frames one credit may permit
 * @param nanosMax the most that the median may cost, or 0 for no demand
 */
record PathOptions(ProtocolConfig protocol, int frames, int runs, int connections, int creditFrames, double nanosMax) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar path [--protocol expresspass] [--frames 500000] [--runs 9]
                       [--connections 1] [--credit-frames 1] [--require NANOS]""";

    private static final int FRAMES_MIN = 10_000;
    private static final int CONNECTIONS_MAX = 20_000;

    PathOptions {
        if (frames < FRAMES_MIN || runs < 1) {
            throw new IllegalArgumentException(
                    "frames=" + frames + " must be at least " + FRAMES_MIN + ", runs=" + runs + " at least 1");
        }
        if (connections < 1 || connections > CONNECTIONS_MAX) {
            throw new IllegalArgumentException("connections=" + connections + " is outside 1.." + CONNECTIONS_MAX);
        }
    }

    /** {@return the options that the command line asks for} */
    static PathOptions parse(String... arguments) {
        Arguments given =
                Arguments.of(List.of(arguments), "--protocol --frames --runs --connections --credit-frames --require");
        return new PathOptions(
                find(given.text("--protocol", "expresspass")),
                given.integer("--frames", 500_000),
                given.integer("--runs", 9),
                given.integer("--connections", 1),
                given.integer("--credit-frames", 1),
                given.decimal("--require", 0));
    }

    private static ProtocolConfig find(String name) {
        return Catalogue.find(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "protocol " + name + " is unknown; there are " + String.join(", ", Catalogue.protocolNames())));
    }
}
