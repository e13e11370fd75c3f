package io.weir.bench.raw;

import io.weir.bench.command.Arguments;
import java.util.List;
import java.util.Locale;

/**
 * What to measure.
 *
 * @param workloads the jobs
 * @param sizesBytes the frames' sizes in memory
 * @param pairCount how often each job is run by each side
 * @param seconds how long each run is measured
 * @param generic whether the XDP programs run in the generic path
 * @param ratioMin what Java must reach of C, or 0 for no demand
 * @param deviceCore the core of the side being measured
 * @param peerCore the core of the traffic generator
 */
record RawOptions(
        List<RawJob> workloads,
        List<Integer> sizesBytes,
        int pairCount,
        double seconds,
        boolean generic,
        double ratioMin,
        int deviceCore,
        int peerCore) {

    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar raw [--workloads receive,transmit,forward,ping] [--sizes 64,1500]
                       [--pairs 5] [--seconds 2] [--generic] [--require RATIO] [--device-core 0] [--peer-core 1]""";

    /** {@return the options that the command line asks for} */
    static RawOptions parse(String[] arguments) {
        Arguments given = Arguments.of(
                List.of(arguments),
                "--workloads --sizes --pairs --seconds --require --device-core --peer-core",
                "--generic");
        List<RawJob> workloads = given.has("--workloads")
                ? given.list("--workloads", "").stream()
                        .map(name -> RawJob.valueOf(name.toUpperCase(Locale.ROOT)))
                        .toList()
                : List.of(RawJob.values());
        return new RawOptions(
                workloads,
                given.list("--sizes", "64,1500").stream().map(Integer::valueOf).toList(),
                given.integer("--pairs", 5),
                given.decimal("--seconds", 2),
                given.has("--generic"),
                given.decimal("--require", 0),
                given.integer("--device-core", 0),
                given.integer("--peer-core", 1));
    }
}
