package io.weir.transport.scenario.workload;

import io.weir.pacer.RateMath;
import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Wiring;
import java.util.Arrays;

/** When each message of a traffic is due, and over which of its connections. */
public final class MessagePlan {
    private static final double UNIT = 0x1p-53;

    private final Traffic.Messages traffic;
    private final int[] sources;
    private final int[] destinations;
    private final long[] dueNanos;
    private final int[] connections;

    MessagePlan(Traffic.Messages traffic, Wiring wiring, SeededRandom random) {
        this.traffic = traffic;
        if (traffic.bytes() < 1 || traffic.rateBps() < 1 || traffic.count() < 1) {
            throw new ConfigException("traffic '" + traffic.id() + "': bytes=" + traffic.bytes() + ", rateBps="
                    + traffic.rateBps() + " and count=" + traffic.count() + " must be at least 1");
        }
        int[] from = PairedFlows.hosts(traffic.from(), wiring);
        int[] to = PairedFlows.hosts(traffic.to(), wiring);
        if (from.length == 0 || to.length == 0) {
            throw new ConfigException("traffic '" + traffic.id() + "' needs hosts in from and in to");
        }
        int pairs = Math.max(from.length, to.length);
        sources = new int[pairs];
        destinations = new int[pairs];
        for (int i = 0; i < pairs; i++) {
            sources[i] = from[i % from.length];
            destinations[i] = to[i % to.length];
            if (sources[i] == destinations[i]) {
                throw new ConfigException("traffic '" + traffic.id() + "': a host would send to itself; name others");
            }
        }
        long[] due = new long[traffic.count()];
        int[] over = new int[traffic.count()];
        SeededRandom gaps = random.split();
        SeededRandom choices = random.split();
        double gapNanos = 8.0 * traffic.bytes() * RateMath.NANOS_PER_SECOND / traffic.rateBps();
        double atNanos = traffic.startNanos();
        int count = 0;
        while (count < due.length && atNanos < traffic.untilNanos()) {
            due[count] = (long) atNanos;
            over[count] = traffic.isRandom() ? choices.nextInt(pairs) : count % pairs;
            count++;
            atNanos = traffic.isRandom()
                    ? atNanos - StrictMath.log(1 - (gaps.nextLong() >>> 11) * UNIT) * gapNanos
                    : traffic.startNanos() + count * gapNanos;
        }
        dueNanos = Arrays.copyOf(due, count);
        connections = Arrays.copyOf(over, count);
    }

    /** {@return the traffic} */
    public Traffic.Messages traffic() {
        return traffic;
    }

    /** {@return when the connections open} */
    public long openNanos() {
        return Math.max(0, traffic.startNanos() - traffic.leadNanos());
    }

    /** {@return how many connections there are} */
    public int connectionCount() {
        return sources.length;
    }

    /** {@return the number of the host that sends over a connection} */
    public int source(int connection) {
        return sources[connection];
    }

    /** {@return the number of the host that receives over a connection} */
    public int destination(int connection) {
        return destinations[connection];
    }

    /** {@return how many messages there are} */
    public int messageCount() {
        return dueNanos.length;
    }

    /** {@return when a message is due} */
    public long dueNanos(int message) {
        return dueNanos[message];
    }

    /** {@return the connection that a message goes over} */
    public int connectionOf(int message) {
        return connections[message];
    }
}
