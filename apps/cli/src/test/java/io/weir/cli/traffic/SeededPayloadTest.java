package io.weir.cli.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests payload made from a seed, and its check. */
class SeededPayloadTest {
    private static final int BYTES = 50_000;

    private static byte[] payload(long seed, int stream) {
        byte[] bytes = new byte[BYTES];
        new SeededPayload(seed, stream).next(bytes, 0, BYTES);
        return bytes;
    }

    private static PayloadCheck check(byte[] arrived, long seed) {
        PayloadCheck check = new PayloadCheck(new SeededPayload(seed, 0));
        UnsafeBuffer buffer = new UnsafeBuffer(arrived);
        Random random = new Random(3);
        for (int at = 0; at < arrived.length; ) {
            int length = Math.min(arrived.length - at, 1 + random.nextInt(3_000));
            check.onBytes(buffer, at, length);
            at += length;
        }
        return check;
    }

    @Test
    void next_inPiecesOfAnySize_isTheSameStream() {
        byte[] pieces = new byte[BYTES];
        SeededPayload payload = new SeededPayload(9, 4);
        Random random = new Random(2);
        for (int at = 0; at < BYTES; ) {
            int length = Math.min(BYTES - at, 1 + random.nextInt(10_000));
            payload.next(pieces, at, length);
            at += length;
        }
        assertArrayEquals(payload(9, 4), pieces);
    }

    @Test
    void next_otherSeedOrStream_isAnother() {
        assertNotEquals(-1, Arrays.mismatch(payload(1, 0), payload(2, 0)));
        assertNotEquals(-1, Arrays.mismatch(payload(1, 0), payload(1, 1)));
    }

    @Test
    void next_seedOne_isWhatItHasAlwaysBeen() throws Exception {
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(payload(1, 0)));
        assertEquals("4b19ee9a64059a5fc828ef4324f16c239e258bb06b6a0183781507d96c15c5e0", sha256);
    }

    @Test
    void check_rightPayload_findsNothingAndTakesItsDigest() throws Exception {
        byte[] bytes = payload(1, 0);
        PayloadCheck check = check(bytes, 1);
        assertEquals(PayloadCheck.NOTHING_WRONG, check.firstWrongOffset());
        assertEquals(
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)), check.sha256());
    }

    @Test
    void check_oneBitWrong_saysWhere() {
        byte[] bytes = payload(1, 0);
        bytes[31_007] ^= 4;
        bytes[40_000] ^= 1;
        assertEquals(31_007, check(bytes, 1).firstWrongOffset());
    }

    @Test
    void check_otherSeed_isWrongAlmostAtOnce() {
        long wrong = check(payload(1, 0), 2).firstWrongOffset();
        assertEquals(0, wrong / 16);
    }
}
