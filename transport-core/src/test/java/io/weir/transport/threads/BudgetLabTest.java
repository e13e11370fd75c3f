package io.weir.transport.threads;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.lab.Change;
import io.weir.transport.lab.PlantedFault;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the budget of stream buffers in seeded orders of its threads, also with mistakes that jcstress hardly finds. */
class BudgetLabTest {
    private static final int SEEDS = 400;
    private static final String BUDGET = "transport.flow.BufferBudget";

    private static Stream<PlantedFault> faults() {
        return Stream.of(
                fault("takes a chunk in two steps", "pop", Slip.torn("compareAndSet")),
                fault("takes a chunk that left and came back for one that stayed", "head", Slip.withoutCount()));
    }

    private static PlantedFault fault(String what, String method, Change change) {
        return new PlantedFault(what, BUDGET, method, SEEDS, change);
    }

    @Test
    void play_seeds_eachChunkHasOneOwnerAndNoneIsMissing() throws ReflectiveOperationException {
        TurnedBuild build = new TurnedBuild(List.of(), BudgetLab.class);
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertNull(build.play(null, seed));
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void search_budgetWithAFault_isFoundWithinTheSameSeeds(PlantedFault fault) throws ReflectiveOperationException {
        assertTrue(new TurnedBuild(List.of(fault), BudgetLab.class).search(fault, SEEDS) > 0, fault.what());
    }
}
