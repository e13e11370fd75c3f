package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests {@link TurnOrder}. */
class TurnOrderTest {
    @Test
    void of_twoRounds_theSecondGoesBackwards() {
        List<CompareTurn> turns = turns("--subjects tcp-xdp,netty --workloads bulk,idle --spinners 0,1 --pairs 2");
        assertEquals(
                List.of(
                        "0 0 bulk tcp-xdp",
                        "0 0 bulk netty",
                        "0 0 idle tcp-xdp",
                        "0 0 idle netty",
                        "0 1 bulk tcp-xdp",
                        "0 1 bulk netty",
                        "0 1 idle tcp-xdp",
                        "0 1 idle netty",
                        "1 1 bulk netty",
                        "1 1 bulk tcp-xdp",
                        "1 1 idle netty",
                        "1 1 idle tcp-xdp",
                        "1 0 bulk netty",
                        "1 0 bulk tcp-xdp",
                        "1 0 idle netty",
                        "1 0 idle tcp-xdp"),
                turns.stream()
                        .map(turn -> turn.round() + " " + turn.spinners() + " "
                                + turn.job().label() + " " + turn.rival().name())
                        .toList());
    }

    @Test
    void of_asManyRoundsAsSubjectsTwice_eachIsFirstTwice() {
        List<CompareTurn> turns = turns("--subjects tcp-xdp,netty,udp --workloads bulk --pairs 6");
        for (String name : List.of("tcp-xdp", "netty", "udp")) {
            long first = IntStream.range(0, 6)
                    .filter(round -> turns.get(round * 3).rival().name().equals(name))
                    .count();
            assertEquals(2, first, name);
        }
    }

    @Test
    void of_everything_noTurnTwice() {
        List<CompareTurn> turns = turns("--pairs 3 --spinners 0,1,2");
        assertEquals(turns.size(), new HashSet<>(turns).size());
        assertTrue(turns.size() % (3 * 3) == 0, "each round has as many turns");
    }

    private static List<CompareTurn> turns(String arguments) {
        return TurnOrder.of(CompareOptions.parse(arguments.split(" ", -1)));
    }
}
