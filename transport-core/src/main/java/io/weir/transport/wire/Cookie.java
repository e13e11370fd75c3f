package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The field of a cookie or token: when it was issued, in seconds of the issuer's clock, and a keyed hash over that and
 * what it vouches for.
 */
public final class Cookie {
    /** Bytes of the field. */
    public static final int BYTES = 12;

    private Cookie() {}

    /** {@return when it was issued, in whole seconds} */
    public static int issuedSeconds(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at);
    }

    /** {@return the keyed hash} */
    public static long hash(UnsafeBuffer buffer, int at) {
        return Bytes.i64(buffer, at + 4);
    }

    /** Writes the field. */
    public static void write(UnsafeBuffer buffer, int at, int issuedSeconds, long hash) {
        Bytes.put32(buffer, at, issuedSeconds);
        Bytes.put64(buffer, at + 4, hash);
    }
}
