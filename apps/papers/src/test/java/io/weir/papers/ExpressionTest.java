package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link Expression}. */
class ExpressionTest {
    private static final Map<String, List<Double>> NAMES =
            Map.of("used[dx, 2..]", List.of(1.0, 2.0, 4.0), "mean", List.of(3.0), "none", List.of());

    private static List<Double> values(String text) {
        return Expression.parse(text).values(NAMES::get);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 + 2 * 3 - 4 / 2 | 5",
                "2 * (1 + 2) | 6",
                "95% | 0.95",
                "2KB | 2000",
                "10Gbps | 1e10",
                "100us | 100000",
                "mean * 1e3 | 3000",
                "max(used[dx, 2..]) - min(used[dx, 2..]) | 3",
                "max(mean; used[dx, 2..]) | 4"
            })
    void value_ofAnExpression_isItsNumber(String text, double value) {
        assertEquals(value, Expression.parse(text).value(NAMES::get));
    }

    @Test
    void values_ofLists_areElementByElement() {
        assertEquals(List.of(0.5, 1.0, 2.0), values("used[dx, 2..] / 2"));
        assertEquals(List.of(0.0, 0.0, 0.0), values("used[dx, 2..] - used[dx, 2..]"));
        assertEquals(List.of(3.0, 1.0, 2.0, 4.0), values("mean; used[dx, 2..]"));
        assertEquals(List.of(1.0, 2.0, 3.0), values("lesser(used[dx, 2..], mean)"));
        assertTrue(Double.isNaN(values("max(none)").get(0)));
    }

    @Test
    void value_ofSeveral_isRefused() {
        Expression list = Expression.parse("used[dx, 2..]");
        ConfigException refusal = assertThrows(ConfigException.class, () -> list.value(NAMES::get));
        assertEquals("\"used[dx, 2..]\" has 3 values where one is needed", refusal.getMessage());
        assertThrows(ConfigException.class, () -> values("used[dx, 2..] + (mean; mean)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 + | expected a number, a name or (",
                "(1 | expected )",
                "1 2 | expected the end",
                "least(1) | there is no function least",
                "1 + # | expected a number, a name or ("
            })
    void parse_badText_isRefusedWithThePlace(String text, String message) {
        ConfigException refusal = assertThrows(ConfigException.class, () -> Expression.parse(text));
        assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
    }
}
