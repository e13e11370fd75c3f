package io.weir.transport.scenario.workload;

import io.weir.pacer.RateMath;
import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.HeaderTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Flows that arrive as a Poisson process. Arrivals, pairs and sizes are drawn from separate generators: at another
 * load the same flows come, at other times.
 */
final class PoissonArrivals {
    private static final double UNIT = 0x1p-53;
    private static final int HEADER_BYTES = HeaderTemplate.BYTES_V4 - Ethernet.HEADER_BYTES + DataHeader.BYTES;

    private final Traffic.Poisson entry;
    private final RandomPairs pairs;
    private final SeededRandom gapRandom;
    private final SeededRandom sizeRandom;
    private final double gapNanosMean;

    PoissonArrivals(Traffic.Poisson entry, Wiring wiring, SeededRandom random) {
        this.entry = entry;
        if (!(entry.load() > 0) || entry.capacityBps() <= 0 || entry.count() < 1) {
            throw new ConfigException("traffic '" + entry.id() + "': load=" + entry.load() + ", capacityBps="
                    + entry.capacityBps() + " and count=" + entry.count() + " must be positive");
        }
        int[] from = PairedFlows.hosts(entry.from(), wiring);
        int[] to = PairedFlows.hosts(entry.to(), wiring);
        if (from.length == 0 || to.length == 0) {
            throw new ConfigException("traffic '" + entry.id() + "' needs hosts in from and in to");
        }
        this.pairs = new RandomPairs(entry.id(), from, to, random.split());
        this.gapRandom = random.split();
        this.sizeRandom = random.split();
        int mtuBytes = IntStream.concat(IntStream.of(from), IntStream.of(to))
                .map(host -> wiring.hostLink(host).mtuBytes())
                .min()
                .orElseThrow();
        double flowsPerNano = entry.load()
                * entry.capacityBps()
                / (8 * meanWireBytes(entry.sizes(), mtuBytes))
                / RateMath.NANOS_PER_SECOND;
        this.gapNanosMean = 1 / flowsPerNano;
    }

    /** {@return what the data frames of a flow occupy on a link, on average} */
    static double meanWireBytes(SizeDistribution sizes, int mtuBytes) {
        int segmentBytes = mtuBytes - HEADER_BYTES;
        return sizes.meanBytes() + sizes.meanSegments(segmentBytes) * (HEADER_BYTES + Ethernet.FRAMING_BYTES);
    }

    List<FlowPlan> expand() {
        List<FlowPlan> flows = new ArrayList<>();
        double atNanos = entry.startNanos();
        while (flows.size() < entry.count()) {
            atNanos -= StrictMath.log(1 - unit(gapRandom)) * gapNanosMean;
            if (atNanos >= entry.untilNanos()) {
                break;
            }
            int[] pair = pairs.next();
            long bytes = entry.sizes().bytesAt(unit(sizeRandom));
            FlowPlan.Schedule schedule = new FlowPlan.Schedule((long) atNanos, Deadline.NO_DEADLINE, 0, 0);
            String id = entry.id() + "-" + (flows.size() + 1);
            flows.add(new FlowPlan(id, pair[0], pair[1], bytes, schedule, entry.protocol()));
        }
        return flows;
    }

    /** {@return a number of 0 (inclusive) to 1 (exclusive)} */
    private static double unit(SeededRandom random) {
        return (random.nextLong() >>> 11) * UNIT;
    }
}
