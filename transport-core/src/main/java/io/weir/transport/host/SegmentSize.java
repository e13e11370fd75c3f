package io.weir.transport.host;

/**
 * How long the segments of a stream may be: as long as both ends and this end's link allow, and less where the path
 * drops such frames silently. One per stream, owned by its sender; O(1), no allocation.
 *
 * <p>A black hole is a path on which short frames get through and long ones do not. It shows as retransmission
 * time-outs of long segments, none of which arrives, while something is acknowledged; or as one segment that is lost
 * again and again while others arrive. A peer that has nothing else to acknowledge is given something: after the third
 * such time-out segments have the least size until one arrives. If then a long one times out, the path is a
 * black hole. Then all segments have the least size, and a search begins: a segment of new data is longer than the
 * others, and is answered or not. The interval between what passed and what did not is halved until it is short. Later
 * the search starts again from the top, because paths get better too.
 *
 * <p>Source: RFC 8899 (black hole detection, search, probes that are lost three times), RFC 4821 section 7 (probes that
 * carry data). Deviations: the search starts again after seconds and not after ten minutes, because a probe costs
 * nothing in a data centre. Local changes of the MTU are known, and need no search downwards.
 */
final class SegmentSize {
    /** Time-outs of long segments that make a black hole, if none arrives and something else is acknowledged. */
    static final int BLACK_HOLE_TIMEOUTS = 3;
    /**
     * Time-outs of long segments after which segments are short until one arrives: one more long one that times out
     * then makes the black hole. Not fewer: where hundreds of flows share a window's worth of segments, congestion
     * alone brings two in a row, and shorter segments add to it.
     */
    static final int CAUTIOUS_TIMEOUTS = BLACK_HOLE_TIMEOUTS;
    /**
     * Retransmissions of one segment, each shown to be lost by frames behind it, that make a black hole: more than
     * heavy loss brings.
     */
    static final int BLACK_HOLE_REPEATS = 12;
    /** How often a size is tried until it counts as too long. */
    // = rfc8899 section 5.1.2 MAX_PROBES
    static final int PROBES_MAX = 3;
    /** How long a size that a search has found stays until the next search. */
    // = deviation: rfc8899 section 5.1.1 has 600 s for PMTU_RAISE_TIMER
    static final long RAISE_NANOS = 10_000_000_000L;
    /** How far below the largest size that passes a search may end. */
    static final int STEP_BYTES = 16;
    /** New data behind a probe, in segments: enough of them show that it is lost before a time-out does. */
    private static final int FOLLOWERS = 8;

    private final int baseBytes;
    private final int agreedBytes;
    /** What the link of this host lets pass now. Written by {@link #limit}. */
    private int linkBytes;
    /** Payload of a segment, {@link #baseBytes} to {@link #bytesMax}. */
    private int bytes;
    /** The least size that has not passed since the search began; more than {@link #bytes}. */
    private int failedBytes = Integer.MAX_VALUE;
    /** When the next search begins; in the past while one goes on. */
    private long searchNanos;
    /** The end of the probe's segment in the stream, or -1 while no probe is out. */
    private long probeEnd = -1;
    /** Where that segment starts. */
    private long probeStart;
    /** The packet number of the probe. */
    private long probeNumber;
    /** Probes of one size in a row that were lost. */
    private int lostProbeCount;
    /** Time-outs of long segments since one of them arrived. */
    private int longTimeoutCount;
    /** Whether an acknowledgement came since the first of them. */
    private boolean isPeerHeard;
    /** Whether segments are short until there is progress; set by a time-out, cleared by onProgress. */
    private boolean isCautious;
    /** The packet number of the latest retransmission of the first segment in flight, or -1 once its fate is known. */
    private long repeatNumber = -1;
    /** Such retransmissions in a row that were lost. */
    private int lostRepeatCount;

    /**
     * Creates the size of a new stream's segments.
     *
     * @param baseBytes the payload that every path carries
     * @param agreedBytes the most that both ends agreed on
     */
    SegmentSize(int baseBytes, int agreedBytes) {
        this.baseBytes = Math.min(baseBytes, agreedBytes);
        this.agreedBytes = agreedBytes;
        this.linkBytes = agreedBytes;
        this.bytes = agreedBytes;
    }

    /** {@return the payload of a full segment} */
    int bytes() {
        return isCautious ? baseBytes : bytes;
    }

    /** The link of this host lets so much pass from now on. */
    void limit(int newLinkBytes) {
        int before = bytesMax();
        linkBytes = newLinkBytes;
        bytes = Math.min(bytes, bytesMax());
        if (bytesMax() > before) {
            restartSearch(0);
        }
    }

    private int bytesMax() {
        return Math.min(agreedBytes, linkBytes);
    }

    private void restartSearch(long atNanos) {
        failedBytes = Integer.MAX_VALUE;
        lostProbeCount = 0;
        searchNanos = atNanos;
    }

    // ---- black holes

    /**
     * An acknowledgement came: the peer is there, and short frames reach it.
     *
     * @param arrivedBytesMax the payload of the longest segment that it tells the arrival of
     */
    void onHeard(long arrivedBytesMax) {
        isPeerHeard = true;
        if (arrivedBytesMax > baseBytes) {
            longTimeoutCount = 0;
        }
    }

    /** The peer has, or has acknowledged, more of the stream in order. */
    void onProgress() {
        isCautious = false;
        repeatNumber = -1;
        lostRepeatCount = 0;
    }

    /**
     * The first segment that is not acknowledged leaves again, with this packet number and {@code repeatedBytes} of
     * payload.
     */
    void onRepeat(long packetNumber, long repeatedBytes) {
        repeatNumber = repeatedBytes > baseBytes ? packetNumber : -1;
    }

    /**
     * An acknowledgement has shown losses.
     *
     * @param settledNumber up to this packet number the fate of frames is known
     * @return whether the path turns out to be a black hole, so that segments are shorter from now on
     */
    boolean onLoss(long settledNumber, long nowNanos) {
        if (repeatNumber < 0 || settledNumber < repeatNumber) {
            return false;
        }
        repeatNumber = -1;
        lostRepeatCount++;
        return lostRepeatCount == BLACK_HOLE_REPEATS && shrink(nowNanos);
    }

    /**
     * The retransmission timer has fired.
     *
     * @param hasLong whether segments longer than the least size were in flight
     * @return whether the path turns out to be a black hole for them, so that segments are shorter from now on
     */
    boolean onTimeout(boolean hasLong, long nowNanos) {
        if (isProbing()) {
            onProbeLost(nowNanos);
        }
        if (!hasLong || bytes == baseBytes) {
            return false;
        }
        if (longTimeoutCount == 0) {
            isPeerHeard = false;
        }
        longTimeoutCount++;
        isCautious = longTimeoutCount >= CAUTIOUS_TIMEOUTS;
        return longTimeoutCount >= BLACK_HOLE_TIMEOUTS && isPeerHeard && shrink(nowNanos);
    }

    private boolean shrink(long nowNanos) {
        onProgress();
        longTimeoutCount = 0;
        if (bytes == baseBytes) {
            return false;
        }
        restartSearch(nowNanos);
        failedBytes = bytes;
        bytes = baseBytes;
        return true;
    }

    /** {@return what is the least size of a segment} */
    int baseBytes() {
        return baseBytes;
    }

    // ---- search

    /** {@return whether a longer segment should leave now, if as much new data waits} */
    boolean isProbeDue(long freshBytes, long nowNanos) {
        if (bytes == bytesMax() || isCautious || isProbing() || nowNanos < searchNanos) {
            return false;
        }
        return freshBytes >= nextBytes() + (long) FOLLOWERS * bytes;
    }

    private int nextBytes() {
        return failedBytes > bytesMax() ? bytesMax() : bytes + (failedBytes - bytes) / 2;
    }

    /**
     * {@return the payload of the probe that leaves now with this packet number, and starts at this offset of the
     * stream}
     */
    int startProbe(long packetNumber, long startOffset) {
        probeNumber = packetNumber;
        probeStart = startOffset;
        probeEnd = startOffset + nextBytes();
        return nextBytes();
    }

    /** {@return whether a probe is out} */
    boolean isProbing() {
        return probeEnd >= 0;
    }

    long probeNumber() {
        return probeNumber;
    }

    long probeStart() {
        return probeStart;
    }

    long probeEnd() {
        return probeEnd;
    }

    /** The probe has arrived: segments are as long from now on. */
    void onProbeArrived(long nowNanos) {
        bytes = Math.min((int) (probeEnd - probeStart), bytesMax());
        probeEnd = -1;
        lostProbeCount = 0;
        settle(nowNanos);
    }

    /** The probe is lost. */
    void onProbeLost(long nowNanos) {
        int probeBytes = (int) (probeEnd - probeStart);
        probeEnd = -1;
        lostProbeCount++;
        if (lostProbeCount == PROBES_MAX) {
            lostProbeCount = 0;
            failedBytes = probeBytes;
            settle(nowNanos);
        }
    }

    /** Ends the search if there is little left to win. */
    private void settle(long nowNanos) {
        if (bytes < bytesMax() && failedBytes - bytes <= STEP_BYTES) {
            restartSearch(nowNanos + RAISE_NANOS);
        }
    }
}
