package io.weir.papers.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes one shape of lines that follow each other in a drawing: a curve of a thousand points is a thousand lines
 * otherwise, most of a page.
 */
final class JoinedLines {
    private static final Pattern LINE = Pattern.compile(
            "<line style=\"([^\"]*)\" x1=\"([^\"]*)\" x2=\"([^\"]*)\" y1=\"([^\"]*)\" y2=\"([^\"]*)\"/>\\s*");

    private final StringBuilder out = new StringBuilder();
    private String style = "";
    private String end = "";
    private int endOfLast = -1;

    private JoinedLines() {}

    /** {@return the drawing, with each run of lines of one style that begin where the one before ended as one shape} */
    static String in(String svg) {
        JoinedLines joined = new JoinedLines();
        Matcher line = LINE.matcher(svg);
        int from = 0;
        while (line.find()) {
            joined.take(svg.substring(from, line.start()), line);
            from = line.end();
        }
        joined.close();
        return joined.out.append(svg, from, svg.length()).toString();
    }

    private void take(String before, Matcher line) {
        String start = line.group(2) + "," + line.group(4);
        if (line.start() != endOfLast || !style.equals(line.group(1)) || !end.equals(start)) {
            close();
            out.append(before)
                    .append("<polyline style=\"")
                    .append(line.group(1))
                    .append("\" points=\"")
                    .append(start);
        }
        style = line.group(1);
        end = line.group(3) + "," + line.group(5);
        out.append(' ').append(end);
        endOfLast = line.end();
    }

    private void close() {
        if (endOfLast >= 0) {
            out.append("\"/>\n");
            endOfLast = -1;
        }
    }
}
