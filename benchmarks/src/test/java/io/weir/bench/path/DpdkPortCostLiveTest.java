package io.weir.bench.path;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.dpdk.DpdkTest;
import org.junit.jupiter.api.Test;

/** Tests that what {@link DpdkPortCost} times are frames that leave and come back. */
@DpdkTest
class DpdkPortCostLiveTest {
    @Test
    void parts_eachCall_movesItsFrames() throws Exception {
        DpdkPortCost parts = new DpdkPortCost();
        parts.open();
        try {
            assertEquals(0, parts.emptyPoll());
            for (int i = 1; i <= 100; i++) {
                assertEquals(i * 65L - 64, parts.one());
                assertEquals(i * 65L, parts.burst());
            }
        } finally {
            parts.close();
        }
    }
}
