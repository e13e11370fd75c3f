package io.weir.pacer.canary;

import java.util.Random;

/** Breaks the rules of {@code LayersTest}: the canary whose survival would show that a rule checks nothing. */
final class RuleBreaker {
    static long mutable;

    private RuleBreaker() {}

    static void breakAll() {
        mutable = System.nanoTime()
                + new Random(1).nextInt()
                + Thread.currentThread().getPriority();
    }
}
