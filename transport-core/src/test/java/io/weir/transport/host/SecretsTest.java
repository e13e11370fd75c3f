package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link Secrets}. */
class SecretsTest {
    @Test
    void getAsLong_manyTimes_neverRepeats() {
        Secrets secrets = new Secrets(3, 4);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            assertTrue(seen.add(secrets.getAsLong()));
        }
    }

    @Test
    void getAsLong_knownKey_isTheHashOfTheCount() {
        Secrets secrets = new Secrets(1, 2);
        SipHash hash = new SipHash(1, 2);
        assertEquals(hash.begin().add(0).end(), secrets.getAsLong());
        assertEquals(hash.begin().add(1).end(), secrets.getAsLong());
    }

    @Test
    void getAsLong_keysThatDifferInOneBit_giveOtherNumbers() {
        long number = new Secrets(1, 2).getAsLong();
        assertNotEquals(number, new Secrets(0, 2).getAsLong());
        assertNotEquals(number, new Secrets(1, 3).getAsLong());
    }
}
