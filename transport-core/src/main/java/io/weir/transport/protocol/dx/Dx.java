package io.weir.transport.protocol.dx;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Grows the window by a segment in a round trip without queueing delay, and otherwise gives up its share of the queue.
 * One instance per flow; O(1).
 *
 * <p>Source: Lee, Park, Jang, Moon, Han, "DX: Latency-Based Congestion Control for Datacenters", IEEE/ACM Transactions
 * on Networking 25(1), 2017, section IV. Gaps and deviations: docs/protocols/dx.md.
 *
 * <p>Losses leave the window alone, as the paper has it, unless they are many: what a queue does, its delay has told.
 * So delays are heeded also while a loss is repaired; growth waits until it is.
 */
public final class Dx implements CongestionControl {
    private static final Parameter<Long> HEADROOM_FRAMES = Parameter.count(
            "headroomFrames", 2, 0, 1_000, "the least headroom, in frames of the host's link (section V.B)");
    static final Parameter<Long> HEADROOM = Parameter.nanos(
            "headroom",
            0,
            0,
            1_000_000_000,
            "queueing delay that does not make the window smaller: the known noise (section V.B)");
    private static final Parameter<Boolean> MEASURES_NOISE = Parameter.flag(
            "measuresNoise", true, "adds the measured noise of the flow's time stamps to the headroom (section V.B)");
    private static final Parameter<Long> MINIMUM_SPAN = Parameter.nanos(
            "minimumSpan",
            1_000_000_000,
            "the shortest round trip is forgotten if it does not recur for half to all of this");
    private static final Parameter<Long> INITIAL_SEGMENTS =
            Parameter.count("initialSegments", 10, 1, 1_000, "the first window (RFC 6928: 10)");
    private static final Parameter<Boolean> STALE_DELAYS = Parameter.flag(
            "staleDelays",
            false,
            "also decides by delays of frames that left before the latest change (section IV.B, literally)");
    private static final Parameter<Boolean> INTEGER_WINDOW = Parameter.flag(
            "integerWindow", false, "whole segments without a pace, one at least, as a TCP stack has it");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(2, "dx"),
                    "Lee and others, IEEE/ACM ToN 25(1), 2017",
                    List.of(
                            HEADROOM_FRAMES,
                            HEADROOM,
                            MEASURES_NOISE,
                            MINIMUM_SPAN,
                            INITIAL_SEGMENTS,
                            STALE_DELAYS,
                            INTEGER_WINDOW,
                            Reactive.FRAMES_PER_ACK),
                    Reactive.maker(Dx::new))
            .with("dx-literal", settings -> settings.with(HEADROOM_FRAMES, 0)
                    .with(MEASURES_NOISE, false)
                    .with(STALE_DELAYS, true)
                    .with(INTEGER_WINDOW, true));

    private static final long RTT_NANOS_MAX = 1_000_000_000;
    private static final int COVERED_FRAMES_MAX = 64;
    private static final int SLOW_START_PACE = 2;
    private static final int BLIND_ROUNDS_MAX = 1;
    private static final int SETTLED_FRAMES = 8;
    private static final int SMALL_WINDOW_SEGMENTS = 16;

    private final QueueingDelay delay;
    private final DelayRound round = new DelayRound();
    private final MeasuredNoise noise;
    private final FrameRuns runs;
    private final DxWindow window;
    private final HeavyLoss loss;
    private final Counters counters;
    private final int segmentBytes;
    private final int wireBytes;
    private final long linkRateBps;
    private final long headroomNanosMin;
    private final long chanceNanos;
    private final boolean measuresNoise;
    private final boolean usesStaleDelays;
    private final boolean isPaced;

    /** Whether no queue was met yet; cleared by the first delay beyond the headroom, or a halving, never set. */
    private boolean isInSlowStart = true;
    /** Whether this round still shows the window of before, so that it decides nothing; written by endRound. */
    private boolean isSettling;
    /** Whether the acknowledgement at hand brought a possible round trip; written by observe for onAck. */
    private boolean isSampled;
    /** Whether a round has found room: onAck grows the window by a segment and clears it. */
    private boolean isGrowthDue;
    /** The acknowledgement of a later packet number ends this round; written by observe when the round begins. */
    private long roundEndPacketNumber;
    /** The most payload in flight in this round; what was not filled is not raised. */
    private long inFlightBytesMax;
    /** The latest round trip, 0 before the first. */
    private long rttNanos;
    /** The pace in wire bits per second: at most the link's rate, 0 (anything) until a round trip is known. */
    private long rateBps;
    /** Decisions in a row without a single sample; BLIND_ROUNDS_MAX are let pass. */
    private int blindRounds;
    /** Time-outs in a row without an arrival; from the second on each halves the window. */
    private int timeouts;

    Dx(Settings settings, FlowContext context) {
        segmentBytes = context.segmentBytesMax();
        wireBytes = context.dataWireBytesMax();
        linkRateBps = context.linkRateBps();
        counters = context.counters();
        delay = new QueueingDelay(settings.whole(MINIMUM_SPAN));
        chanceNanos = RateMath.serializationNanosCeil(settings.whole(HEADROOM_FRAMES) * wireBytes, linkRateBps);
        headroomNanosMin = Math.max(settings.whole(HEADROOM), chanceNanos);
        measuresNoise = settings.flag(MEASURES_NOISE);
        noise = new MeasuredNoise(RateMath.serializationNanosCeil(wireBytes, linkRateBps));
        runs = new FrameRuns((int) settings.whole(Reactive.FRAMES_PER_ACK));
        usesStaleDelays = settings.flag(STALE_DELAYS);
        isPaced = !settings.flag(INTEGER_WINDOW);
        loss = new HeavyLoss(segmentBytes);
        window = new DxWindow(segmentBytes, settings.whole(INITIAL_SEGMENTS), !isPaced);
    }

    @Override
    public boolean measuresDelay() {
        return true;
    }

    @Override
    public long windowBytes() {
        return window.windowBytes();
    }

    /**
     * {@return the window in segments, the last of them whole: what is missing of it, the pace keeps back; what is to
     * follow at once, next to it}
     */
    @Override
    public long inFlightBytesMax() {
        return isPaced ? window.windowBytes() + (1L + runs.left()) * segmentBytes - 1 : window.windowBytes();
    }

    /** {@return a window a round trip, twice that in slow start; 0, anything, until a round trip is known} */
    @Override
    public long rateBps() {
        return runs.left() > 0 ? linkRateBps : rateBps;
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long nowNanos) {
        // Less than a segment tells that flows are many: a run of each would be a queue.
        runs.onFrame(isPaced && measuresNoise && window.windowBytes() >= segmentBytes);
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        if (ack.arrivedBytes() > 0) {
            timeouts = 0;
        }
        inFlightBytesMax = Math.max(inFlightBytesMax, ack.inFlightBytesBefore());
        loss.add(ack.lostBytes(), ack.arrivedBytes());
        isSampled = ack.hasTimes() && isPossible(ack.rttNanos());
        if (isSampled) {
            sample(ack, nowNanos);
        }
        if (ack.ackedPacketNumber() > roundEndPacketNumber) {
            roundEndPacketNumber = roundEnd(ack);
            endRound();
        }
    }

    /** {@return whether a round trip was one: what a peer's stamps make negative or endless tells nothing} */
    private boolean isPossible(long nanos) {
        if (nanos > 0 && nanos <= RTT_NANOS_MAX) {
            return true;
        }
        counters.increment(CounterId.STAMPS_IMPOSSIBLE);
        return false;
    }

    private void sample(AckSample ack, long nowNanos) {
        boolean isFull = ack.arrivedBytes() >= (long) ack.arrivedFrames() * segmentBytes;
        long waitNanos = delay.onSample(ack.t1(), ack.t2(), ack.rttNanos(), isFull, nowNanos);
        // What may have passed in this host is no queue of the network.
        long delayNanos = Math.max(0, waitNanos - ack.slackNanos());
        int frames = Math.max(1, Math.min(ack.coveredFrames(), COVERED_FRAMES_MAX));
        round.add(delayNanos, frames);
        rttNanos = ack.rttNanos();
        if (measuresNoise && isFull) {
            noise.onSample(ack.t1(), ack.t2(), frames, rttNanos, delay.baseRttNanos());
        }
        // gap: the paper has no slow start; here the first sign of a queue ends it, by frames that left a doubling ago
        if (isInSlowStart && delayNanos > headroomNanos()) {
            isInSlowStart = false;
            window.limitTo(ack.inFlightBytesBefore() / 2);
        }
        pace();
    }

    /**
     * {@return the packet number behind which the round that begins now ends: the latest sent or, when the window has
     * settled, that of a few frames on}
     *
     * <p>Few frames, since a decision would otherwise take two round trips, and flows that join as much longer. Without
     * a pace frames leave in bursts, and how long a few wait tells of their place in one.
     */
    private long roundEnd(AckSample ack) {
        return isSettling && isPaced
                ? Math.min(ack.sentPacketNumber(), ack.ackedPacketNumber() + SETTLED_FRAMES - 1)
                : ack.sentPacketNumber();
    }

    private void endRound() {
        boolean isDecision = !isSettling;
        // deviation: the paper decides in each round trip. Frames that left before a change tell nothing of it, so near
        // a queue a round trip passes before the next decision. Away from one a large window grows in each.
        isSettling = isDecision && !usesStaleDelays && isNearQueue();
        if (isDecision) {
            decide();
        }
        // deviation: the paper keeps the window whatever is lost
        if (loss.endRound()) {
            halve();
        }
        round.clear();
        inFlightBytesMax = 0;
    }

    /**
     * {@return whether a segment more may make a queue: frames waited half the headroom already, or nothing is known of
     * that, or the window is so small that flows are many, or frames leave in bursts}
     */
    private boolean isNearQueue() {
        return !isPaced
                || round.isEmpty()
                || 2 * round.meanNanos() > headroomNanos()
                || window.windowBytes() <= (long) SMALL_WINDOW_SEGMENTS * segmentBytes;
    }

    private void decide() {
        if (round.isEmpty()) {
            onBlindRound();
            return;
        }
        blindRounds = 0;
        boolean isCut = round.meanNanos() > headroomNanos();
        runs.onDecision(isCut, noise.nanos() > 0);
        if (isCut) {
            // deviation: the paper drains all of Q; here what all flows allow stays. Noise that this flow has measured
            // does not count there, or flows that measure more would never give up what they have.
            window.shrink(round.meanNanos() - headroomNanosMin, delay.baseRttNanos());
            pace();
        } else {
            // A window that was not filled has not shown that it may be.
            isGrowthDue = !isInSlowStart && inFlightBytesMax + segmentBytes > window.windowBytes();
        }
    }

    /** A peer whose stamps are missing or impossible must not keep for long what its path may not have. */
    private void onBlindRound() {
        blindRounds++;
        if (blindRounds > BLIND_ROUNDS_MAX) {
            halve();
        }
    }

    private void halve() {
        isInSlowStart = false;
        window.halve();
        pace();
    }

    /** {@return the queueing delay that counts as none} */
    long headroomNanos() {
        return Math.max(headroomNanosMin, chanceNanos + noise.nanos());
    }

    private void pace() {
        if (isPaced && rttNanos > 0) {
            // One segment in flight goes with its acknowledgement: a pace next to that would wait for the slower of two
            // round trips.
            long roundNanos = window.windowBytes() > segmentBytes ? rttNanos : delay.baseRttNanos();
            long payloadBps = window.windowBytes() * RateMath.NANOBITS_PER_BYTE / roundNanos;
            long wireBps = payloadBps * wireBytes / segmentBytes;
            rateBps = Math.max(1, Math.min(isInSlowStart ? SLOW_START_PACE * wireBps : wireBps, linkRateBps));
        }
    }

    @Override
    public void onAck(AckSample ack, boolean isLimited, long nowNanos) {
        if (isInSlowStart && isSampled && SLOW_START_PACE * ack.inFlightBytesBefore() >= window.windowBytes()) {
            window.growBy(ack.arrivedBytes());
        } else if (isGrowthDue) {
            window.grow();
        }
        isGrowthDue = false;
        pace();
    }

    // = dx section IV.B: "such timeout events are not caused by congestion confirmed by measured queueing delay, so the
    // window size can remain the same"
    @Override
    public void onLoss(long inFlightBytes, long nowNanos) {}

    // deviation: of one time-out the same is true; after another without an answer nothing confirms that the path is
    // empty
    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        timeouts++;
        if (timeouts > 1) {
            halve();
        }
    }

    /** {@return the shortest round trip} */
    long baseRttNanos() {
        return delay.baseRttNanos();
    }

    /** {@return whether no queue was met yet} */
    boolean isInSlowStart() {
        return isInSlowStart;
    }
}
