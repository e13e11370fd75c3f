package io.weir.transport.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Tests {@link TransitionTable}. */
class TransitionTableTest {
    /** Two states. */
    private enum Lamp {
        OFF,
        ON
    }

    /** Two events. */
    private enum Touch {
        PRESS,
        BREAK
    }

    private final TransitionTable<Lamp, Touch> table = TransitionTable.of(Lamp.class, Touch.class)
            .on(Touch.PRESS, Lamp.ON, Lamp.OFF)
            .on(Touch.PRESS, Lamp.OFF, Lamp.ON)
            .on(Touch.BREAK, Lamp.OFF, Lamp.ON)
            .build();

    @Test
    void next_allowedOrNot_isTheTargetOrNull() {
        assertEquals(Lamp.ON, table.next(Lamp.OFF, Touch.PRESS));
        assertEquals(Lamp.OFF, table.next(Lamp.ON, Touch.BREAK));
        assertNull(table.next(Lamp.OFF, Touch.BREAK));
    }

    @Test
    void require_notAllowed_fails() {
        assertEquals(Lamp.OFF, table.require(Lamp.ON, Touch.PRESS));
        AssertionError e = assertThrows(AssertionError.class, () -> table.require(Lamp.OFF, Touch.BREAK));
        assertEquals("BREAK is not allowed in OFF", e.getMessage());
    }

    @Test
    void on_sameEventTwice_isRefused() {
        var builder = TransitionTable.of(Lamp.class, Touch.class).on(Touch.PRESS, Lamp.ON, Lamp.OFF);
        assertThrows(IllegalArgumentException.class, () -> builder.on(Touch.PRESS, Lamp.OFF, Lamp.OFF));
    }

    @Test
    void toDot_table_isAGraphNamedAfterItsOwner() {
        String expected = """
                digraph TransitionTableTest {
                  OFF -> ON [label="PRESS"];
                  ON -> OFF [label="PRESS"];
                  ON -> OFF [label="BREAK"];
                }
                """;
        assertEquals(expected, table.toDot());
    }
}
