package io.weir.transport.host;

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012) over a short sequence of 64-bit words: a keyed hash that a peer without
 * the key cannot forge, for cookies and tokens. No allocation.
 */
final class SipHash {
    private static final int WORD_BYTES = 8;

    private final long key0;
    private final long key1;
    // The state of the hash between begin() and end(); its users are of one thread, and end() leaves it used up.
    private long v0;
    private long v1;
    private long v2;
    private long v3;
    /** 64-bit words added since begin(): the length that end() adds. */
    private int words;

    SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    SipHash begin() {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
        words = 0;
        return this;
    }

    SipHash add(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
        words++;
        return this;
    }

    long end() {
        add((long) (words * WORD_BYTES & 0xFF) << 56);
        v2 ^= 0xFF;
        round();
        round();
        round();
        round();
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
    }
}
