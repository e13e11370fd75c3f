package io.weir.transport.threads;

import io.weir.transport.flow.FlowStress;
import java.util.List;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * One seeded run of {@link FlowStress.Budget}, whose three threads take turns: two chunks go and come back while a
 * third thread is between its look and its exchange, which on two cores hardly ever happens.
 */
final class BudgetLab {
    private BudgetLab() {}

    /** {@return why the run of a seed failed, or null} */
    static String play(long seed) throws InterruptedException {
        ThreadOrder order = new ThreadOrder(seed);
        order.run(() -> run(order));
        return order.failure() == null ? null : "seed " + seed + ": " + order.failure();
    }

    private static void run(ThreadOrder order) {
        FlowStress.Budget budget = new FlowStress.Budget();
        List<TurnThread> threads = List.of(
                new TurnThread(budget::first, "first"),
                new TurnThread(budget::second, "second"),
                new TurnThread(budget::third, "third"));
        threads.forEach(order::start);
        threads.forEach(thread -> order.waitFor(thread::hasEnded, ThreadOrder.NO_DEADLINE));
        II_Result result = new II_Result();
        budget.count(result);
        if (result.r1 != 0 || result.r2 != 0) {
            order.fail(result.r1 + " chunks had two owners, and " + result.r2 + " bytes or chunks are missing", null);
        }
    }
}
