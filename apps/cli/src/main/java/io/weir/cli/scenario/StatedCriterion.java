package io.weir.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.output.Criterion;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.node.ConfigException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a scenario's file demands of its result: {@code utilization >= 0.93}. Where a path leads to many figures, it
 * demands it of each, and reports the one that is farthest off.
 */
public final class StatedCriterion {
    private static final Pattern SHAPE = Pattern.compile("\\s*(\\S+)\\s*(>=|<=|==)\\s*(\\S.*?)\\s*");
    private static final double PERCENT = 100;

    private final String name;
    private final ResultPath path;
    private final String relation;
    private final double limit;

    private StatedCriterion(String name, ResultPath path, String relation, double limit) {
        this.name = name;
        this.path = path;
        this.relation = relation;
        this.limit = limit;
    }

    /** {@return what a value of the criteria list demands} */
    static StatedCriterion read(YamlValue value) {
        value.string();
        return value.parse(StatedCriterion::parse);
    }

    /** {@return what {@code text} demands} */
    static StatedCriterion parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new ConfigException("\"" + text
                    + "\" is no criterion; write a figure, >=, <= or ==, and a limit, as in utilization >= 0.93");
        }
        ResultPath path = ResultPath.parse(matcher.group(1));
        return new StatedCriterion(matcher.group(1), path, matcher.group(2), limit(path, matcher.group(3)));
    }

    private static double limit(ResultPath path, String text) {
        if (path.figure().equals("count") || path.figure().endsWith("Count")) {
            return number(text);
        }
        if (path.hasUnit("Nanos") && !path.figure().equals("flows")) {
            return Durations.parse(text);
        }
        if (path.figure().endsWith("Bps")) {
            return Rates.parse(text);
        }
        if (path.hasUnit("Bytes")
                || path.figure().startsWith("queueBytes")
                || path.figure().equals("bytes")) {
            return Sizes.parse(text);
        }
        return number(text);
    }

    private static double number(String text) {
        boolean isPercent = text.endsWith("%");
        try {
            double number = Double.parseDouble(
                    isPercent ? text.substring(0, text.length() - 1).strip() : text);
            if (Double.isFinite(number)) {
                return isPercent ? number / PERCENT : number;
            }
        } catch (NumberFormatException e) {
            throw refused(text, e);
        }
        throw refused(text, null);
    }

    private static ConfigException refused(String text, Exception cause) {
        return new ConfigException("the limit \"" + text + "\" is not a number; write it as in 0.93", cause);
    }

    /** {@return whether it holds of a result} */
    Criterion judge(JsonNode result) {
        List<Double> values = path.values(result);
        if (values.isEmpty()) {
            return new Criterion(name, "nothing", relation, limit, unit(), false);
        }
        double worst = values.get(0);
        for (double value : values) {
            worst = distance(value) > distance(worst) ? value : worst;
        }
        return new Criterion(name, worst, relation, limit, unit(), distance(worst) <= 0);
    }

    /** {@return how far a value is on the wrong side of the limit} */
    private double distance(double value) {
        return switch (relation) {
            case ">=" -> limit - value;
            case "<=" -> value - limit;
            default -> Math.abs(value - limit);
        };
    }

    private String unit() {
        if (path.figure().endsWith("Bps")) {
            return "bps";
        }
        boolean isCount = path.figure().equals("count") || path.figure().equals("flows");
        return path.hasUnit("Nanos") && !isCount ? "ns" : path.hasUnit("Bytes") ? "B" : "";
    }
}
