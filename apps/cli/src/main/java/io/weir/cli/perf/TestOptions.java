package io.weir.cli.perf;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.QuantityPrinter;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.node.ConfigException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongFunction;
import picocli.CommandLine.Option;

/** What a client asks a server for. */
final class TestOptions {
    private static final int ID_BYTES = 16;
    private static final long TIME_NANOS = 10_000_000_000L;
    private static final int LENGTH_BYTES = 128 << 10;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description = "How long to send; a bare number is seconds. Default: 10 s.")
    Long timeNanos;

    @Option(
            names = {"-n", "--bytes"},
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = "How much to send instead, over all streams of a direction, as in 1GB.")
    Long totalBytes;

    @Option(
            names = {"-P", "--parallel"},
            paramLabel = "COUNT",
            defaultValue = "1",
            description =
                    "Streams in each direction, at most " + TestSpec.PARALLEL_MAX + ". Default: ${DEFAULT-VALUE}.")
    int parallel;

    @Option(
            names = {"-R", "--reverse"},
            description = "The server sends, the client receives.")
    boolean isReverse;

    @Option(names = "--bidir", description = "Both ends send, over separate streams.")
    boolean isBoth;

    @Option(
            names = {"-b", "--bitrate"},
            paramLabel = "RATE",
            converter = Rates.LimitConverter.class,
            description = "The most payload bits per second of each stream, as in 500Mbps. Default: 0, no limit.")
    Long bitrateBps;

    @Option(
            names = {"-l", "--length"},
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = "Bytes of one write, at most 1MiB. Default: 128KiB.")
    Long lengthBytes;

    @Option(
            names = "--rr",
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = "Measure latency: send requests of this size one by one, each answered with the same size.")
    Long requestBytes;

    @Option(
            names = "--verify",
            paramLabel = "SEED",
            description =
                    "Make the payload from this number; the receiver checks every byte, the length and the SHA-256.")
    Long verifySeed;

    TestOptions() {}

    /** {@return the test that the options say} */
    TestSpec spec() {
        if (isReverse && isBoth) {
            throw new ConfigException("-R and --bidir contradict each other; leave one out");
        }
        if (timeNanos != null && totalBytes != null) {
            throw new ConfigException("-t and -n contradict each other; leave one out");
        }
        requirePositive("-t", timeNanos);
        requirePositive("-n", totalBytes);
        requireAtMost("-t", timeNanos, TestSpec.TIME_NANOS_MAX, QuantityPrinter::duration);
        requireAtMost("-n", totalBytes, TestSpec.TOTAL_BYTES_MAX, QuantityPrinter::size);
        if (parallel < 1 || parallel > TestSpec.PARALLEL_MAX) {
            throw new ConfigException(
                    "-P is " + parallel + ", outside 1.." + TestSpec.PARALLEL_MAX + "; give another number of streams");
        }
        if (totalBytes != null && totalBytes < parallel) {
            throw new ConfigException("-n is " + totalBytes + " B, which leaves some of -P " + parallel
                    + " streams without a byte; send more, or over fewer streams");
        }
        if (requestBytes != null) {
            requireNoBulk();
        }
        return new TestSpec(
                newId(),
                requestBytes == null ? Kind.BULK : Kind.REQUEST_RESPONSE,
                isBoth ? Direction.BOTH : isReverse ? Direction.REVERSE : Direction.FORWARD,
                parallel,
                length(),
                totalBytes != null ? 0 : timeNanos != null ? timeNanos : TIME_NANOS,
                totalBytes == null ? 0 : totalBytes,
                bitrateBps == null ? 0 : bitrateBps,
                verifySeed);
    }

    private static void requirePositive(String name, Long value) {
        if (value != null && value <= 0) {
            throw new ConfigException(name + " is 0, so that nothing would be sent; give more");
        }
    }

    private static void requireAtMost(String name, Long value, long max, LongFunction<String> print) {
        if (value != null && value > max) {
            throw new ConfigException(
                    name + " is " + print.apply(value) + ", more than " + print.apply(max) + "; give less");
        }
    }

    private void requireNoBulk() {
        if (isReverse
                || isBoth
                || totalBytes != null
                || (bitrateBps != null && bitrateBps > 0)
                || lengthBytes != null
                || verifySeed != null) {
            throw new ConfigException(
                    "--rr goes without -R, --bidir, -n, -b, -l and --verify: requests come from the client,"
                            + " for a time, each after the response to the one before; leave those out");
        }
    }

    private int length() {
        long bytes = requestBytes != null ? requestBytes : lengthBytes != null ? lengthBytes : LENGTH_BYTES;
        String name = requestBytes != null ? "--rr" : "-l";
        if (bytes < 1 || bytes > TestSpec.LENGTH_BYTES_MAX) {
            throw new ConfigException(name + " is " + bytes + " B, outside 1B..1MiB; give another size");
        }
        return (int) bytes;
    }

    private static String newId() {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
