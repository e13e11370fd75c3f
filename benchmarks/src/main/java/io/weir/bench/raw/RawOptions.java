package io.weir.bench.raw;

import java.util.ArrayList;
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
        List<Workload> workloads,
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
        List<Workload> workloads = List.of(Workload.values());
        List<Integer> sizesBytes = List.of(64, 1500);
        int pairCount = 5;
        double seconds = 2;
        boolean generic = false;
        double ratioMin = 0;
        int deviceCore = 0;
        int peerCore = 1;
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            if (option.equals("--generic")) {
                generic = true;
                continue;
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " is unknown or lacks its value");
            }
            String value = arguments[++i];
            switch (option) {
                case "--workloads" -> workloads = workloads(value);
                case "--sizes" -> sizesBytes = numbers(value);
                case "--pairs" -> pairCount = Integer.parseInt(value);
                case "--seconds" -> seconds = Double.parseDouble(value);
                case "--require" -> ratioMin = Double.parseDouble(value);
                case "--device-core" -> deviceCore = Integer.parseInt(value);
                case "--peer-core" -> peerCore = Integer.parseInt(value);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new RawOptions(workloads, sizesBytes, pairCount, seconds, generic, ratioMin, deviceCore, peerCore);
    }

    private static List<Workload> workloads(String names) {
        List<Workload> workloads = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            workloads.add(Workload.valueOf(name.toUpperCase(Locale.ROOT)));
        }
        return workloads;
    }

    private static List<Integer> numbers(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String number : text.split(",", -1)) {
            numbers.add(Integer.valueOf(number));
        }
        return numbers;
    }
}
