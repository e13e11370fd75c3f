package io.weir.bench.sharing;

import java.util.List;

/**
 * What to measure.
 *
 * @param pairCount how often each side runs
 * @param seconds how long each run is measured, after half a second of warm-up
 * @param mtuBytes the interface's MTU, which is that of memory too
 * @param isSameHost whether processes of one host are measured beside kernel TCP over loopback
 * @param isHop whether the broker is measured beside a transport that has the interface to itself
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
        int pairCount = 3;
        double seconds = 2;
        int mtuBytes = 1500;
        String only = "";
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(option + " is unknown or lacks its value");
            }
            String value = arguments.get(++i);
            switch (option) {
                case "--pairs" -> pairCount = Integer.parseInt(value);
                case "--seconds" -> seconds = Double.parseDouble(value);
                case "--mtu" -> mtuBytes = Integer.parseInt(value);
                case "--only" -> only = value;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        if (!List.of("", "same-host", "hop").contains(only)) {
            throw new IllegalArgumentException("--only " + only + " is neither same-host nor hop");
        }
        return new SharingOptions(pairCount, seconds, mtuBytes, !only.equals("hop"), !only.equals("same-host"));
    }
}
