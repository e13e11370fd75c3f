package io.weir.transport.threads;

import java.security.SecureRandom;
import java.util.Random;

/** Takes the place of {@link SecureRandom} in the product's bytes: the same numbers in every run of a seed. */
public final class SeededBytes extends SecureRandom {
    private static final long serialVersionUID = 1;

    /** What all of them draw from; the thread that has the turn. */
    private static Random source = new Random(1);

    /** As {@link SecureRandom#SecureRandom()}. */
    public SeededBytes() {
        super(null, null);
    }

    static void seed(long seed) {
        source = new Random(seed);
    }

    @Override
    public void nextBytes(byte[] bytes) {
        source.nextBytes(bytes);
    }
}
