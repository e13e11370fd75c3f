package io.weir.transport.switching;

import io.weir.transport.wire.FlowFields;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Chooses among equal paths so that both directions of a flow take the same links: the hash is over the unordered pair
 * of ends, and next hops are numbered in the same order everywhere. Each layer of a network has its own hash: were
 * it the same, the switches of a second layer would see only flows that the first had chosen for them, and choose alike
 * for all.
 *
 * <p>Source: ExpressPass section 3.1, "Ensuring path symmetry": symmetric hashing with deterministic ECMP.
 */
final class EcmpHash {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final long LAYER_STEP = 1L << 40;

    private final FlowFields fields = new FlowFields();
    private final long seed;

    EcmpHash(long seed) {
        this.seed = seed;
    }

    /**
     * {@return a choice among equal paths for the frame: the same for frames of the opposite direction among as many of
     * the same layer}
     */
    int choose(UnsafeBuffer buffer, int at, int length, Paths paths) {
        int count = paths.count();
        if (count == 1) {
            return 0;
        }
        fields.read(buffer, at, length);
        // Sums and products of both ends do not depend on which one is called the source.
        long low = mix(fields.source() ^ seed);
        long high = mix(fields.destination() ^ seed);
        long hash = mix(low + high) ^ mix(low * high + fields.protocol() + paths.layer() * LAYER_STEP);
        return (int) (((mix(hash) >>> 33) * count) >>> 31);
    }

    private static long mix(long value) {
        long z = value * MULTIPLIER;
        z ^= z >>> 32;
        z *= MULTIPLIER;
        return z ^ (z >>> 29);
    }
}
