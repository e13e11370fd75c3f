package io.weir.transport.protocol.peers;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.AckReceiver;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.Reactive;
import java.util.List;

/**
 * Raises its rate while the round-trip time falls, and lowers it as that rises, once for each segment of several frames
 * that is complete. One instance per flow; O(1).
 *
 * <p>Source: Mittal and others, "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015, algorithm 1.
 * The patched form: Zhu and others, "ECN or Delay", CoNEXT 2016, algorithm 2. Deviations: frames are paced one by one,
 * not in bursts of a segment; there is no priority flow control beneath it, and a time-out halves the rate.
 */
public final class Timely implements CongestionControl {
    private static final Parameter<Long> SEGMENT_FRAMES = Parameter.count(
            "segmentFrames",
            11,
            1,
            64,
            "frames of a segment, whose completion is one sample (section 3.1: 16 to 64 KB)");
    private static final Parameter<Double> EWMA =
            Parameter.fraction("ewma", 0.875, 1, "the weight of the latest difference in the gradient (algorithm 1)");
    private static final Parameter<Double> BETA =
            Parameter.fraction("beta", 0.8, 1, "beta, the multiplicative decrease (algorithm 1: 0.8)");
    private static final Parameter<Long> DELTA =
            Parameter.bps("delta", 10_000_000, "delta, the additive increase (algorithm 1: 10 Mb/s)");
    private static final Parameter<Long> T_LOW =
            Parameter.nanos("tLow", 50_000, "below it the rate rises whatever the gradient (algorithm 1: 50 us)");
    private static final Parameter<Long> T_HIGH =
            Parameter.nanos("tHigh", 500_000, "above it the rate falls whatever the gradient (algorithm 1: 500 us)");
    private static final Parameter<Long> RTT_MIN =
            Parameter.nanos("rttMin", 20_000, "what the gradient is a share of (algorithm 1: 20 us)");
    private static final Parameter<Long> HYPER_AFTER = Parameter.count(
            "hyperAfter", 5, 1, 1_000, "completions in a row without a positive gradient before the increase is hyper");
    private static final Parameter<Long> HYPER_FACTOR =
            Parameter.count("hyperFactor", 5, 1, 1_000, "how many deltas an increase has then (algorithm 1: 5)");
    private static final Parameter<Long> RATE_MIN =
            Parameter.bps("rateMin", 10_000_000, "the lowest rate: the paper has no number");
    private static final Parameter<Boolean> PATCHED = Parameter.flag(
            "patched", false, "the gradient weighs the round trip's distance from tLow, for a fixed point (Zhu 2016)");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(11, "timely"),
                    "Mittal and others, SIGCOMM 2015",
                    List.of(
                            SEGMENT_FRAMES,
                            EWMA,
                            BETA,
                            DELTA,
                            T_LOW,
                            T_HIGH,
                            RTT_MIN,
                            HYPER_AFTER,
                            HYPER_FACTOR,
                            RATE_MIN,
                            PATCHED),
                    Reactive.maker(Timely::new, settings -> new AckReceiver((int) settings.whole(SEGMENT_FRAMES))))
            .with("timely-patched", settings -> settings.with(PATCHED, true).with(BETA, 0.008));

    private static final double FLAT = 0.25;

    private final double ewma;
    private final double beta;
    private final double deltaBps;
    private final double lowNanos;
    private final double highNanos;
    private final double rttNanosMin;
    private final long hyperAfter;
    private final long hyperFactor;
    private final double rateBpsMin;
    private final double rateBpsMax;
    private final boolean isPatched;
    private final long segmentBytes;

    /** The rate on the wire in bit/s: {@code rateBpsMin <= rateBps <= rateBpsMax}; written by setRate alone. */
    private double rateBps;
    /** The smoothed difference of consecutive round trips; negative while queues shrink. */
    private double differenceNanos;
    /** The round trip of the completion before, 0 before the first. */
    private long previousRttNanos;
    /** Payload that arrived since the latest completion event. */
    private long completedBytes;
    /** Completion events in a row without a rising round trip; hyperAfter of them speed increases up. */
    private int fallingCount;

    Timely(Settings settings, FlowContext context) {
        ewma = settings.fraction(EWMA);
        beta = settings.fraction(BETA);
        deltaBps = settings.whole(DELTA);
        lowNanos = settings.whole(T_LOW);
        highNanos = settings.whole(T_HIGH);
        rttNanosMin = settings.whole(RTT_MIN);
        hyperAfter = settings.whole(HYPER_AFTER);
        hyperFactor = settings.whole(HYPER_FACTOR);
        rateBpsMax = context.linkRateBps();
        rateBpsMin = Math.min((double) settings.whole(RATE_MIN), rateBpsMax);
        isPatched = settings.flag(PATCHED);
        segmentBytes = settings.whole(SEGMENT_FRAMES) * context.segmentBytesMax();
        rateBps = rateBpsMax;
    }

    @Override
    public boolean measuresDelay() {
        return true;
    }

    @Override
    public long windowBytes() {
        return UNLIMITED_BYTES;
    }

    @Override
    public long rateBps() {
        return (long) rateBps;
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        completedBytes += ack.arrivedBytes();
        if (completedBytes >= segmentBytes && ack.rttNanos() > 0) {
            completedBytes = 0;
            onCompletion(ack.rttNanosMin());
        }
    }

    // = timely algorithm 1
    private void onCompletion(long rttNanos) {
        long previous = previousRttNanos == 0 ? rttNanos : previousRttNanos;
        previousRttNanos = rttNanos;
        differenceNanos = (1 - ewma) * differenceNanos + ewma * (rttNanos - previous);
        double gradient = differenceNanos / rttNanosMin;
        fallingCount = gradient <= 0 ? fallingCount + 1 : 0;
        setRate(isPatched ? patched(rttNanos, gradient) : original(rttNanos, gradient));
    }

    private double original(long rttNanos, double gradient) {
        if (rttNanos < lowNanos) {
            return rateBps + deltaBps;
        }
        if (rttNanos > highNanos) {
            return rateBps * (1 - beta * (1 - highNanos / rttNanos));
        }
        if (gradient <= 0) {
            return rateBps + (fallingCount >= hyperAfter ? hyperFactor : 1) * deltaBps;
        }
        return rateBps * (1 - beta * gradient);
    }

    // = ecn-or-delay algorithm 2
    private double patched(long rttNanos, double gradient) {
        if (rttNanos < lowNanos) {
            return rateBps + deltaBps;
        }
        if (rttNanos > highNanos) {
            return rateBps * (1 - beta * (1 - highNanos / rttNanos));
        }
        double weight = Math.max(0, Math.min(1, 2 * gradient + 2 * FLAT));
        double error = (rttNanos - lowNanos) / lowNanos;
        return deltaBps * (1 - weight) + rateBps * (1 - beta * weight * error);
    }

    private void setRate(double newRateBps) {
        rateBps = Math.max(rateBpsMin, Math.min(rateBpsMax, newRateBps));
    }

    // deviation: without priority flow control frames can be lost, and no completion tells of a queue that is full
    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        setRate(rateBps / 2);
    }
}
