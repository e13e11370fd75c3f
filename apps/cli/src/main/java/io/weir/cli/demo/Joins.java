package io.weir.cli.demo;

import java.util.Arrays;
import java.util.List;

/**
 * How soon a second flow has its share: from its first byte until one half of what one flow alone reached, less a
 * fifth, was its own over four round trips.
 *
 * <p>A join is judged only if it shows that a flow gives way and another takes its place:
 *
 * <ul>
 *   <li>The first flow held at least 60 % of the link, alone and right before the join. The second one is to have 40 %;
 *       with less before, that was free, and nobody had to give way.
 *   <li>Loops were off their cores for at most half of the round trips that a join may take.
 *   <li>Bytes of the second flow came more than once: a single arrival shows no rate.
 * </ul>
 *
 * @param count how often a second flow joined
 * @param judged how many of these joins are judged
 * @param baseTooSmall how many are not because the first flow held too little
 * @param pausedTooLong how many others are not because of pauses
 * @param notSeen how many others are not because too little came
 * @param withinLimit how many of those judged had their share while they were observed
 * @param medianRoundTrips the median time of those judged in round trips of propagation delay, or null if there are
 *     none or most had not
 */
record Joins(
        int count,
        int judged,
        int baseTooSmall,
        int pausedTooLong,
        int notSeen,
        int withinLimit,
        Double medianRoundTrips) {
    /** What stands in place of a median if most joins had not their share. */
    static final String NEVER = "not while observed";
    /** The part of half of what one flow alone reached that counts as a share. */
    static final double SHARE = 0.8;
    /** What the first flow must hold of the link: all but the share that the second one is to have. */
    static final double BASE_SHARE_MIN = 1 - SHARE / 2;
    /** How long loops may be off their cores: half of the limit. */
    static final double PAUSED_ROUND_TRIPS_MAX = Verdicts.JOIN_ROUND_TRIPS_MAX / 2;

    /**
     * One join.
     *
     * @param baseBps the first flow's goodput right before
     * @param pauses loops off their cores while it was observed
     * @param shareNanos after what time the second flow had its share: 0 if its first arrival was as much, {@link
     *     Long#MAX_VALUE} if it never had
     * @param hasArrivals whether bytes of the second flow came at all
     */
    record Trial(double baseBps, DemoPauses pauses, long shareNanos, boolean hasArrivals) {}

    /**
     * {@return what joins show}
     *
     * @param aloneBps the goodput of one flow alone
     */
    static Joins of(List<Trial> trials, double aloneBps, DemoPlan plan) {
        double baseBpsMin = BASE_SHARE_MIN * plan.bottleneckBps();
        double pausedNanosMax = PAUSED_ROUND_TRIPS_MAX * plan.roundTripNanos();
        int baseTooSmall = 0;
        int pausedTooLong = 0;
        int notSeen = 0;
        long[] shareNanos = new long[trials.size()];
        int judged = 0;
        for (Trial trial : trials) {
            if (Math.min(aloneBps, trial.baseBps()) < baseBpsMin) {
                baseTooSmall++;
            } else if (trial.pauses().offCoreNanos() > pausedNanosMax) {
                pausedTooLong++;
            } else if (!trial.hasArrivals() || trial.shareNanos() == 0) {
                notSeen++;
            } else {
                shareNanos[judged++] = trial.shareNanos();
            }
        }
        shareNanos = Arrays.copyOf(shareNanos, judged);
        Arrays.sort(shareNanos);
        int within =
                (int) Arrays.stream(shareNanos).filter(n -> n != Long.MAX_VALUE).count();
        boolean hasMedian = within > judged / 2;
        return new Joins(
                trials.size(),
                judged,
                baseTooSmall,
                pausedTooLong,
                notSeen,
                within,
                hasMedian ? (double) shareNanos[judged / 2] / plan.roundTripNanos() : null);
    }

    /** {@return why the median is not to be judged, or null: most joins must be} */
    String notJudged() {
        if (judged > 0 && 2 * judged >= count) {
            return null;
        }
        return "only " + judged + " of " + count
                + " joins can be judged: the first flow held less than 60 % of the link in "
                + baseTooSmall + ", loops were off their cores too long in " + pausedTooLong + ", too little came in "
                + notSeen;
    }
}
