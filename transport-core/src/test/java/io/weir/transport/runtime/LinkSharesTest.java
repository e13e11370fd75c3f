package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests {@link LinkShares}. */
class LinkSharesTest {
    private static final long LATER = 10 * LinkShares.INTERVAL_NANOS;

    @Test
    void sharePpm_nobodyElseSends_isTheLink() {
        LinkShares shares = new LinkShares(3);
        shares.say(0, 900_000, 0);
        assertEquals(LinkShares.PPM, shares.sharePpm(0, 0));
    }

    @Test
    void sharePpm_othersUseLittle_isWhatTheyLeave() {
        LinkShares shares = new LinkShares(3);
        shares.say(1, 10_000, 0);
        shares.say(2, 20_000, 0);
        assertEquals(970_000, shares.sharePpm(0, 0));
    }

    @Test
    void sharePpm_othersUseAll_isAnEqualPart() {
        LinkShares shares = new LinkShares(2);
        shares.say(1, 1_000_000, 0);
        assertEquals(500_000, shares.sharePpm(0, 0));
    }

    @Test
    void sharePpm_othersSleep_isTheLink() {
        LinkShares shares = new LinkShares(2);
        shares.say(1, 1_000_000, 0);
        assertEquals(LinkShares.PPM, shares.sharePpm(0, LATER));
    }

    /** Loops that want more than the link, one after the other, come to equal parts and never exceed it then. */
    @Test
    void sharePpm_allWantTheWholeLink_isEqualAfterAFewIntervals() {
        LinkShares shares = new LinkShares(4);
        int[] used = new int[4];
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < used.length; i++) {
                if (round < i) {
                    continue;
                }
                long now = round * LinkShares.INTERVAL_NANOS + i;
                used[i] = shares.sharePpm(i, now);
                shares.say(i, used[i], now);
            }
        }
        assertTrue(Arrays.stream(used).sum() <= LinkShares.PPM);
        assertTrue(Arrays.stream(used).allMatch(part -> part == LinkShares.PPM / 4), Arrays.toString(used));
    }
}
