package io.weir.transport.host;

import java.util.function.LongSupplier;

/**
 * Unpredictable numbers for one loop: the keyed hash of a count. The generator that gives the key takes a lock and
 * hashes in Java, which in a new process costs more than all else that a connection needs random numbers for.
 */
public final class Secrets implements LongSupplier {
    private final SipHash hash;
    /** Numbers so far; the loop's thread alone. */
    private long count;

    /** Creates one with this key of 128 bits: as unpredictable as that is. */
    public Secrets(long key0, long key1) {
        hash = new SipHash(key0, key1);
    }

    @Override
    public long getAsLong() {
        return hash.begin().add(count++).end();
    }
}
