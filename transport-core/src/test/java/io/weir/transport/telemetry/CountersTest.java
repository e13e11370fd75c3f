package io.weir.transport.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link Counters} and {@link CounterId}. */
class CountersTest {
    @Test
    void add_oneCounter_changesNoOther() {
        for (CounterId id : CounterId.values()) {
            Counters counters = new Counters();
            counters.add(id, 5);
            counters.increment(id);
            for (CounterId other : CounterId.values()) {
                assertEquals(other == id ? 6 : 0, counters.get(other));
            }
            assertEquals(id.isDrop() ? 6 : 0, counters.drops());
        }
    }

    @Test
    void toString_someCounted_listsThoseAlone() {
        Counters counters = new Counters();
        counters.increment(CounterId.DROP_CRC);
        counters.add(CounterId.FRAMES_SENT, 7);
        assertEquals("FRAMES_SENT=7\nDROP_CRC=1\n", counters.toString());
    }

    @Test
    void description_everyCounter_isItsOwnAndSaysWhetherAFrameEnds() {
        Set<String> descriptions = new HashSet<>();
        for (CounterId id : CounterId.values()) {
            assertTrue(descriptions.add(id.description()), id + " is described like another");
            assertEquals(id.isDrop(), id.description().startsWith("drop: "), id.name());
        }
        assertTrue(Arrays.stream(CounterId.values()).filter(CounterId::isDrop).count() > 20);
    }
}
