package io.weir.papers.live;

import io.weir.pacer.SeededRandom;
import io.weir.transport.sim.ReceiveDelay;

/**
 * How long cycles of a live loop took, the latest of them: written by the loop's thread while it runs, read after it
 * has ended.
 */
final class CycleLengths {
    private static final int CYCLES = 1 << 16;

    private final int[] nanos = new int[CYCLES];
    private long count;

    void add(long cycleNanos) {
        nanos[(int) (count & (CYCLES - 1))] = (int) cycleNanos;
        count++;
    }

    private int kept() {
        return (int) Math.min(count, CYCLES);
    }

    /** {@return their mean in microseconds; of none, not a number} */
    double meanMicros() {
        long sum = 0;
        for (int i = 0; i < kept(); i++) {
            sum += nanos[i];
        }
        return sum / 1e3 / kept();
    }

    /** {@return these lengths in an order by chance, for a loop in virtual time; some have to be there} */
    ReceiveDelay drawn(SeededRandom random) {
        return () -> nanos[random.nextInt(kept())];
    }
}
