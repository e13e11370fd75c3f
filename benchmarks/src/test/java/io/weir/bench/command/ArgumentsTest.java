package io.weir.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link Arguments}. */
class ArgumentsTest {
    private static Arguments of(String line) {
        return Arguments.of(List.of(line.split(" ")), "--runs --rate --names", "--quick");
    }

    @Test
    void of_optionsAndFlags_givesTheirValues() {
        Arguments given = of("--quick --runs 3 --rate 2.5 --names a,b --runs 4");
        assertTrue(given.has("--quick"));
        assertEquals(4, given.integer("--runs", 9));
        assertEquals(List.of("3", "4"), given.all("--runs"));
        assertEquals(2.5, given.decimal("--rate", 0));
        assertEquals(List.of("a", "b"), given.list("--names", ""));
    }

    @Test
    void of_nothingGiven_givesWhatIsUsual() {
        Arguments given = of("--quick");
        assertEquals(9, given.integer("--runs", 9));
        assertEquals(0.5, given.decimal("--rate", 0.5));
        assertEquals(List.of("x", "y"), given.list("--names", "x,y"));
        assertEquals(List.of(), given.all("--names"));
        assertFalse(of("--runs 1").has("--quick"));
    }

    @ParameterizedTest
    @CsvSource({
        "--frobnicate 1,        unknown option --frobnicate",
        "--quick --runs,        --runs lacks its value",
        "--runs three,          --runs three is no whole number",
        "--runs 3000000000,     --runs 3000000000 is too large",
        "--runs 8,              --runs 8 is outside 1..7"
    })
    void read_wrong_namesTheOption(String line, String message) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> {
            Arguments given = of(line);
            given.integer("--runs", 1);
            given.whole("--runs", 1, 1, 7);
        });
        assertEquals(message, e.getMessage());
    }
}
