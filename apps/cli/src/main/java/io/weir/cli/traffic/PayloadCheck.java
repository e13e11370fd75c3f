package io.weir.cli.traffic;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/** Holds what arrives against what the seed says should, byte by byte, and takes its SHA-256. */
public final class PayloadCheck {
    /** Every byte so far was right. */
    public static final long NOTHING_WRONG = -1;

    private final SeededPayload expected;
    private final Sha256 digest = new Sha256();
    private byte[] arrivedBytes = new byte[0];
    private byte[] expectedBytes = new byte[0];
    private long offset;
    private long firstWrongOffset = NOTHING_WRONG;

    public PayloadCheck(SeededPayload expected) {
        this.expected = expected;
    }

    public void onBytes(DirectBuffer buffer, int index, int length) {
        if (arrivedBytes.length < length) {
            arrivedBytes = new byte[length];
            expectedBytes = new byte[length];
        }
        buffer.getBytes(index, arrivedBytes, 0, length);
        digest.update(arrivedBytes, 0, length);
        if (firstWrongOffset == NOTHING_WRONG) {
            expected.next(expectedBytes, 0, length);
            int wrong = Arrays.mismatch(arrivedBytes, 0, length, expectedBytes, 0, length);
            if (wrong >= 0) {
                firstWrongOffset = offset + wrong;
            }
        }
        offset += length;
    }

    /** {@return where the first byte lies that the seed does not say, or {@link #NOTHING_WRONG}} */
    public long firstWrongOffset() {
        return firstWrongOffset;
    }

    /** {@return the SHA-256 of all that arrived so far, in hexadecimal digits} */
    public String sha256() {
        return digest.text();
    }
}
