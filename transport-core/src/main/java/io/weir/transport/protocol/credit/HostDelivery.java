package io.weir.transport.protocol.credit;

/**
 * The share of their credits that the flows of a host see come back as data. A flow of a few credits is over before it
 * knows its own, so it goes by its host's to make as many more as will be lost. In parts of {@link #WHOLE}; O(1); no
 * allocation.
 *
 * <p>A backlog of a few frames gets more: should none of its credits come through, it waits for a round trip, which is
 * as long as all of it takes. It gets none to spare only when nothing, or hardly anything, is lost. {@link
 * SpareCredits} bounds what that costs others.
 */
final class HostDelivery {
    /** Everything. */
    static final int WHOLE = 1 << 16;

    /** However bad the loss, no more than so many credits are made for one frame. */
    private static final int CREDITS_PER_FRAME_MAX = 4;

    private static final int WEIGHT = 64;
    /** What is supposed of a host that has heard nothing, that all comes through, counts as so many credits. */
    private static final int FIRST_WEIGHT = 4;

    private static final int BURST_MAX = 16;

    /** Spare credits of a short backlog, in standard deviations of how many of its credits are lost. */
    private static final double SPARE_DEVIATIONS = 6;
    /** The same for a flow many of whose credits came back or did not, and which so knows its share. */
    private static final double SPARE_DEVIATIONS_LAST = 1;
    /**
     * The share that a short backlog behind a meter goes by until {@link #isKnown}. Its spare credits leave within some
     * microseconds, and hardly anyone misses what they could have granted; a lost one costs a round trip.
     */
    private static final double SHARE_UNKNOWN = 0.6;

    /**
     * Above this share a backlog of more than {@link #FEW_FRAMES} gets none to spare: four losses in {@link #WEIGHT}
     * credits, one after the other. A single late credit looks like a loss of one in 64 for some hundred echoes.
     */
    private static final double SHARE_SURE = 1 - 4.0 / WEIGHT;

    /**
     * A backlog of at most so many frames goes by {@link #SHARE_UNKNOWN} unless nothing is lost at all: losses come
     * together, and to lose one credit costs as much time as all take.
     */
    static final int FEW_FRAMES = 16;

    /**
     * A backlog of fewer frames does so only after two losses, one after the other: a single credit that is late would
     * double the credits of some hundred messages.
     */
    static final int SEVERAL_FRAMES = 4;

    private static final double SHARE_NEARLY_SURE = 1 - 2.0 / WEIGHT;

    /** Above this share nothing is lost: some 700 echoes have forgotten a single loss. */
    private static final double SHARE_LOSSLESS = 0.999;

    /** After so many echoes without loss the worst is forgotten by a factor of e. */
    private static final int WORST_ECHOES = 256;

    /** The smoothed share now; written by {@link #onEcho}, above 0 and at most {@link #WHOLE}. */
    private int delivered = WHOLE;
    /**
     * The same at its worst of late, as a fraction: what a flow meets is not the average. At most that of {@link
     * #delivered}.
     */
    private double worst = 1;
    /** Credits whose fate is known, {@link #WEIGHT} at most; written by {@link #note}. */
    private int heardCount;

    /** Data came, and showed that {@code lost} credits before its own were lost. */
    void onEcho(long lost) {
        for (int i = (int) Math.min(lost, BURST_MAX); i > 0; i--) {
            note(0);
        }
        note(WHOLE);
        double now = fraction();
        worst = Math.min(now, worst + (now - worst) / WORST_ECHOES);
    }

    private void note(int share) {
        heardCount = Math.min(heardCount + 1, WEIGHT);
        int weight = Math.min(WEIGHT, heardCount + FIRST_WEIGHT);
        int gap = share - delivered;
        // Rounded up on its way to the whole, which it would else never reach again: then one frame takes two credits.
        delivered += (gap > 0 ? gap + weight - 1 : gap) / weight;
    }

    /** {@return whether the fate of enough is known to tell that nothing is lost} */
    boolean isKnown() {
        return heardCount == WEIGHT;
    }

    /** {@return the share now, 0 to 1} */
    double fraction() {
        return (double) delivered / WHOLE;
    }

    /**
     * {@return how many credits let {@code frames} frames through, of a short backlog: nearly always where many are
     * lost, on average where few are}
     *
     * @param own the share of its credits that the flow itself sees come back, 1 if it has none
     * @param isMetered whether meters may stand on the path: others lose no credits
     */
    long creditsForShort(long frames, double own, boolean isMetered) {
        return withSpares(frames, own, isMetered, SPARE_DEVIATIONS);
    }

    /**
     * {@return the same, but fewer to spare, for the last frames of a flow that knows its share}
     *
     * @param own as above
     * @param isMetered as above
     */
    long creditsForLast(long frames, double own, boolean isMetered) {
        return withSpares(frames, own, isMetered, SPARE_DEVIATIONS_LAST);
    }

    private long withSpares(long frames, double own, boolean isMetered, double deviations) {
        double seen = Math.min(own, worst);
        double shareSure = frames < SEVERAL_FRAMES ? SHARE_NEARLY_SURE : SHARE_LOSSLESS;
        boolean isUncertain = !isKnown() || (frames <= FEW_FRAMES && seen < shareSure);
        double supposed = isMetered && isUncertain ? Math.min(seen, SHARE_UNKNOWN) : seen;
        double share = Math.max(supposed, 1.0 / CREDITS_PER_FRAME_MAX);
        if (share > SHARE_SURE) {
            return (long) (frames / share + 0.5);
        }
        return (long) ((frames + deviations * Math.sqrt(frames * (1 - share))) / share + 0.5);
    }

    /** {@return how many credits it takes for {@code frames} frames, as things stand} */
    long creditsFor(long frames) {
        return (frames * WHOLE + delivered - 1) / Math.max(delivered, WHOLE / CREDITS_PER_FRAME_MAX);
    }
}
