package io.weir.bench.latency;

import io.weir.bench.command.Arguments;
import io.weir.transport.runtime.XdpMode;
import java.util.List;
import java.util.Locale;

/**
 * What to measure.
 *
 * @param contests which sides to measure next to each other
 * @param sizeBytes the length of a message
 * @param pairCount how often each side runs
 * @param seconds how long each run is measured
 * @param mode where the XDP programs run
 * @param pin whether each end's threads share one core also where they would not need to
 * @param ratioMax the most that Weir's median may be of the kernel's, or 0 for no demand
 */
record PingPongOptions(
        List<Contest> contests,
        int sizeBytes,
        int pairCount,
        double seconds,
        XdpMode mode,
        boolean pin,
        double ratioMax) {
    static final int SIZE_BYTES_MAX = 1_400;

    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar latency [--contests spin,default,handlers,invoker] [--size 64]
                       [--pairs 5] [--seconds 2] [--generic] [--pin] [--require RATIO]""";

    PingPongOptions {
        if (sizeBytes < 1 || sizeBytes > SIZE_BYTES_MAX) {
            throw new IllegalArgumentException("size=" + sizeBytes + " is outside 1.." + SIZE_BYTES_MAX);
        }
        if (pairCount < 1 || seconds <= 0) {
            throw new IllegalArgumentException("pairs and seconds must be positive");
        }
        contests = List.copyOf(contests);
    }

    /** {@return the options that the command line asks for} */
    static PingPongOptions parse(List<String> arguments) {
        Arguments given =
                Arguments.of(arguments, "--contests --size --pairs --seconds --require", "--generic", "--pin");
        List<Contest> contests = given.has("--contests")
                ? given.list("--contests", "").stream()
                        .map(name -> Contest.valueOf(name.toUpperCase(Locale.ROOT)))
                        .toList()
                : List.of(Contest.values());
        return new PingPongOptions(
                contests,
                given.integer("--size", 64),
                given.integer("--pairs", 5),
                given.decimal("--seconds", 2),
                given.has("--generic") ? XdpMode.GENERIC : XdpMode.NATIVE,
                given.has("--pin"),
                given.decimal("--require", 0));
    }
}
