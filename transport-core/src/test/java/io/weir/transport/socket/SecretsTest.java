package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link Secrets}. */
class SecretsTest {
    @Test
    void getAsLong_manyTimes_neverRepeats() {
        Secrets secrets = new Secrets(new SecureRandom());
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            assertTrue(seen.add(secrets.getAsLong()));
        }
    }

    @Test
    void getAsLong_everyByteOfTheGenerator_isUsedOnce() {
        Counting random = new Counting();
        Secrets secrets = new Secrets(random);
        for (long i = 0; i < 1_000; i++) {
            assertEquals(i, secrets.getAsLong());
        }
        assertEquals(8, random.calls, "1,000 numbers of 8 B in batches of 1,024 B");
    }

    /** Gives the numbers from 0 on. */
    private static final class Counting extends SecureRandom {
        @Serial
        private static final long serialVersionUID = 1;

        private long next;
        private int calls;

        @Override
        public void nextBytes(byte[] bytes) {
            calls++;
            ByteBuffer target = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
            while (target.hasRemaining()) {
                target.putLong(next++);
            }
        }
    }
}
