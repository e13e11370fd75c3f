package io.weir.transport.flow;

import static io.weir.transport.flow.BufferBudget.CHUNK_BYTES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Tests {@link BufferShare}. */
class BufferShareTest {
    private final BufferBudget budget = new BufferBudget(64L * CHUNK_BYTES);
    private final BufferShare half = new BufferShare(budget, 32L * CHUNK_BYTES);
    private final Queue<Chunk> taken = new ArrayDeque<>();

    private int takeAll(BufferShare share, boolean isVital) {
        int count = 0;
        for (Chunk chunk = share.take(isVital); chunk != null; chunk = share.take(isVital)) {
            taken.add(chunk);
            count++;
        }
        return count;
    }

    @Test
    void take_ordinaryBytes_leavesTheReserveOfTheShareToVitalOnes() {
        assertEquals(30, takeAll(half, false));
        assertTrue(half.isShort());
        assertFalse(half.isExhausted());
        assertEquals(2, takeAll(half, true));
        assertTrue(half.isExhausted());
        assertEquals(half.bytesMax(), half.bytesInUse());
    }

    @Test
    void take_onePeerHasAllOfItsShare_leavesTheRestToOthers() {
        takeAll(half, true);
        BufferShare other = new BufferShare(budget, 32L * CHUNK_BYTES);
        assertFalse(other.isShort());
        assertNotNull(other.take(false));
    }

    @Test
    void take_budgetExhausted_isRefusedAndNotCounted() {
        takeAll(new BufferShare(budget), true);
        assertNull(half.take(true));
        assertEquals(0, half.bytesInUse());
        assertTrue(half.isExhausted());
    }

    @Test
    void give_chunk_isBackInShareAndBudget() {
        takeAll(half, true);
        taken.forEach(half::give);
        assertEquals(0, half.bytesInUse());
        assertEquals(0, budget.bytesInUse());
        assertEquals(30, takeAll(half, false));
    }

    @Test
    void allowsGrowth_asFarAsTheShareReaches() {
        assertTrue(half.allowsGrowth(30L * CHUNK_BYTES));
        assertFalse(half.allowsGrowth(31L * CHUNK_BYTES));
        takeAll(new BufferShare(budget, 50L * CHUNK_BYTES), true);
        assertFalse(half.allowsGrowth(30L * CHUNK_BYTES), "the budget has less left than the share");
    }

    @Test
    void isShort_reservedForConnections_countsAsTaken() {
        budget.setReservedBytes(60L * CHUNK_BYTES);
        assertTrue(half.isShort());
        assertNull(half.take(false));
        assertNotNull(half.take(true));
        budget.setReservedBytes(0);
        assertNotNull(half.take(false));
    }
}
