package io.weir.cli.perf;

/** Payload over time. */
final class Goodput {
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS_PER_SECOND = 1e9;

    private Goodput() {}

    /** {@return bits a second, 0 over no time} */
    static double bps(long bytes, long nanos) {
        return nanos <= 0 ? 0 : BITS_PER_BYTE * bytes / (nanos / NANOS_PER_SECOND);
    }
}
