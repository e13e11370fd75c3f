package io.weir.cli.perf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How long the messages of a workload took, by size. A message's slowdown is its time over that on an idle link: what
 * the shortest message took alone, and its bytes at the link's rate.
 *
 * @param load what was sent
 * @param linkRateBps the rate of the link, as this end takes it
 * @param all of all messages
 * @param sizes of a tenth of the messages each, from the smallest to the largest
 */
record WorkloadReport(Load load, long linkRateBps, Sizes all, List<Sizes> sizes) {
    private static final int GROUPS = 10;
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;

    WorkloadReport {
        sizes = List.copyOf(sizes);
    }

    /**
     * What was sent.
     *
     * @param workload the distribution of sizes
     * @param asked the share of the link that was asked for
     * @param offeredBps what the messages that came had together
     * @param messages how many came
     * @param backlogMax how many waited for a connection at once, at most
     * @param unkept messages that were too many to be sent or remembered
     * @param baseNanos what the shortest message took alone
     */
    record Load(
            String workload,
            double asked,
            double offeredBps,
            long messages,
            int backlogMax,
            long unkept,
            long baseNanos) {}

    /**
     * Messages of some sizes.
     *
     * @param bytesMin the smallest
     * @param bytesMax the largest
     * @param count how many
     * @param p50Nanos half took no longer
     * @param p99Nanos 99 in a hundred took no longer
     * @param p50Slowdown half were no slower
     * @param p99Slowdown 99 in a hundred were no slower
     */
    record Sizes(
            long bytesMin,
            long bytesMax,
            int count,
            long p50Nanos,
            long p99Nanos,
            double p50Slowdown,
            double p99Slowdown) {}

    /** {@return the report of messages of these sizes that took so long} */
    static WorkloadReport of(Load load, long[] bytes, long[] nanos, long linkRateBps) {
        int[] order = IntStream.range(0, bytes.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> bytes[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] slowdowns = new double[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            double alone = load.baseNanos + bytes[i] * BITS_PER_BYTE * NANOS_PER_SECOND / linkRateBps;
            slowdowns[i] = alone <= 0 ? 0 : nanos[i] / alone;
        }
        List<Sizes> groups = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
            int from = (int) ((long) order.length * group / GROUPS);
            int to = (int) ((long) order.length * (group + 1) / GROUPS);
            if (from < to) {
                groups.add(group(Arrays.copyOfRange(order, from, to), bytes, nanos, slowdowns));
            }
        }
        Sizes all = order.length == 0 ? new Sizes(0, 0, 0, 0, 0, 0, 0) : group(order, bytes, nanos, slowdowns);
        return new WorkloadReport(load, linkRateBps, all, groups);
    }

    private static Sizes group(int[] members, long[] bytes, long[] nanos, double[] slowdowns) {
        long[] times = Arrays.stream(members).mapToLong(i -> nanos[i]).sorted().toArray();
        double[] slow =
                Arrays.stream(members).mapToDouble(i -> slowdowns[i]).sorted().toArray();
        return new Sizes(
                bytes[members[0]],
                bytes[members[members.length - 1]],
                members.length,
                times[place(MEDIAN, times.length)],
                times[place(TAIL, times.length)],
                slow[place(MEDIAN, slow.length)],
                slow[place(TAIL, slow.length)]);
    }

    /** {@return the index of the least value that this share of so many does not exceed} */
    private static int place(double share, int count) {
        return Math.max(0, (int) Math.ceil(share * count) - 1);
    }
}
