package io.weir.bench.latency;

import io.weir.nic.xdp.XdpMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What to measure.
 *
 * @param contests which sides to measure beside each other
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
        List<Contest> contests = List.of(Contest.values());
        int sizeBytes = 64;
        int pairCount = 5;
        double seconds = 2;
        double ratioMax = 0;
        XdpMode mode = XdpMode.NATIVE;
        boolean pin = false;
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            switch (option) {
                case "--generic" -> mode = XdpMode.GENERIC;
                case "--pin" -> pin = true;
                case "--contests" -> contests = contests(value(arguments, ++i));
                case "--size" -> sizeBytes = Integer.parseInt(value(arguments, ++i));
                case "--pairs" -> pairCount = Integer.parseInt(value(arguments, ++i));
                case "--seconds" -> seconds = Double.parseDouble(value(arguments, ++i));
                case "--require" -> ratioMax = Double.parseDouble(value(arguments, ++i));
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new PingPongOptions(contests, sizeBytes, pairCount, seconds, mode, pin, ratioMax);
    }

    private static String value(List<String> arguments, int index) {
        if (index >= arguments.size()) {
            throw new IllegalArgumentException(arguments.get(index - 1) + " lacks its value");
        }
        return arguments.get(index);
    }

    private static List<Contest> contests(String names) {
        List<Contest> contests = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            contests.add(Contest.valueOf(name.toUpperCase(Locale.ROOT)));
        }
        return contests;
    }
}
