package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import java.util.regex.Pattern;

/**
 * One test, as the client asks for it. Its maker has checked it: the constructor refuses what a server would
 * not do.
 *
 * @param id 32 hexadecimal digits, at random, by which data connections find their test
 * @param kind what the streams do
 * @param direction which way the data goes
 * @param parallel streams in each direction
 * @param lengthBytes bytes of one write, or of one request
 * @param timeNanos how long to send, or 0 when {@code totalBytes} says when to end, or nothing but the client does
 * @param totalBytes bytes to send in each direction, over all its streams, or 0
 * @param bitrateBps the most payload bits per second of each stream, or 0 for no such limit
 * @param verifySeed what payload is made from, or null when nobody checks it
 * @param details what few tests ask for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TestSpec(
        String id,
        Kind kind,
        Direction direction,
        int parallel,
        int lengthBytes,
        long timeNanos,
        long totalBytes,
        long bitrateBps,
        Long verifySeed,
        TestDetails details) {
    static final int PARALLEL_MAX = 128;
    static final int LENGTH_BYTES_MAX = 1 << 20;
    static final long TIME_NANOS_MAX = 86_400_000_000_000L;
    static final long TOTAL_BYTES_MAX = 1L << 50;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    TestSpec {
        require(
                id != null && ID.matcher(id).matches(),
                "id=" + id + " is not 32 hexadecimal digits; make one at random");
        details = details == null ? TestDetails.NONE : details;
        require(kind != null, "kind is missing; give bulk, requestResponse or workload");
        require(direction != null, "direction is missing; give forward, reverse or both");
        requireRange("parallel", parallel, 1, PARALLEL_MAX);
        requireRange("lengthBytes", lengthBytes, 1, LENGTH_BYTES_MAX);
        requireRange("timeNanos", timeNanos, 0, TIME_NANOS_MAX);
        requireRange("totalBytes", totalBytes, 0, TOTAL_BYTES_MAX);
        requireRange("bitrateBps", bitrateBps, 0, RateMath.RATE_BPS_MAX);
        require(
                timeNanos == 0 || totalBytes == 0,
                "timeNanos=" + timeNanos + " and totalBytes=" + totalBytes + ": only one may say when the test ends");
        require(
                totalBytes == 0 || totalBytes >= parallel,
                "totalBytes=" + totalBytes + " leaves some of " + parallel
                        + " streams without a byte; send more, or over" + " fewer streams");
        require(
                kind == Kind.BULK
                        || (direction == Direction.FORWARD && totalBytes == 0 && bitrateBps == 0 && verifySeed == null),
                "requests and messages go from the client, for a time, at their own rate, unchecked; leave out what says"
                        + " otherwise");
        require(
                kind == Kind.WORKLOAD == (details.workload() != null),
                "kind=" + kind + " and workload=" + details.workload() + " contradict each other");
    }

    private static void requireRange(String name, long value, long min, long max) {
        require(value >= min && value <= max, name + "=" + value + " is outside " + min + ".." + max);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new ConfigException(message);
        }
    }

    /** {@return the same test, to be done again} */
    TestSpec renewed() {
        return new TestSpec(
                TestOptions.newId(),
                kind,
                direction,
                parallel,
                lengthBytes,
                timeNanos,
                totalBytes,
                bitrateBps,
                verifySeed,
                details);
    }

    /** {@return how many data connections the test has} */
    int streamCount() {
        return direction == Direction.BOTH ? 2 * parallel : parallel;
    }

    /** {@return whether {@code role} sends on the stream; of both directions, the client's streams come first} */
    boolean isSender(Role role, int stream) {
        boolean isForward = direction == Direction.FORWARD || (direction == Direction.BOTH && stream < parallel);
        return isForward == (role == Role.CLIENT);
    }

    /** {@return the stream's share of the bytes to send, or {@code Long.MAX_VALUE} when they do not end the test} */
    long streamBytes(int stream) {
        if (totalBytes == 0) {
            return Long.MAX_VALUE;
        }
        int place = stream % parallel;
        return totalBytes / parallel + (place < totalBytes % parallel ? 1 : 0);
    }
}
