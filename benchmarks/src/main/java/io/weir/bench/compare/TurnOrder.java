package io.weir.bench.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * In which order all runs happen. Within a round, the subjects do each job right after one another, so that what the
 * machine does meanwhile meets all of them. Each round begins with another subject, and every second one goes
 * backwards, so that no subject always comes after the same one.
 */
final class TurnOrder {
    private TurnOrder() {}

    static List<CompareTurn> of(CompareOptions options) {
        List<CompareTurn> turns = new ArrayList<>();
        for (int round = 0; round < options.pairs(); round++) {
            for (int spinners : alternating(options.spinners(), round)) {
                add(turns, options, round, spinners);
            }
        }
        return turns;
    }

    private static void add(List<CompareTurn> turns, CompareOptions options, int round, int spinners) {
        for (Job job : options.jobs()) {
            for (Rival rival : rotated(options.rivals(), round)) {
                turns.add(new CompareTurn(round, spinners, job, rival));
            }
        }
    }

    private static List<Integer> alternating(List<Integer> spinners, int round) {
        List<Integer> order = new ArrayList<>(spinners);
        if (round % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    static <T> List<T> rotated(List<T> items, int round) {
        List<T> order = new ArrayList<>(items);
        Collections.rotate(order, -(round / 2) % items.size());
        if (round % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }
}
