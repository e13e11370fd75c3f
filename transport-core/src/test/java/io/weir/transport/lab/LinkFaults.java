package io.weir.transport.lab;

import io.weir.pacer.SeededRandom;
import io.weir.transport.scenario.Fault.Impairment;

/** Draws what is wrong with a schedule's links. */
final class LinkFaults {
    private final Schedule schedule;
    private final SeededRandom random;
    private boolean isPartitionDrawn;
    private boolean isOneWayCutDrawn;

    LinkFaults(Schedule schedule, SeededRandom random) {
        this.schedule = schedule;
        this.random = random;
    }

    /** Draws the faults of a host's link: of the direction to it, and of the one from it. */
    void draw(LinkPlan[] directions) {
        long healNanos = schedule.healNanos;
        long cutFromNanos = random.nextLong(healNanos);
        long cutNanos = 0;
        long cutEveryNanos = 0;
        boolean isCutToo = true;
        if (has(Feature.PARTITION) && !isPartitionDrawn) {
            isPartitionDrawn = true;
            cutNanos = random.nextLong(healNanos);
        } else if (has(Feature.ONE_WAY_CUT) && !isOneWayCutDrawn) {
            isOneWayCutDrawn = true;
            isCutToo = false;
            cutNanos = random.nextLong(healNanos);
        } else if (has(Feature.FLAPPING)) {
            cutEveryNanos = random.nextIntInclusive(20_000, 2_000_000);
            cutNanos = 1 + random.nextLong(cutEveryNanos * 3 / 4);
        }
        int first = random.nextInt(2);
        directions[first] = new LinkPlan(drawImpairment(), drawReplayPpm(), cutFromNanos, cutNanos, cutEveryNanos);
        long otherCutNanos = isCutToo ? cutNanos : 0;
        // Half of the links are bad one way only.
        directions[1 - first] = random.nextInt(2) == 0
                ? new LinkPlan(Impairment.NONE, 0, cutFromNanos, otherCutNanos, cutEveryNanos)
                : new LinkPlan(drawImpairment(), drawReplayPpm(), cutFromNanos, otherCutNanos, cutEveryNanos);
    }

    private boolean has(Feature feature) {
        return schedule.features.contains(feature);
    }

    private int drawReplayPpm() {
        return has(Feature.REPLAY) ? random.nextIntInclusive(10_000, 200_000) : 0;
    }

    private Impairment drawImpairment() {
        int[] ppm = new int[5];
        ppm[0] = draw(Feature.LOSS, 300_000);
        ppm[1] = draw(Feature.BURSTS, 50_000);
        ppm[2] = draw(Feature.DUPLICATES, 200_000);
        ppm[3] = draw(Feature.REORDERING, 300_000);
        ppm[4] = draw(Feature.CORRUPTION, 100_000);
        long reorderNanosMax = random.nextInt(2) == 0 ? 20_000 : random.nextIntInclusive(1_000, 2_000_000);
        long delayNanos = draw(Feature.DELAY, 1_000_000);
        return Impairment.NONE
                .withLoss(ppm[0])
                .withBursts(ppm[1], 200_000)
                .withDuplicates(ppm[2])
                .withReordering(ppm[3], reorderNanosMax)
                .withCorruption(ppm[4])
                .withDelayNanos(delayNanos);
    }

    private int draw(Feature feature, int max) {
        return has(feature) ? random.nextIntInclusive(max / 100, max) : 0;
    }
}
