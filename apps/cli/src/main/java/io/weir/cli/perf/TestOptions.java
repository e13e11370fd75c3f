package io.weir.cli.perf;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.QuantityPrinter;
import io.weir.cli.unit.Sizes;
import io.weir.transport.node.ConfigException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongFunction;
import picocli.CommandLine.Option;

/** What a client asks a server for. */
final class TestOptions {
    private static final int ID_BYTES = 16;
    private static final long TIME_NANOS = 10_000_000_000L;
    private static final int LENGTH_BYTES = 128 << 10;
    /** A workload's messages find a connection without another message nearly always. */
    private static final int WORKLOAD_STREAMS = 64;

    private static final int LOAD_PPM = 600_000;
    private static final double PPM = 1e6;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description = "How long to send; a bare number is seconds, 0 means until Ctrl-C. Default: 10 s.")
    Long timeNanos;

    @Option(
            names = {"-n", "--bytes"},
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = "How much to send instead, over all streams of a direction, as in 1GB.")
    Long totalBytes;

    @Option(
            names = {"-k", "--blockcount"},
            paramLabel = "COUNT",
            converter = Sizes.Converter.class,
            description = "How many writes of -l to send instead.")
    Long blockCount;

    @Option(
            names = {"-O", "--omit"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description = "How long to send before the measurement begins; a bare number is seconds.")
    long omitNanos;

    @Option(
            names = {"-P", "--parallel"},
            paramLabel = "COUNT",
            description = "Streams in each direction, at most " + TestSpec.PARALLEL_MAX + ". Default: 1, and "
                    + WORKLOAD_STREAMS + " with --workload.")
    Integer parallel;

    @Option(
            names = {"-R", "--reverse"},
            description = "The server sends, the client receives.")
    boolean isReverse;

    @Option(names = "--bidir", description = "Both ends send, over separate streams.")
    boolean isBoth;

    @Option(
            names = {"-b", "--bitrate"},
            paramLabel = "RATE[/COUNT]",
            converter = CountedRate.LimitConverter.class,
            description =
                    "The most payload bits per second of each stream, as in 500Mbps; with COUNT in bursts of so many"
                            + " writes. Default: 0, no limit.")
    CountedRate bitrate = CountedRate.NONE;

    @Option(
            names = {"-l", "--length"},
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = "Bytes of one write, at most 1MiB. Default: 128KiB.")
    Long lengthBytes;

    @Option(
            names = {"-F", "--file"},
            paramLabel = "FILE",
            description =
                    "Send this file, to its end at most; at the end that receives, write what comes to this file.")
    Path file;

    @Option(
            names = "--rr",
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = "Measure latency: send requests of this size one by one, each answered with the same size.")
    Long requestBytes;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = {
                "With --rr, begin so many requests per second over all streams, whether earlier ones were answered or not.",
                "A latency counts from when its request should have begun. The client's loops do not rest meanwhile."
            })
    String requestsPerSecond;

    @Option(
            names = "--messages",
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description =
                    "Measure how many small messages go: requests of this size as with --rr, with --outstanding, and"
                            + " what they take of both ends' cores.")
    Long messageBytes;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description =
                    "With --rr and --messages, how many requests of a stream may wait for their responses, at most "
                            + TestDetails.OUTSTANDING_MAX + ". Default: 1, and 16 with --messages.")
    Integer outstanding;

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            description = {
                "Measure messages of a distribution of sizes, which come at random times (Poisson): how much longer each"
                        + " takes than alone on an idle link.",
                "NAME is one that comes with Weir (websearch is pfabric_websearch, hadoop is homa_fb_hadoop; a wrong name"
                        + " lists all) or a file of sizes and fractions."
            })
    String workload;

    @Option(
            names = "--load",
            paramLabel = "SHARE",
            converter = Fractions.PpmConverter.class,
            description = "With --workload, the share of the link that the messages take, as in 0.6. Default: 0.6.")
    Integer loadPpm;

    @Option(
            names = "--verify",
            paramLabel = "SEED",
            description =
                    "Make the payload from this number; the receiver checks every byte, the length and the SHA-256.")
    Long verifySeed;

    @Option(
            names = {"-w", "--window"},
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description =
                    "The buffers of each direction of a connection: with the protocol kernel at both ends, else at"
                            + " this end alone, so give it to the server too.")
    Long windowBytes;

    @Option(
            names = {"-S", "--tos"},
            paramLabel = "N",
            description = "The IP header's type of service, 0 to 255, also as 0x34 or 064; with the protocol kernel.")
    String typeOfService;

    @Option(
            names = "--dscp",
            paramLabel = "N",
            description = "The same by the DSCP: 0 to 63, or a name such as af21; with the protocol kernel.")
    String dscp;

    @Option(
            names = {"-T", "--title"},
            paramLabel = "TEXT",
            description = "Begin each printed line with this text.")
    String title;

    @Option(names = "--extra-data", paramLabel = "TEXT", description = "Repeat this text in both ends' JSON.")
    String extraData;

    @Option(names = "--get-server-output", description = "Print what the server prints, too.")
    boolean isServerTextWanted;

    TestOptions() {}

    /** {@return the test that the options say} */
    TestSpec spec() {
        if (isReverse && isBoth) {
            throw new ConfigException("-R and --bidir contradict each other; leave one out");
        }
        requireOneEnd();
        long bytes = totalBytes != null ? totalBytes : blockCount != null ? blockCount * length() : 0;
        int streams = streams();
        if (bytes > 0 && bytes < streams) {
            throw new ConfigException((totalBytes == null ? "-k" : "-n") + " is " + bytes
                    + " B, which leaves some of -P " + streams
                    + " streams without a byte; send more, or over fewer streams");
        }
        Kind kind = kind();
        if (kind != Kind.BULK) {
            requireNoBulk();
        }
        requireDetailsOf(kind);
        return new TestSpec(
                newId(),
                kind,
                isBoth ? Direction.BOTH : isReverse ? Direction.REVERSE : Direction.FORWARD,
                streams,
                length(),
                bytes > 0 ? 0 : timeNanos != null ? timeNanos : TIME_NANOS,
                bytes,
                bitrate.rateBps(),
                verifySeed,
                details(kind));
    }

    private void requireOneEnd() {
        if (timeNanos != null && totalBytes != null) {
            throw new ConfigException("-t and -n contradict each other; leave one out");
        }
        if (blockCount != null && (timeNanos != null || totalBytes != null)) {
            throw new ConfigException("-k contradicts " + (timeNanos != null ? "-t" : "-n") + "; leave one out");
        }
        requirePositive("-n", totalBytes);
        requirePositive("-k", blockCount);
        requireAtMost("-t", timeNanos, TestSpec.TIME_NANOS_MAX, QuantityPrinter::duration);
        requireAtMost("-O", omitNanos, TestDetails.OMIT_NANOS_MAX, QuantityPrinter::duration);
        requireAtMost("-n", totalBytes, TestSpec.TOTAL_BYTES_MAX, QuantityPrinter::size);
        requireAtMost("-k", blockCount, TestSpec.TOTAL_BYTES_MAX / length(), Long::toString);
        requireAtMost("-w", windowBytes, TestDetails.WINDOW_BYTES_MAX, QuantityPrinter::size);
        if (file != null && streams() > 1) {
            throw new ConfigException("-F with -P " + streams() + " would send the file so often; leave one out");
        }
        if (file != null && verifySeed != null) {
            throw new ConfigException("-F and --verify contradict each other: both say what is sent; leave one out");
        }
    }

    private int streams() {
        int streams = parallel != null ? parallel : workload != null ? WORKLOAD_STREAMS : 1;
        if (streams < 1 || streams > TestSpec.PARALLEL_MAX) {
            throw new ConfigException(
                    "-P is " + streams + ", outside 1.." + TestSpec.PARALLEL_MAX + "; give another number of streams");
        }
        return streams;
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

    private Kind kind() {
        int asked = (requestBytes == null ? 0 : 1) + (messageBytes == null ? 0 : 1) + (workload == null ? 0 : 1);
        if (asked > 1) {
            throw new ConfigException("--rr, --messages and --workload are different tests; leave all but one out");
        }
        return workload != null ? Kind.WORKLOAD : asked == 1 ? Kind.REQUEST_RESPONSE : Kind.BULK;
    }

    private String kindName() {
        return requestBytes != null ? "--rr" : messageBytes != null ? "--messages" : "--workload";
    }

    private void requireNoBulk() {
        if (isReverse
                || isBoth
                || totalBytes != null
                || blockCount != null
                || bitrate.rateBps() > 0
                || lengthBytes != null
                || file != null
                || verifySeed != null) {
            throw new ConfigException(kindName()
                    + " goes without -R, --bidir, -n, -k, -b, -l, -F and --verify: what is sent comes from the"
                    + " client, for a time, and is answered; leave those out");
        }
    }

    private void requireDetailsOf(Kind kind) {
        if (requestsPerSecond != null && requestBytes == null) {
            throw new ConfigException("--rate " + requestsPerSecond + " is requests per second, which --rr alone has;"
                    + " add --rr SIZE, or give the link's rate as --link-rate " + requestsPerSecond);
        }
        if (outstanding != null && kind != Kind.REQUEST_RESPONSE) {
            throw new ConfigException("--outstanding counts requests, which --rr and --messages have; add one of them");
        }
        if (outstanding != null && requestsPerSecond != null) {
            throw new ConfigException("--outstanding and --rate contradict each other: at a rate any number of requests"
                    + " may wait; leave one out");
        }
        if (loadPpm != null && kind != Kind.WORKLOAD) {
            throw new ConfigException("--load is that of --workload; add --workload NAME");
        }
    }

    private int length() {
        long bytes = requestBytes != null
                ? requestBytes
                : messageBytes != null ? messageBytes : lengthBytes != null ? lengthBytes : LENGTH_BYTES;
        String name = requestBytes != null ? "--rr" : messageBytes != null ? "--messages" : "-l";
        if (bytes < 1 || bytes > TestSpec.LENGTH_BYTES_MAX) {
            throw new ConfigException(name + " is " + bytes + " B, outside 1B..1MiB; give another size");
        }
        return (int) bytes;
    }

    private TestDetails details(Kind kind) {
        int waiting = outstanding != null ? outstanding : messageBytes != null ? 16 : 1;
        if (waiting < 1 || waiting > TestDetails.OUTSTANDING_MAX) {
            throw new ConfigException("--outstanding is " + waiting + ", outside 1.." + TestDetails.OUTSTANDING_MAX
                    + "; give another number");
        }
        return new TestDetails(
                omitNanos,
                bitrate.count(),
                waiting,
                requestRate(),
                workload,
                kind != Kind.WORKLOAD ? 0 : loadPpm == null ? LOAD_PPM : loadPpm,
                windowBytes == null ? 0 : windowBytes.intValue(),
                TrafficClassOption.octet(typeOfService, dscp),
                isServerTextWanted,
                title,
                extraData);
    }

    private double requestRate() {
        if (requestsPerSecond == null) {
            return 0;
        }
        try {
            double rate = Double.parseDouble(requestsPerSecond);
            if (rate > 0 && rate <= TestDetails.REQUESTS_PER_SECOND_MAX) {
                return rate;
            }
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    "--rate: \"" + requestsPerSecond + "\" is no number of requests per second, as in 20000; the link's"
                            + " rate is --link-rate",
                    e);
        }
        throw new ConfigException("--rate is " + requestsPerSecond + ", outside 0.."
                + (long) TestDetails.REQUESTS_PER_SECOND_MAX + "; give another number of requests per second");
    }

    /** {@return the share of the link that a workload takes} */
    static double load(TestDetails details) {
        return details.loadPpm() / PPM;
    }

    static String newId() {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
