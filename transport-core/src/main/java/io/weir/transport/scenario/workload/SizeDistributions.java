package io.weir.transport.scenario.workload;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.SizeDistribution.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Distributions of sizes as text: lines of a size in bytes and the fraction of flows up to it, with a comma or space
 * between; {@code #} begins a comment, and a line of names may come first. Those of the papers are resources of this
 * package, {@code <name>.csv}; reading files is their readers' business.
 */
public final class SizeDistributions {
    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*|\\s+");
    private static final List<String> NAMES = List.of(
            "homa_fb_cachefollower_intracluster",
            "homa_fb_hadoop",
            "homa_fb_webserver_intracluster",
            "hpcc_fbhadoop",
            "hpcc_websearch",
            "pfabric_websearch",
            "tg_datamining",
            "tg_websearch",
            "xpass_cachefollower",
            "xpass_datamining",
            "xpass_websearch",
            "xpass_webserver");

    private SizeDistributions() {}

    /** {@return the names of the distributions that come with Weir} */
    public static List<String> names() {
        return NAMES;
    }

    /** {@return the resource, next to this class, that has the text of a distribution that comes with Weir} */
    public static String resourceOf(String name) {
        if (!NAMES.contains(name)) {
            throw new ConfigException("there is no distribution '" + name + "'; there are " + String.join(", ", NAMES)
                    + ", and your files");
        }
        return name + ".csv";
    }

    /** {@return the distribution that a text describes} */
    public static SizeDistribution parse(String name, String text) {
        List<Point> points = new ArrayList<>();
        StringBuilder comments = new StringBuilder();
        String[] lines = text.split("\\R", -1);
        int lastLine = 1;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.startsWith("#")) {
                comments.append(comments.isEmpty() ? "" : "; ")
                        .append(line.substring(1).strip());
            } else if (!line.isEmpty() && !(points.isEmpty() && Character.isLetter(line.charAt(0)))) {
                lastLine = i + 1;
                points.add(point(name, lastLine, line, points));
            }
        }
        if (points.isEmpty() || points.get(points.size() - 1).fraction() != 1) {
            double end = points.isEmpty() ? 0 : points.get(points.size() - 1).fraction();
            throw error(
                    name,
                    lastLine,
                    "the distribution ends at a fraction of " + end
                            + " and must rise to 1: add a line with the largest size");
        }
        return new SizeDistribution(name, comments.toString(), points);
    }

    private static Point point(String name, int line, String text, List<Point> before) {
        String[] columns = SEPARATOR.split(text, -1);
        if (columns.length != 2) {
            throw error(
                    name,
                    line,
                    "'" + text + "' has " + columns.length + " columns; write a size in bytes, a comma and a fraction");
        }
        Point point = new Point(number(name, line, columns[0]), number(name, line, columns[1]));
        Point last = before.isEmpty() ? new Point(0, 0) : before.get(before.size() - 1);
        if (!(point.bytes() >= last.bytes())) {
            throw error(
                    name,
                    line,
                    "a size of " + columns[0] + " B after one of " + last.bytes() + " B; sizes must not fall");
        }
        if (!(point.fraction() >= last.fraction() && point.fraction() <= 1)) {
            throw error(
                    name,
                    line,
                    "a fraction of " + columns[1] + " after one of " + last.fraction()
                            + "; fractions must not fall, nor exceed 1");
        }
        return point;
    }

    private static double number(String name, int line, String column) {
        try {
            return Double.parseDouble(column);
        } catch (NumberFormatException e) {
            throw error(name, line, "'" + column + "' is not a number");
        }
    }

    private static ConfigException error(String name, int line, String message) {
        return new ConfigException(name + ", line " + line + ": " + message);
    }
}
