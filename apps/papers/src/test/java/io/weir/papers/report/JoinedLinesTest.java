package io.weir.papers.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link JoinedLines}. */
class JoinedLinesTest {
    private static String line(String style, int x1, int y1, int x2, int y2) {
        return String.format("<line style=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>%n", style, x1, x2, y1, y2);
    }

    @Test
    void in_linesThatFollowEachOther_areOne() {
        assertEquals(
                "<g><polyline style=\"s\" points=\"0,1 2,3 4,5\"/>\n</g>",
                JoinedLines.in("<g>" + line("s", 0, 1, 2, 3) + line("s", 2, 3, 4, 5) + "</g>"));
    }

    @Test
    void in_gapsStylesAndOtherShapes_beginAnew() {
        String one = "<polyline style=\"s\" points=\"0,1 2,3\"/>\n";
        assertEquals(
                one + "<polyline style=\"s\" points=\"9,9 4,5\"/>\n",
                JoinedLines.in(line("s", 0, 1, 2, 3) + line("s", 9, 9, 4, 5)));
        assertEquals(
                one + "<polyline style=\"t\" points=\"2,3 4,5\"/>\n",
                JoinedLines.in(line("s", 0, 1, 2, 3) + line("t", 2, 3, 4, 5)));
        assertEquals(
                one + "<g/><polyline style=\"s\" points=\"2,3 4,5\"/>\n",
                JoinedLines.in(line("s", 0, 1, 2, 3) + "<g/>" + line("s", 2, 3, 4, 5)));
    }

    @Test
    void in_noLines_isTheSame() {
        assertEquals("<svg><path/></svg>", JoinedLines.in("<svg><path/></svg>"));
    }
}
