package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.wire.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests {@link StandingBudget}. */
class StandingBudgetTest {
    private static final int UNIT = StandingBudget.UNIT_BYTES;

    private static StandingBudget.Account flowOf(StandingBudget budget, int peer) {
        return budget.accountOf(IpAddress.v4(peer), UNIT);
    }

    @Test
    void tryTake_manyFlowsOfOnePeer_allHoldOne() {
        StandingBudget budget = new StandingBudget(UNIT);
        for (int i = 0; i < 1_000; i++) {
            assertTrue(flowOf(budget, 1).tryTake());
        }
        assertEquals(0, budget.queueUnits());
    }

    @Test
    void tryTake_severalPeers_holdNoMoreThanTheBudgetBeyondTheOneWithTheMost() {
        StandingBudget budget = new StandingBudget(2 * UNIT);
        assertTrue(flowOf(budget, 1).tryTake());
        assertTrue(flowOf(budget, 2).tryTake());
        StandingBudget.Account third = flowOf(budget, 3);
        assertTrue(third.tryTake());
        assertFalse(flowOf(budget, 4).tryTake());
        third.giveBack();
        assertTrue(flowOf(budget, 4).tryTake());
    }

    @Test
    void tryTake_budgetUsedUp_thePeerWithTheMostStillGetsOne() {
        StandingBudget budget = new StandingBudget(UNIT);
        assertTrue(flowOf(budget, 1).tryTake());
        assertTrue(flowOf(budget, 2).tryTake());
        assertTrue(flowOf(budget, 1).tryTake());
        assertFalse(flowOf(budget, 2).tryTake());
    }

    @Test
    void tryTake_longFrames_countAsSeveral() {
        StandingBudget budget = new StandingBudget(6 * UNIT);
        assertTrue(budget.accountOf(IpAddress.v4(1), 9_038).tryTake());
        assertTrue(budget.accountOf(IpAddress.v4(2), 9_038).tryTake());
        assertEquals(6, budget.queueUnits());
        assertFalse(flowOf(budget, 3).tryTake());
    }

    @Test
    void tryTake_noBudget_refusesAll() {
        assertFalse(flowOf(new StandingBudget(0), 1).tryTake());
    }

    @Test
    void close_lastFlowOfAPeer_forgetsThePeer() {
        StandingBudget budget = new StandingBudget(UNIT);
        StandingBudget.Account one = flowOf(budget, 1);
        StandingBudget.Account other = flowOf(budget, 1);
        one.close();
        assertEquals(1, budget.peerCount());
        other.close();
        assertEquals(0, budget.peerCount());
    }

    @Test
    void tryTake_anyOrder_isTheSumLessTheMost() {
        SeededRandom random = new SeededRandom(7);
        StandingBudget budget = new StandingBudget(20 * UNIT);
        int[] held = new int[10];
        List<Runnable> returns = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            int peer = random.nextInt(held.length);
            StandingBudget.Account account = flowOf(budget, peer);
            int sum = IntStream.of(held).sum() + 1;
            held[peer]++;
            boolean fits = sum - IntStream.of(held).max().orElseThrow() <= 20;
            assertEquals(fits, account.tryTake(), "step " + step);
            if (fits) {
                returns.add(() -> {
                    account.giveBack();
                    held[peer]--;
                });
            } else {
                held[peer]--;
            }
            if (returns.size() > random.nextInt(60)) {
                returns.remove(random.nextInt(returns.size())).run();
            }
            int queue = IntStream.of(held).sum() - IntStream.of(held).max().orElseThrow();
            assertEquals(queue, budget.queueUnits(), "step " + step);
        }
    }
}
