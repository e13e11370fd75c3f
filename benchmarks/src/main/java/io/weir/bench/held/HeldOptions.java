package io.weir.bench.held;

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
        int connections = 10_000;
        long bytes = 1_000_000;
        double idleSeconds = 10;
        long bytesMax = 0;
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " is unknown or lacks its value");
            }
            String value = arguments[++i];
            switch (option) {
                case "--connections" -> connections = Integer.parseInt(value);
                case "--bytes" -> bytes = Long.parseLong(value);
                case "--idle" -> idleSeconds = Double.parseDouble(value);
                case "--require" -> bytesMax = Long.parseLong(value);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new HeldOptions(connections, bytes, idleSeconds, bytesMax);
    }
}
