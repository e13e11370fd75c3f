package io.weir.transport.wire;

/**
 * 64-bit counters of which the wire carries the low 32 bits. The unwrap rule: the value nearest to a reference that the
 * reader has, which is right as long as the two differ by less than 2^31.
 */
public final class Serial {
    private Serial() {}

    /** {@return the 64-bit value with the given low 32 bits that is nearest to {@code reference}} */
    public static long unwrap(long reference, int low32) {
        return reference + (low32 - (int) reference);
    }
}
