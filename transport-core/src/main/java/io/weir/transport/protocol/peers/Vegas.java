package io.weir.transport.protocol.peers;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.protocol.reactive.RenoWindow;
import java.util.List;

/**
 * Keeps two to four of the flow's segments in the queue: what is in flight beyond what its shortest round trip needs.
 * One instance per flow; O(1).
 *
 * <p>Source: Brakmo and Peterson, "TCP Vegas: End to End Congestion Avoidance on a Global Internet", IEEE JSAC 13(8),
 * 1995, sections III.B and III.C. Deviations: docs/protocols/peers.md.
 */
public final class Vegas implements CongestionControl {
    private static final Parameter<Long> ALPHA = Parameter.count(
            "alpha", 2, 0, 1_000, "the window grows below this many extra segments in flight (section III.B)");
    private static final Parameter<Long> BETA =
            Parameter.count("beta", 4, 0, 1_000, "it shrinks above this many extra segments (section III.B)");
    private static final Parameter<Long> GAMMA =
            Parameter.count("gamma", 1, 0, 1_000, "slow start ends above this many extra segments (section III.C)");
    private static final Parameter<Long> INITIAL_SEGMENTS =
            Parameter.count("initialSegments", 2, 1, 1_000, "the first window");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
            new ProtocolId(7, "vegas"),
            "Brakmo and Peterson, IEEE JSAC 13(8), 1995",
            List.of(ALPHA, BETA, GAMMA, INITIAL_SEGMENTS, Reactive.FRAMES_PER_ACK),
            Reactive.maker(Vegas::new));

    private final RenoWindow window;
    private final long alphaBytes;
    private final long betaBytes;
    private final long gammaBytes;
    /** The shortest round trip so far; never rises. */
    private long baseRttNanos = Long.MAX_VALUE;
    // Round trips of this round, their sum and count; endRound begins again from 0.
    private long rttSumNanos;
    private int rttCount;
    /** Whether the window held the flow back at any time in this round. */
    private boolean isLimited;
    /** In slow start, whether the window doubles in this round or stands; alternates. */
    private boolean isGrowthRound;
    /** The packet number sent last when this round began; its acknowledgement ends the round. */
    private long roundEndPacketNumber;

    Vegas(Settings settings, FlowContext context) {
        int segmentBytes = context.segmentBytesMax();
        window = new RenoWindow(segmentBytes, settings.whole(INITIAL_SEGMENTS));
        alphaBytes = settings.whole(ALPHA) * segmentBytes;
        betaBytes = settings.whole(BETA) * segmentBytes;
        gammaBytes = settings.whole(GAMMA) * segmentBytes;
    }

    @Override
    public boolean measuresDelay() {
        return true;
    }

    @Override
    public long windowBytes() {
        return window.windowBytes();
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        long rttNanos = ack.rttNanosMin();
        if (rttNanos > 0) {
            baseRttNanos = Math.min(baseRttNanos, rttNanos);
            rttSumNanos += rttNanos;
            rttCount++;
        }
    }

    @Override
    public void onAck(AckSample ack, boolean isLimitedNow, long nowNanos) {
        isLimited |= isLimitedNow;
        if (isLimitedNow && isGrowthRound && window.isInSlowStart()) {
            window.grow(ack.arrivedBytes());
        }
        if (ack.ackedPacketNumber() > roundEndPacketNumber && rttCount > 0) {
            roundEndPacketNumber = ack.sentPacketNumber();
            endRound();
        }
    }

    private void endRound() {
        long rttNanos = rttSumNanos / rttCount;
        // Diff = Expected - Actual = W / BaseRTT - W / RTT; times BaseRTT: the bytes in queues.
        long extraBytes = window.windowBytes() * (rttNanos - baseRttNanos) / rttNanos;
        if (window.isInSlowStart()) {
            endSlowStartRound(extraBytes);
        } else if (extraBytes > betaBytes) {
            window.reduceTo(window.windowBytes() - window.segmentBytes());
        } else if (extraBytes < alphaBytes && isLimited) {
            window.set(window.windowBytes() + window.segmentBytes());
        }
        rttSumNanos = 0;
        rttCount = 0;
        isLimited = false;
    }

    /** In every other round the window stands, so that what was measured belongs to it. */
    private void endSlowStartRound(long extraBytes) {
        if (!isGrowthRound && extraBytes > gammaBytes) {
            window.reduceTo(window.windowBytes());
        }
        isGrowthRound = !isGrowthRound;
    }

    @Override
    public void onLoss(long inFlightBytes, long nowNanos) {
        window.reduceTo(inFlightBytes / 2);
    }

    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        window.restart(inFlightBytes / 2);
    }

    /** {@return the shortest round-trip time so far} */
    long baseRttNanos() {
        return baseRttNanos;
    }
}
