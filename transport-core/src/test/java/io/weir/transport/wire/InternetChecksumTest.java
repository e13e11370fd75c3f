package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.testing.Slots;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link InternetChecksum} against the examples of RFC 1071 and RFC 1624 and against brute force. */
class InternetChecksumTest {
    private static int bruteForce(UnsafeBuffer buffer, int at, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            int octet = buffer.getByte(at + i) & 0xFF;
            sum += (i & 1) == 0 ? octet << 8 : octet;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return (int) (~sum & 0xFFFF);
    }

    @Test
    void finish_exampleOfRfc1071_isItsSum() {
        UnsafeBuffer buffer = Slots.exact(8);
        byte[] example = {0x00, 0x01, (byte) 0xf2, 0x03, (byte) 0xf4, (byte) 0xf5, (byte) 0xf6, (byte) 0xf7};
        buffer.putBytes(0, example);
        assertEquals(~0xddf2 & 0xFFFF, InternetChecksum.finish(InternetChecksum.add(0, buffer, 0, 8)));
    }

    @Test
    void add_everyLengthAndAlignment_matchesBruteForce() {
        SeededRandom random = new SeededRandom(1);
        for (int length = 0; length < 130; length++) {
            for (int at = 0; at < 9; at++) {
                UnsafeBuffer buffer = Slots.exact(at + length);
                for (int i = 0; i < length; i++) {
                    buffer.putByte(at + i, (byte) random.nextLong());
                }
                int expected = bruteForce(buffer, at, length);
                assertEquals(expected, InternetChecksum.finish(InternetChecksum.add(0, buffer, at, length)));
            }
        }
    }

    @Test
    void add_allOnes_foldsEveryCarry() {
        UnsafeBuffer buffer = Slots.exact(65_536);
        buffer.setMemory(0, 65_536, (byte) 0xFF);
        assertEquals(0, InternetChecksum.finish(InternetChecksum.add(0, buffer, 0, 65_536)));
        assertEquals(
                bruteForce(buffer, 0, 65_535), InternetChecksum.finish(InternetChecksum.add(0, buffer, 0, 65_535)));
    }

    @Test
    void add_inPieces_isTheSumOfTheWhole() {
        UnsafeBuffer buffer = Slots.exact(101);
        for (int i = 0; i < 101; i++) {
            buffer.putByte(i, (byte) (i * 37));
        }
        long sum = InternetChecksum.add(InternetChecksum.add(0, buffer, 0, 40), buffer, 40, 61);
        assertEquals(bruteForce(buffer, 0, 101), InternetChecksum.finish(sum));
        long with16 = InternetChecksum.add16(InternetChecksum.add(0, buffer, 0, 100), 0x1234);
        UnsafeBuffer longer = Slots.exact(102);
        longer.putBytes(0, buffer, 0, 100);
        Bytes.put16(longer, 100, 0x1234);
        assertEquals(bruteForce(longer, 0, 102), InternetChecksum.finish(with16));
    }

    @Test
    void isIntact_checksumInPlace_isTrueUntilABitFlips() {
        UnsafeBuffer buffer = Slots.exact(20);
        for (int i = 0; i < 20; i++) {
            buffer.putByte(i, (byte) (i * 11 + 1));
        }
        Bytes.put16(buffer, 10, 0);
        Bytes.put16(buffer, 10, InternetChecksum.finish(InternetChecksum.add(0, buffer, 0, 20)));
        assertTrue(InternetChecksum.isIntact(InternetChecksum.add(0, buffer, 0, 20)));
        for (int bit = 0; bit < 160; bit++) {
            buffer.putByte(bit / 8, (byte) (buffer.getByte(bit / 8) ^ 1 << bit % 8));
            assertFalse(InternetChecksum.isIntact(InternetChecksum.add(0, buffer, 0, 20)), "bit " + bit);
            buffer.putByte(bit / 8, (byte) (buffer.getByte(bit / 8) ^ 1 << bit % 8));
        }
    }

    @Test
    void update16_exampleOfRfc1624_isItsResult() {
        assertEquals(0x0000, InternetChecksum.update16(0xDD2F, 0x5555, 0x3285));
    }

    @Test
    void update16_randomFields_isWhatAWholeSumWouldGive() {
        SeededRandom random = new SeededRandom(2);
        UnsafeBuffer buffer = Slots.exact(20);
        for (int i = 0; i < 20_000; i++) {
            for (int j = 0; j < 20; j++) {
                buffer.putByte(j, (byte) random.nextLong());
            }
            int checksum = bruteForce(buffer, 0, 20);
            int field = 2 * random.nextInt(10);
            int before = Bytes.u16(buffer, field);
            int after = random.nextInt(65_536);
            Bytes.put16(buffer, field, after);
            int expected = bruteForce(buffer, 0, 20);
            int updated = InternetChecksum.update16(checksum, before, after);
            assertTrue(updated == expected
                    || (expected == 0 && updated == 0xFFFF)
                    || (expected == 0xFFFF && updated == 0));
        }
    }
}
