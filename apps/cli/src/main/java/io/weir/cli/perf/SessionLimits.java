package io.weir.cli.perf;

/**
 * What ends a test before its end.
 *
 * @param receiveNanosMax how long no data may come at the end that receives
 * @param bitrateBps what a server lets all streams take together, or 0 for any rate
 * @param averagedNanos over how long that rate is taken
 */
record SessionLimits(long receiveNanosMax, long bitrateBps, long averagedNanos) {
    /** As iperf3 has them. */
    static final SessionLimits DEFAULT = new SessionLimits(120_000_000_000L, 0, 5_000_000_000L);
}
