package io.weir.transport.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.PauseTrace.Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link PauseTraces}, {@link PauseTrace} and {@link Pauses}. */
class PauseTracesTest {
    private static String refusal(String text) {
        return assertThrows(ConfigException.class, () -> PauseTraces.parse("t", text))
                .getMessage();
    }

    @Test
    void parse_commentsNamesAndSpaces_areRead() {
        PauseTrace trace = PauseTraces.parse("t", "# a machine\n# idle\nawakeNanos,pausedNanos\n10, 5\n\n20 0\n");
        assertEquals(List.of(new Span(10, 5), new Span(20, 0)), trace.spans());
        assertEquals("a machine; idle", trace.description());
        assertEquals(35, trace.cycleNanos());
        assertEquals(5, trace.pausedNanos());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | t, line 1: '1' has 1 columns; write nanoseconds that the thread ran, a comma, and nanoseconds that it did not",
                "1.5,1 | t, line 1: '1.5' is no whole number of nanoseconds",
                "0,1 | t, line 1: awakeNanos=0 is outside 1..10000000000; join pauses without time between them into one",
                "1,10000000001 | t, line 1: pausedNanos=10000000001 is outside 0..10000000000; split what is longer",
                "1,-1 | t, line 1: pausedNanos=-1 is outside 0..10000000000; split what is longer",
                "# nothing | t, line 1: a trace of 0 pauses is outside 1..20000; record longer",
            })
    void parse_mistake_isRefusedWithLineLimitAndRemedy(String text, String message) {
        assertEquals(message, refusal(text));
    }

    @Test
    void parse_tooManyLines_isRefused() {
        assertTrue(refusal("1,1\n".repeat(PauseTrace.SPANS_MAX + 1))
                .endsWith("a trace of 20001 pauses is outside 1..20000; record for a shorter time"));
    }

    static List<String> names() {
        return PauseTraces.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void names_each_hasATraceThatSaysWhereItComesFrom(String name) throws IOException {
        try (InputStream in = PauseTraces.class.getResourceAsStream(PauseTraces.resourceOf(name))) {
            PauseTrace trace = PauseTraces.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            assertTrue(
                    trace.spans().size() >= 100, name + " has " + trace.spans().size() + " spans");
            assertTrue(trace.description().matches("Load: .*HZ=\\d+; Kernel \\d.*"), trace.description());
        }
    }

    @Test
    void resourceOf_unknownName_isRefused() {
        assertThrows(ConfigException.class, () -> PauseTraces.resourceOf("nobody"));
    }

    @Test
    void pauses_outsideTheirBounds_areRefused() {
        PauseTrace trace = PauseTrace.NONE;
        assertThrows(ConfigException.class, () -> Pauses.NONE.withTrace(trace).withRingFrames(0));
        assertThrows(ConfigException.class, () -> Pauses.NONE.withTrace(trace).withRingFrames(65_537));
        assertThrows(
                ConfigException.class,
                () -> Pauses.NONE.withTrace(trace).withRingFrames(1).withWorkNanos(1_000_001));
        assertThrows(
                ConfigException.class,
                () -> Pauses.NONE.withTrace(trace).withRingFrames(1).withCatchUpNanos(-1));
        assertThrows(
                ConfigException.class,
                () -> Pauses.NONE.withTrace(trace).withRingFrames(1).withBudgetBytes(100_000_001));
        assertTrue(Pauses.NONE.isNone());
        assertEquals(0, Pauses.of(trace).withBudgetBytes(0).budget().bytes());
    }
}
