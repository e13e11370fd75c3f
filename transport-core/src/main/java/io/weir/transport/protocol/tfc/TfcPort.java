package io.weir.transport.protocol.tfc;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.reactive.ExpiringMinimum;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.Marks;
import io.weir.transport.wire.PassingFrame;
import java.util.List;

/**
 * Shares out a link among the flows that cross it, as a window for each round of each flow, and delays flows whose
 * window is less than a frame. One instance per port; O(1) per frame; of one flow, the delimiter, it knows which it is,
 * and nothing of any other.
 *
 * <p>Source: TFC sections 4 and 5.2. The load counts all that comes to the port, of whatever protocol; only frames with
 * {@link Marks#ROUND} and their acknowledgements are written to.
 *
 * <p>An acknowledgement passes the port that its data left by, in the other direction, and its window is lowered again
 * to what the port would give now. The ports of a path may thus each hold it in turn: one that has raised a window to a
 * frame, because it has room for one, says nothing of the others.
 */
public final class TfcPort implements PortPolicy {
    /** The longest round trip that is measured. */
    static final long RTT_NANOS_MAX = 100_000_000;

    static final Parameter<Long> RHO0 = Parameter.ppm(
                    "rho0", 970_000, "rho0, the expected utilization of the link (section 4.5)")
            .within(1, 1_000_000);
    static final Parameter<Long> ALPHA = Parameter.ppm(
            "alpha",
            875_000,
            "the weight of earlier tokens in their moving average (equation 8); 100% never adjusts them");
    static final Parameter<Long> GAIN = Parameter.count(
            "gain",
            2,
            1,
            16,
            "the most tokens after the link was idle, in times of what it passes per round trip (not in the paper)");
    /** The round-trip time until one is measured. */
    public static final Parameter<Long> RTT = Parameter.nanos(
            "rtt",
            160_000,
            1,
            RTT_NANOS_MAX,
            "rtt_b, the round-trip time without queues, until one is measured (section 4.4)");

    static final Parameter<Long> WINDOW = Parameter.nanos(
            "window",
            100_000_000,
            1,
            3_600 * RateMath.NANOS_PER_SECOND,
            "how long the least round-trip time counts, and at most twice that; a thousand round trips");
    static final Parameter<Long> MISSES = Parameter.count(
            "misses",
            7,
            1,
            16,
            "k: a delimiter flow that is silent for 2^k times the latest round is replaced (section 5.2)");
    /** How many acknowledgements are held. */
    public static final Parameter<Long> HELD = Parameter.count(
            "held",
            16_384,
            0,
            1 << 20,
            "the most acknowledgements that the port holds, of flows with windows below a frame (section 4.6)");

    static final Parameter<Long> HOLD = Parameter.nanos(
            "hold",
            RateMath.NANOS_PER_SECOND,
            1,
            10 * RateMath.NANOS_PER_SECOND,
            "the longest that an acknowledgement is held, less than a connection's user time-out");

    /** What TFC asks of ports, with the values of the paper's testbed. */
    public static final PortPart PART = new PortPart(
            "tfc",
            "How the port shares out its link among the TFC flows that cross it. Without it TFC flows know no other limit"
                    + " than their receiver's room.",
            List.of(RHO0, ALPHA, GAIN, RTT, WINDOW, MISSES, HELD, HOLD),
            TfcPort::new);

    /** Of frames that are shorter the round trip is not measured: they take less time at each switch (section 4.4). */
    private static final int FULL_FRAME_BYTES = 1500;

    /**
     * So many rounds a minimum is of at least. A host whose thread waits for a core makes rounds a hundred times as
     * long as its path, and a few in a row may all be such.
     */
    private static final int ROUNDS_MIN = 16;

    /**
     * So many frames may be in the queue because flows' frames meet: Figure 8 has six at most. What is more was not let
     * go by its link.
     */
    private static final int CHANCE_FRAMES = 8;

    /** A slot of more than so many rtt_b, for a delimiter whose answers another switch holds, is long. */
    private static final int LONG_SLOT_ROUNDS = 2;

    /** After so many long slots in a row another flow becomes the delimiter. */
    private static final int LONG_SLOTS_MAX = 8;

    private static final long WINDOW_MAX = (DataHeader.WINDOW_UNSET & 0xFFFF_FFFFL) - 1;
    private static final long NO_KEY = 0;
    private static final List<String> GAUGES =
            List.of("tfcBaseRttNanos", "tfcEffectiveFlows", "tfcTokenBytes", "tfcWindowBytes");

    private final int missesMax;
    private final long heldMax;
    private final long holdNanosMax;
    private final Counters counters;
    private final long linkRateBps;
    private final int frameWireBytes;
    private final int fullFrameBytes;
    /**
     * Of the latest window and the one before: it falls at once, and rises to a longer path's after two windows at
     * most.
     */
    private final ExpiringMinimum baseRtt;

    private final long baseRttNanosInitial;
    private final TokenShare share;
    private final DelayArbiter arbiter;

    /** The flow whose marks begin and end slots, by keyOf(), or NO_KEY; written by beginSlot and its FIN. */
    private long delimiterKey = NO_KEY;
    /** When the delimiter's mark began the slot; written by beginSlot. */
    private long slotStartNanos;
    /** What stood in the queue when the slot began, beyond what meets by chance. */
    private long backlogBytes;

    /** Whether that mark was on a full frame, whose round trip may be measured; written by beginSlot. */
    private boolean isStartFull;
    /** The latest round trip of a delimiter, or the initial one; a silence is measured in it, never 0. */
    private long lastRoundNanos;
    /** Slots of this delimiter, up to the latest, that were long one after the other. */
    private int longSlots;

    /** The k of section 5.2, 1 to missesMax: a missed delimiter raises it, a complete slot sets it back. */
    private int misses = 1;
    // Of this slot, begun again by beginSlot: bytes on the wire that came for the link, marks of flows, and answers to
    // marks that passed back.
    private long arrivedBytes;
    private long flowCount;
    private long answerCount;
    /** Whether the answer to the delimiter's mark has passed back; before that its next mark ends no slot. */
    private boolean isAnswered;
    /** Whether this port has held the answer to the mark that began the slot. */
    private boolean isHeldHere;

    TfcPort(PartSettings settings, PortPolicyConfig.Port port) {
        this.missesMax = (int) settings.whole(MISSES);
        this.heldMax = settings.whole(HELD);
        this.holdNanosMax = settings.whole(HOLD);
        this.counters = port.counters();
        this.linkRateBps = port.linkRateBps();
        this.frameWireBytes = port.mtuBytes() + Ethernet.FRAMING_BYTES;
        this.fullFrameBytes = Math.min(FULL_FRAME_BYTES, port.mtuBytes());
        long initialNanos = settings.whole(RTT);
        this.lastRoundNanos = initialNanos;
        this.baseRtt = new ExpiringMinimum(2 * settings.whole(WINDOW), ROUNDS_MIN);
        this.baseRttNanosInitial = initialNanos;
        this.share = new TokenShare(settings, port.linkRateBps(), frameWireBytes, initialNanos);
        this.arbiter =
                new DelayArbiter(port.linkRateBps(), (int) settings.whole(RHO0), frameWireBytes, share.linkBytes());
    }

    // ---- data

    @Override
    public void onArrival(PassingFrame frame, long queueBytes, long nowNanos) {
        arrivedBytes += frame.wireBytes();
        arbiter.onQueue(queueBytes, nowNanos);
        if (frame.isData() && (frame.marks() & Marks.ROUND) != 0) {
            onRoundMark(frame, queueBytes, nowNanos);
            lowerWindow(frame);
        }
        // = tfc section 5.2: "If a FIN packet is received ..., TFC will catch another proper RM packet"
        if (frame.isLast() && delimiterKey != NO_KEY && keyOf(frame) == delimiterKey) {
            delimiterKey = NO_KEY;
        }
    }

    @Override
    public void onDeparture(PassingFrame frame, long queueBytes, long nowNanos) {}

    // = tfc section 5.2, Event 1
    private void onRoundMark(PassingFrame frame, long queueBytes, long nowNanos) {
        long key = keyOf(frame);
        long elapsedNanos = nowNanos - slotStartNanos;
        if (delimiterKey == NO_KEY) {
            beginSlot(frame, queueBytes, nowNanos);
        } else if (key == delimiterKey) {
            onDelimiterMark(frame, queueBytes, nowNanos);
        } else if (isMissed(elapsedNanos)) {
            counters.increment(CounterId.DELIMITERS_REPLACED);
            misses = Math.min(misses + 1, missesMax);
            beginSlot(frame, queueBytes, nowNanos);
        } else if (isDelimiterSlowed(frame)) {
            counters.increment(CounterId.DELIMITERS_REPLACED);
            longSlots = 0;
            beginSlot(frame, queueBytes, nowNanos);
        } else {
            flowCount++;
            // Beyond a round trip the same flows begin to show themselves again.
            if (elapsedNanos <= lastRoundNanos) {
                share.onFlows(flowCount);
            }
        }
    }

    /** {@return whether the delimiter flow has been silent for 2^k of its rounds} */
    private boolean isMissed(long elapsedNanos) {
        return elapsedNanos >> misses >= lastRoundNanos;
    }

    private void onDelimiterMark(PassingFrame frame, long queueBytes, long nowNanos) {
        if (frame.isEmptyData()) {
            // It asks for a window after a pause, or again: what lies between the marks is no round trip.
            beginSlot(frame, queueBytes, nowNanos);
        } else if (isAnswered || answerCount == 0) {
            endSlot(frame, nowNanos);
            beginSlot(frame, queueBytes, nowNanos);
        } else {
            counters.increment(CounterId.ROUND_MARKS_IGNORED);
            if (isMissed(nowNanos - slotStartNanos)) {
                beginSlot(frame, queueBytes, nowNanos);
            }
        }
    }

    /**
     * {@return whether the delimiter's slots are long again and again, since another switch holds its answers}
     * Deviation from tfc section 5.2, which replaces a delimiter that is silent. One whose answers another switch holds
     * is not silent, but makes this port's slots long for good: its windows follow the load late, and the link is not
     * full.
     */
    private boolean isDelimiterSlowed(PassingFrame frame) {
        return longSlots >= LONG_SLOTS_MAX && !frame.isEmptyData();
    }

    private void beginSlot(PassingFrame frame, long queueBytes, long nowNanos) {
        delimiterKey = keyOf(frame);
        slotStartNanos = nowNanos;
        backlogBytes = Math.max(0, queueBytes - (long) CHANCE_FRAMES * frameWireBytes);
        isStartFull = isFull(frame);
        arrivedBytes = frame.wireBytes();
        flowCount = 1;
        isAnswered = false;
        isHeldHere = false;
        answerCount = 0;
    }

    private void endSlot(PassingFrame frame, long nowNanos) {
        long slotNanos = Math.max(1, nowNanos - slotStartNanos);
        boolean isHeld = (frame.marks() & Marks.HELD) != 0;
        if (isStartFull && isFull(frame) && !isHeld && slotNanos <= RTT_NANOS_MAX) {
            // Deviation from tfc section 4.4, which takes the whole slot: were all rounds of a window to meet a queue
            // that stands here, their least would become rtt_b, and give tokens for that queue again.
            long waitNanos = RateMath.serializationNanosFloor(backlogBytes, linkRateBps);
            baseRtt.observe(Math.max(1, slotNanos - waitNanos), nowNanos);
        }
        lastRoundNanos = slotNanos;
        boolean isHeldElsewhere = isHeld && !isHeldHere;
        longSlots = isHeldElsewhere && slotNanos > LONG_SLOT_ROUNDS * baseRttNanos() ? longSlots + 1 : 0;
        misses = 1;
        // The frame itself belongs to the next slot. Deviation from tfc equation 7: what stood in the queue counts as
        // having come. A link that is not used while frames wait for it needs no more tokens.
        long loadBytes = backlogBytes + arrivedBytes - frame.wireBytes();
        share.onSlot(baseRttNanos(), lastRoundNanos, loadBytes, flowCount);
        arbiter.setCap(share.linkBytes());
    }

    private boolean isFull(PassingFrame frame) {
        return frame.frameBytes() > fullFrameBytes;
    }

    private void lowerWindow(PassingFrame frame) {
        long windowBytes = Math.min(WINDOW_MAX, share.windowBytes());
        if (windowBytes < Integer.toUnsignedLong(frame.window())) {
            frame.setWindow((int) windowBytes);
        }
    }

    private static long keyOf(PassingFrame frame) {
        long key = frame.connectionKey();
        return key == NO_KEY ? 1 : key;
    }

    // ---- acknowledgements

    @Override
    public boolean watchesReturns() {
        return true;
    }

    // = tfc section 4.6 and section 5.2, Event 2
    @Override
    public boolean holds(PassingFrame frame, int heldFrames, long nowNanos) {
        if (frame.type() != FrameType.ACK || (frame.marks() & Marks.ROUND_ACK) == 0) {
            return false;
        }
        answerCount++;
        if (!isAnswered && delimiterKey != NO_KEY) {
            isAnswered = keyOf(frame) == delimiterKey;
        }
        lowerWindow(frame);
        long windowBytes = Integer.toUnsignedLong(frame.window());
        if (windowBytes >= frameWireBytes || heldMax == 0) {
            arbiter.take(windowBytes, nowNanos);
            return false;
        }
        boolean mustWait = heldFrames > 0 || !arbiter.hasFrame(nowNanos);
        if (mustWait && heldFrames < heldMax) {
            counters.increment(CounterId.ACKS_HELD);
            return true;
        }
        if (mustWait) {
            counters.increment(CounterId.HOLDS_EXCEEDED);
        }
        grantFrame(frame, nowNanos);
        return false;
    }

    @Override
    public long nextReleaseNanos(long sinceNanos) {
        return Math.min(arbiter.frameNanos(), sinceNanos + holdNanosMax);
    }

    @Override
    public void onRelease(PassingFrame frame, long nowNanos) {
        if (!arbiter.hasFrame(nowNanos)) {
            counters.increment(CounterId.HOLDS_EXCEEDED);
        }
        frame.setMarks(frame.marks() | Marks.HELD);
        isHeldHere |= keyOf(frame) == delimiterKey;
        grantFrame(frame, nowNanos);
    }

    private void grantFrame(PassingFrame frame, long nowNanos) {
        frame.setWindow(frameWireBytes);
        arbiter.take(frameWireBytes, nowNanos);
    }

    // ---- queries

    @Override
    public List<String> gauges() {
        return GAUGES;
    }

    @Override
    public long gauge(int index) {
        return switch (index) {
            case 0 -> baseRttNanos();
            case 1 -> share.slotFlows();
            case 2 -> share.tokenBytes();
            default -> share.windowBytes();
        };
    }

    /** {@return what the port gives away} */
    TokenShare share() {
        return share;
    }

    /** {@return the round-trip time without queues} */
    long baseRttNanos() {
        long nanos = baseRtt.value();
        return baseRtt.isSettled() ? nanos : Math.min(nanos, baseRttNanosInitial);
    }
}
