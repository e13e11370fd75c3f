package io.weir.bench.sharing;

import io.weir.bench.command.Arguments;
import java.util.List;

/**
 * What to measure.
 *
 * @param pairCount how often each side runs
 * @param seconds how long each run is measured, after a warm-up of as long, and half a second at most
 * @param mtuBytes the interface's MTU, and memory's if it is larger than that is by itself
 * @param isSameHost whether processes of one host are measured next to kernel TCP over loopback
 * @param isHop whether the broker is measured next to a transport that has the interface to itself
 */
record SharingOptions(int pairCount, double seconds, int mtuBytes, boolean isSameHost, boolean isHop) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar sharing [--pairs 3] [--seconds 2] [--mtu 1500] [--only same-host|hop]""";

    SharingOptions {
        if (pairCount < 1 || seconds <= 0) {
            throw new IllegalArgumentException("pairs and seconds must be positive");
        }
    }

    /** {@return the options that the command line asks for} */
    static SharingOptions parse(List<String> arguments) {
        Arguments given = Arguments.of(arguments, "--pairs --seconds --mtu --only");
        String only = given.text("--only", "");
        if (!List.of("", "same-host", "hop").contains(only)) {
            throw new IllegalArgumentException("--only " + only + " is neither same-host nor hop");
        }
        return new SharingOptions(
                given.integer("--pairs", 3),
                given.decimal("--seconds", 2),
                given.integer("--mtu", 1500),
                !only.equals("hop"),
                !only.equals("same-host"));
    }
}
