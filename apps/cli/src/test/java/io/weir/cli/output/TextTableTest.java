package io.weir.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests tables of text. */
class TextTableTest {
    @Test
    void print_twoRows_alignsNamesLeftAndQuantitiesRight() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        new TextTable("Flow", "Goodput", "")
                .row("longest name", "1 bps", "")
                .row("b", "10.5 Gbps", "x")
                .print(out);
        out.flush();
        assertEquals(
                List.of("Flow            Goodput", "longest name      1 bps", "b             10.5 Gbps  x"),
                text.toString().lines().toList());
    }

    @Test
    void row_cellMissing_isRefused() {
        TextTable table = new TextTable("a", "b");
        assertEquals(
                "a row of 1 cells in a table of 2 columns",
                assertThrows(IllegalArgumentException.class, () -> table.row("only one"))
                        .getMessage());
    }
}
