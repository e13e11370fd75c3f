package io.weir.transport.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs threads of the product in seeded orders. */
class ThreadLabTest {
    private static final int SEEDS = 250;
    private static final int SLOW_SEEDS = 15_000;
    /** Threads that a failed run leaves behind stay with their build. */
    private static final int SEEDS_PER_BUILD = 5_000;

    private static void playAll(long first, long last) throws ReflectiveOperationException {
        TurnedBuild build = null;
        for (long seed = first; seed <= last; seed++) {
            if (build == null || (seed - first) % SEEDS_PER_BUILD == 0) {
                build = new TurnedBuild(List.of());
            }
            String failure = build.play(null, seed);
            assertNull(failure, () -> failure + "\nrepeat it with -Dweir.threads.seed=NUMBER");
        }
    }

    @Test
    void play_seeds_everyCallEndsAndNothingIsLost() throws ReflectiveOperationException {
        long single = Long.getLong("weir.threads.seed", 0);
        playAll(single == 0 ? 1 : single, single == 0 ? Integer.getInteger("weir.threads.seeds", SEEDS) : single);
    }

    @Test
    @Tag("slow")
    void play_manySeeds_everyCallEndsAndNothingIsLost() throws ReflectiveOperationException {
        playAll(Long.getLong("weir.threads.firstSeed", SEEDS + 1), Long.getLong("weir.threads.slowSeeds", SLOW_SEEDS));
    }

    /** Whatever ran before it in the same build, and in another one. */
    @Test
    void play_sameSeed_takesTheSameTurns() throws ReflectiveOperationException {
        TurnedBuild build = new TurnedBuild(List.of());
        long hash = build.hash(7);
        build.play(null, 8);
        assertEquals(hash, build.hash(7));
        assertEquals(hash, new TurnedBuild(List.of()).hash(7));
    }
}
