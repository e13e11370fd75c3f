package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.Marks;
import io.weir.transport.wire.PassingFrame;
import java.util.List;

/**
 * Gives every flow that crosses a port the same rate, and finds that rate from the port's load, its queue and the mean
 * round-trip time of the flows. One instance per port; no state per flow; O(1).
 *
 * <p>Source: Dukkipati and others, "Processor Sharing Flows in the Internet" (IWQoS 2005), with the bounds of the
 * authors' simulator. The load counts all data that come to the port, of whatever protocol; only frames with {@link
 * Marks#RATE} are stamped.
 */
public final class RcpPort implements PortPolicy {
    static final Parameter<Long> ALPHA = Parameter.ppm(
                    "alpha", 400_000, "alpha, the share of spare capacity granted per round trip (rcp.cc: 0.4)")
            .within(1, 1_000_000);
    static final Parameter<Long> BETA =
            Parameter.ppm("beta", 226_000, "beta, the share of the queue drained per round trip (rcp.cc: 0.226)");
    static final Parameter<Long> INTERVAL = Parameter.nanos(
            "interval",
            10_000,
            RcpPort.INTERVAL_NANOS_MIN,
            RateMath.NANOS_PER_SECOND,
            "T, the time between two updates of the rate, at most a round trip; a tenth of one is best");

    /** What RCP asks of ports: the gains of the authors' simulator, an interval for data centres. */
    public static final PortPart PART = new PortPart(
            "rcp",
            "The rate that the port tells each RCP flow that crosses it. Without it RCP flows know no other limit than"
                    + " their host's link.",
            List.of(ALPHA, BETA, INTERVAL),
            RcpPort::new);

    private static final long INTERVAL_NANOS_MIN = 1_000;

    /** No flow is told less than this many of the largest frames per round trip. */
    private static final double FRAMES_PER_RTT_MIN = 0.05;
    /** After so many intervals without a frame the rate has reached the link's. */
    private static final int IDLE_INTERVALS_MAX = 256;
    /** The round-trip time until one is known. */
    private static final double RTT_NANOS_INITIAL = 100_000;

    private static final long KILO = 1_000;

    private final double alpha;
    private final double beta;
    private final long intervalNanosMax;
    private final double capacityBps;
    private final double frameBits;
    /** The rate that flows are told, R, as wire bits; moved by each update between the least rate and the link's. */
    private double rateBps;
    /** d, the mean round trip of the flows that cross the port; moved by updates that have samples. */
    private double rttNanos = RTT_NANOS_INITIAL;
    // T, the length of the current interval, and when it ends; written by beginInterval.
    private long intervalNanos;
    private long updateNanos;
    // Of the current interval, cleared by update: bytes on the wire that came, and the round trips that frames told.
    private long arrivedBytes;
    private long rttSumNanos;
    private long rttCount;
    /** The rate in kbit/s as frames carry it; written with rateBps, unsigned and never WINDOW_UNSET. */
    private int stamp;

    RcpPort(PartSettings settings, PortPolicyConfig.Port port) {
        alpha = settings.whole(ALPHA) / 1e6;
        beta = settings.whole(BETA) / 1e6;
        intervalNanosMax = settings.whole(INTERVAL);
        capacityBps = port.linkRateBps();
        frameBits = 8.0 * (port.mtuBytes() + Ethernet.FRAMING_BYTES);
        // What a link that has been idle comes to.
        setRate(capacityBps);
        beginInterval(0);
    }

    @Override
    public void onArrival(PassingFrame frame, long queueBytes, long nowNanos) {
        advance(queueBytes, nowNanos);
        arrivedBytes += frame.wireBytes();
        long knownNanos = isOwn(frame) ? frame.roundTripNanos() : 0;
        if (knownNanos > 0) {
            rttSumNanos += knownNanos;
            rttCount++;
        }
    }

    @Override
    public void onDeparture(PassingFrame frame, long queueBytes, long nowNanos) {
        advance(queueBytes, nowNanos);
        if (isOwn(frame) && Integer.compareUnsigned(stamp, frame.window()) < 0) {
            frame.setWindow(stamp);
        }
    }

    private static boolean isOwn(PassingFrame frame) {
        return frame.isData() && (frame.marks() & Marks.RATE) != 0;
    }

    /**
     * Makes the updates that are due. While the queue holds anything, frames leave often enough for that to be on time.
     */
    private void advance(long queueBytes, long nowNanos) {
        for (int i = 0; i < IDLE_INTERVALS_MAX && updateNanos <= nowNanos; i++) {
            update(queueBytes);
            beginInterval(updateNanos);
        }
        if (updateNanos <= nowNanos) {
            beginInterval(nowNanos);
        }
    }

    private void beginInterval(long startNanos) {
        intervalNanos = Math.max(INTERVAL_NANOS_MIN, Math.min((long) rttNanos, intervalNanosMax));
        updateNanos = startNanos + intervalNanos;
    }

    // = rcp: R(t) = R(t - T) (1 + (T/d) (alpha (C - y(t)) - beta q(t)/d) / C)
    private void update(long queueBytes) {
        double perRtt = intervalNanos / rttNanos;
        double arrivedBps = 8.0 * arrivedBytes * RateMath.NANOS_PER_SECOND / intervalNanos;
        double queueBps = 8.0 * queueBytes * RateMath.NANOS_PER_SECOND / rttNanos;
        double spareBps = alpha * (capacityBps - arrivedBps) - beta * queueBps;
        double leastBps = FRAMES_PER_RTT_MIN * frameBits * RateMath.NANOS_PER_SECOND / rttNanos;
        setRate(Math.min(capacityBps, Math.max(leastBps, rateBps * (1 + perRtt * spareBps / capacityBps))));
        if (rttCount > 0) {
            rttNanos += Math.min(1, perRtt) * ((double) rttSumNanos / rttCount - rttNanos);
        }
        arrivedBytes = 0;
        rttSumNanos = 0;
        rttCount = 0;
    }

    private void setRate(double newRateBps) {
        rateBps = newRateBps;
        long kiloBps = Math.max(1, (long) newRateBps / KILO);
        stamp = (int) Math.min(kiloBps, (DataHeader.WINDOW_UNSET & 0xFFFF_FFFFL) - 1);
    }

    /** {@return the rate that flows are told} */
    double rateBps() {
        return rateBps;
    }

    /** {@return the mean round-trip time of the flows that cross the port} */
    double rttNanos() {
        return rttNanos;
    }
}
