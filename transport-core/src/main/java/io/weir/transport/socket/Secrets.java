package io.weir.transport.socket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.function.LongSupplier;

/**
 * Unpredictable numbers for one loop. The generator is asked for many at a time: each call of it takes a lock and
 * hashes, which costs more than all else that a new connection needs random numbers for.
 */
final class Secrets implements LongSupplier {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int BATCH_BYTES = 1_024;

    private final SecureRandom random;
    private final byte[] batch = new byte[BATCH_BYTES];
    /** Where the next number is, or {@link #BATCH_BYTES} when all are used. */
    private int nextIndex = BATCH_BYTES;

    Secrets(SecureRandom random) {
        this.random = random;
    }

    @Override
    public long getAsLong() {
        if (nextIndex == BATCH_BYTES) {
            random.nextBytes(batch);
            nextIndex = 0;
        }
        long secret = (long) LONGS.get(batch, nextIndex);
        // A number that is used is nobody else's to read.
        LONGS.set(batch, nextIndex, 0L);
        nextIndex += Long.BYTES;
        return secret;
    }
}
