package io.weir.transport.scenario;

import io.weir.pacer.SeededRandom;

/**
 * Where each part of an experiment gets its randomness: from the seed and the part's own name, so that adding a flow or
 * a host changes nothing about the others.
 */
public final class Randomness {
    private static final long OFFSET_BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    private Randomness() {}

    /** {@return the generator of the part called {@code name} among those of its {@code kind}} */
    public static SeededRandom of(long seed, String kind, String name) {
        long hash = OFFSET_BASIS ^ seed;
        for (int i = 0; i < kind.length(); i++) {
            hash = (hash ^ kind.charAt(i)) * PRIME;
        }
        hash *= PRIME;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * PRIME;
        }
        // Split, because neighbouring hashes would begin neighbouring sequences.
        return new SeededRandom(hash).split();
    }
}
