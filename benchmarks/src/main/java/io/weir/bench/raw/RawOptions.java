package io.weir.bench.raw;

import io.weir.bench.command.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What to measure.
 *
 * @param workloads the jobs; none where DPDK is measured
 * @param sizesBytes the frames' sizes in memory
 * @param pairCount how often each job is run by each side
 * @param seconds how long each run is measured
 * @param offCorePercentMax pairs in which somebody lost the core for longer are run again, a bounded number of times
 * @param generic whether the XDP programs run in the generic path
 * @param ratioMin what Java must reach of C, or 0 for no demand
 * @param deviceCore the core of the side being measured
 * @param peerCore the core of the traffic generator
 * @param dpdk what is measured of DPDK, or null for AF_XDP
 */
record RawOptions(
        List<RawJob> workloads,
        List<Integer> sizesBytes,
        int pairCount,
        double seconds,
        double offCorePercentMax,
        boolean generic,
        double ratioMin,
        int deviceCore,
        int peerCore,
        Dpdk dpdk) {

    /**
     * DPDK's devices.
     *
     * @param devices each is measured
     * @param jobs what is done with each
     * @param eal arguments of DPDK's environment, for each process
     */
    record Dpdk(List<DpdkVdev> devices, List<TestpmdJob> jobs, String eal) {}

    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar raw [--workloads receive,transmit,forward,ping] [--sizes 64,1500]
                       [--pairs 5] [--seconds 2] [--generic] [--require RATIO] [--device-core 0] [--peer-core 1]
                   raw --backend dpdk [--vdev memif,af_packet,af_xdp] [--eal "--no-huge -m 512"]
                       [--workloads receive,transmit,forward,circulate] and the other options but --generic""";
    private static final double OFF_CORE_PERCENT_MAX = 4;
    private static final String AF_XDP = "afxdp";
    private static final String DPDK = "dpdk";

    /** {@return the options that the command line asks for} */
    static RawOptions parse(String[] arguments) {
        Arguments given = Arguments.of(
                List.of(arguments),
                "--backend --vdev --eal --workloads --sizes --pairs --seconds --require --device-core --peer-core",
                "--generic");
        Dpdk dpdk = dpdk(given);
        List<RawJob> workloads = dpdk == null ? named(given, "--workloads", RawJob.values()) : List.of();
        return new RawOptions(
                workloads,
                given.list("--sizes", "64,1500").stream().map(Integer::valueOf).toList(),
                given.integer("--pairs", 5),
                given.decimal("--seconds", 2),
                OFF_CORE_PERCENT_MAX,
                given.has("--generic"),
                given.decimal("--require", 0),
                given.integer("--device-core", 0),
                given.integer("--peer-core", 1),
                dpdk);
    }

    private static Dpdk dpdk(Arguments given) {
        String backend = given.text("--backend", AF_XDP);
        if (!backend.equals(AF_XDP) && !backend.equals(DPDK)) {
            throw new IllegalArgumentException("--backend " + backend + " is neither " + AF_XDP + " nor " + DPDK);
        }
        if (backend.equals(AF_XDP)) {
            if (given.has("--vdev") || given.has("--eal")) {
                throw new IllegalArgumentException("--vdev and --eal are for --backend " + DPDK);
            }
            return null;
        }
        if (given.has("--generic")) {
            throw new IllegalArgumentException("--generic is for --backend " + AF_XDP);
        }
        return new Dpdk(
                named(given, "--vdev", DpdkVdev.values()),
                named(given, "--workloads", TestpmdJob.values()),
                given.text("--eal", "--no-huge -m 512"));
    }

    /** {@return those of {@code all} that the option names, or all} */
    private static <E extends Enum<E>> List<E> named(Arguments given, String option, E[] all) {
        if (!given.has(option)) {
            return List.of(all);
        }
        List<E> found = new ArrayList<>();
        for (String name : given.list(option, "")) {
            found.add(Stream.of(all)
                    .filter(value -> value.name().equals(name.toUpperCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException(option + " " + name + " is none of " + List.of(all))));
        }
        return List.copyOf(found);
    }
}
