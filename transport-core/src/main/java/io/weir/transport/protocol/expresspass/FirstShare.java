package io.weir.transport.protocol.expresspass;

/**
 * The share of the link that a flow believes in until enough of its first credits came back. One per flow, receiver
 * side; O(1); no allocation.
 *
 * <p>Many flows that begin together, each at the highest rate, lose nearly all of their credits. The smoothed loss
 * would lower their rates over a hundred round trips, and what each sees of it in the first is chance: of 256 flows one
 * in six has an echo. So a flow counts the frames that the link could have passed since its first echo could have come.
 * Until {@link #ECHOES} credits came back, it believes in a share of that many of these frames, however few they are so
 * far. All flows that began together believe in the same share, so none gets ahead by chance. Their rates fall as one
 * over the time, until what they ask for together is little more than what the link passes. With the last of the echoes
 * the share is known, to a quarter, and the smoothed loss goes on from it.
 *
 * <p>Deviation from ExpressPass, whose flows keep their first rate for a round trip (section 3.3).
 */
final class FirstShare {
    /** More make the share more exact, and the start of many flows more wasteful. */
    private static final int ECHOES = 13;
    /** With more flows than this the smoothed loss corrects a share too slowly, so that more echoes are needed. */
    private static final int FLOWS_MANY = 256;
    /** Less than one echo in so many round trips is the sign of a broken path: probes of it must stay frequent. */
    private static final int RTTS_PER_FRAME_MAX = 32;
    /** The share is set again when the frames that it is counted in are so many times as many. */
    private static final double RESET_FACTOR = 17.0 / 16;
    /** A flow that counted one frame in so many believes in twice that; see {@link #believed}. */
    private static final int RIVALS_FEW = 10;

    /** The number of the next credit at the latest {@link #onCredit}; 0 before the first. */
    private long latestSequence;
    /** Frames that the link could have passed while the flow made its credits, and no pause hid the echoes. */
    private double linkFrames;
    /** The frames that {@link #share} was counted in last, at least {@link #ECHOES}. */
    private double countedFrames = ECHOES;
    /** Credits that came back; written by {@link #onEcho}. */
    private int echoes;
    /** The share, more than 0 and at most 1; written by {@link #onCredit}. */
    private double share = 1;
    /** Whether enough credits came back; written by {@link #onCredit}, never cleared. */
    private boolean isKnown;

    /** A credit came back. */
    void onEcho() {
        echoes++;
    }

    /** The host has paused: echoes of the latest round trip may still wait for it. */
    void onPause(double rttFrames) {
        linkFrames = Math.max(0, linkFrames - rttFrames);
    }

    /** {@return whether {@link #share} is the last, so that no more credits need to be counted} */
    boolean isKnown() {
        return isKnown;
    }

    /** {@return whether credits were made, and too few of them have come back to know the share} */
    boolean isLearning() {
        return latestSequence != 0 && !isKnown;
    }

    /**
     * Counts what the link could have passed until the credit {@code nextSequence}, before that is made. Time in which
     * the flow waited for its host's meter does not count: it lost nothing then. Not to be called when the share is
     * known.
     *
     * @param framesPerCredit what the link passes, at its highest rate, between two credits of this flow
     * @param rttFrames what it passes in a round trip; 0 while that is not known
     * @return whether {@link #share} has changed
     */
    boolean onCredit(long nextSequence, double framesPerCredit, double rttFrames) {
        double more = latestSequence == 0 ? 0 : (nextSequence - latestSequence) * framesPerCredit;
        linkFrames = Math.min(linkFrames + more, (1 + ECHOES * RTTS_PER_FRAME_MAX) * rttFrames);
        latestSequence = nextSequence;
        double frames = ECHOES + Math.max(0, linkFrames - rttFrames);
        double needed = ECHOES * Math.max(1, StrictMath.cbrt(frames / ECHOES / FLOWS_MANY));
        isKnown = echoes >= needed;
        if (rttFrames == 0 || (!isKnown && frames < countedFrames * RESET_FACTOR)) {
            return false;
        }
        countedFrames = frames;
        share = isKnown ? believed(echoes / frames) : needed / frames;
        return true;
    }

    /**
     * {@return the share that a flow believes in that counted {@code counted} of the frames as its own} A flow that
     * counts many has few rivals. They were there before it, and make way over forty round trips.
     */
    private static double believed(double counted) {
        return Math.min(1, counted * (1 + RIVALS_FEW * counted));
    }

    /** {@return the share that the flow may have now, more than 0 and at most 1} */
    double share() {
        return share;
    }
}
