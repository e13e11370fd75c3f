package io.weir.transport.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.security.SecureRandom;
import java.util.function.LongSupplier;

/**
 * Unpredictable numbers for one loop. The generator is asked for many at a time: each call of it takes a lock and
 * hashes, which costs more than all else that a new connection needs random numbers for.
 */
final class Secrets implements LongSupplier {
    private static final int BATCH_BYTES = 1_024;

    private final SecureRandom random;
    /** What the generator gives, as bytes and as numbers: the same memory. */
    private final byte[] batch = new byte[BATCH_BYTES];

    private final LongBuffer numbers =
            ByteBuffer.wrap(batch).order(ByteOrder.nativeOrder()).asLongBuffer();
    /** Which number is next; the capacity when all are used. */
    private int nextIndex = numbers.capacity();

    Secrets(SecureRandom random) {
        this.random = random;
    }

    @Override
    public long getAsLong() {
        if (nextIndex == numbers.capacity()) {
            random.nextBytes(batch);
            nextIndex = 0;
        }
        long secret = numbers.get(nextIndex);
        // A number that is used is nobody else's to read.
        numbers.put(nextIndex, 0);
        nextIndex++;
        return secret;
    }
}
