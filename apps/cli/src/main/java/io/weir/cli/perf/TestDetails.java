package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.transport.node.ConfigException;

/**
 * What few tests ask for.
 *
 * @param omitNanos how long to send before the measurement begins
 * @param burstBlocks how many writes follow each other where a rate limits a stream, or 0 for single ones
 * @param outstanding requests of each stream that may wait for their responses at once
 * @param requestsPerSecond how often requests begin, over all streams, whether earlier ones were answered or not; 0 for
 *     as soon as they are
 * @param workload the distribution of message sizes, or null
 * @param loadPpm what share of the link messages take, in parts per million
 * @param windowBytes the buffers of the kernel's sockets at both ends, or 0 for the kernel's choice
 * @param trafficClass the octet of the kernel's IP headers with DSCP and ECN, at both ends
 * @param isServerTextWanted whether the server is to send what it prints
 * @param title what each printed line begins with, or null
 * @param extraData what both ends' documents repeat, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TestDetails(
        long omitNanos,
        int burstBlocks,
        int outstanding,
        double requestsPerSecond,
        String workload,
        int loadPpm,
        int windowBytes,
        int trafficClass,
        boolean isServerTextWanted,
        String title,
        String extraData) {
    static final long OMIT_NANOS_MAX = 600_000_000_000L;
    static final int BURST_BLOCKS_MAX = 1_000;
    static final int OUTSTANDING_MAX = 4_096;
    static final double REQUESTS_PER_SECOND_MAX = 100e6;
    static final int WINDOW_BYTES_MAX = 512 << 20;
    private static final int OCTET_MAX = 255;
    private static final int PPM = 1_000_000;
    private static final int TEXT_CHARS_MAX = 1_000;

    /** Nothing of it. */
    static final TestDetails NONE = new TestDetails(0, 0, 1, 0, null, 0, 0, 0, false, null, null);

    TestDetails {
        requireRange("omitNanos", omitNanos, 0, OMIT_NANOS_MAX);
        requireRange("burstBlocks", burstBlocks, 0, BURST_BLOCKS_MAX);
        requireRange("outstanding", outstanding, 1, OUTSTANDING_MAX);
        requireRange("loadPpm", loadPpm, 0, PPM);
        requireRange("windowBytes", windowBytes, 0, WINDOW_BYTES_MAX);
        requireRange("trafficClass", trafficClass, 0, OCTET_MAX);
        if (!(requestsPerSecond >= 0 && requestsPerSecond <= REQUESTS_PER_SECOND_MAX)) {
            throw new ConfigException("requestsPerSecond=" + requestsPerSecond + " is outside 0.."
                    + (long) REQUESTS_PER_SECOND_MAX + "; give fewer");
        }
        requireShort("title", title);
        requireShort("extraData", extraData);
        requireShort("workload", workload);
    }

    private static void requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ConfigException(name + "=" + value + " is outside " + min + ".." + max);
        }
    }

    private static void requireShort(String name, String text) {
        if (text != null && text.length() > TEXT_CHARS_MAX) {
            throw new ConfigException(name + " has " + text.length() + " characters, more than " + TEXT_CHARS_MAX
                    + "; give a shorter one");
        }
    }
}
