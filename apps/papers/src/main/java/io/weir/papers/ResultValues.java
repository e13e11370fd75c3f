package io.weir.papers;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.output.Json;
import io.weir.cli.scenario.ResultPath;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What remains of a run: expressions over figures of its result, as {@code criteria} of scenario files name them, and
 * over what Java extracts.
 */
final class ResultValues implements Function<ScenarioResult, Map<String, List<Double>>> {
    /** What no path to a figure of the result can say, by name; a number or two may follow in brackets. */
    private static final Map<String, Extract> EXTRACTS = Map.of(
            "leastTrunk", (result, unused, none) -> List.of(Trunks.leastUtilization(result)),
            "jainFromInterval", (result, from, none) -> List.of(Extracts.jainOverIntervals(result, (int) from)),
            "joiningNanos", (result, intervals, none) -> Extracts.joiningNanos(result, (int) intervals),
            "completionNanosOfSizes", Extracts::completionNanosOfSizes);

    private static final Pattern EXTRACT = Pattern.compile("([A-Za-z]+)(?:\\[([0-9]+)(?:\\.\\.([0-9]+)?)?\\])?");

    /** Takes numbers from a result: of the range in the brackets, 0 and {@link Long#MAX_VALUE} without. */
    private interface Extract {
        List<Double> of(ScenarioResult result, long from, long to);
    }

    private final Map<String, Expression> expressions;
    private final Map<String, ResultPath> paths = new LinkedHashMap<>();

    /** Reads the paths in the expressions; one that no result has is refused. */
    ResultValues(Map<String, Expression> expressions) {
        this.expressions = expressions;
        expressions
                .values()
                .forEach(expression -> expression.eachName(name -> {
                    if (extract(name).isEmpty()) {
                        paths.put(name, ResultPath.parse(name));
                    }
                }));
    }

    /** {@return what expressions of claims call the values} */
    Set<String> names() {
        return expressions.keySet();
    }

    @Override
    public Map<String, List<Double>> apply(ScenarioResult result) {
        JsonNode tree = Json.tree(result);
        Map<String, List<Double>> values = new LinkedHashMap<>();
        expressions.forEach((name, expression) -> values.put(
                name,
                expression.values(figure -> paths.containsKey(figure)
                        ? paths.get(figure).values(tree)
                        : extract(figure).orElseThrow().apply(result))));
        return values;
    }

    private static Optional<Function<ScenarioResult, List<Double>>> extract(String name) {
        Matcher matcher = EXTRACT.matcher(name);
        if (!matcher.matches() || !EXTRACTS.containsKey(matcher.group(1))) {
            return Optional.empty();
        }
        long from = matcher.group(2) == null ? 0 : Long.parseLong(matcher.group(2));
        long to = matcher.group(3) == null ? Long.MAX_VALUE : Long.parseLong(matcher.group(3));
        return Optional.of(result -> EXTRACTS.get(matcher.group(1)).of(result, from, to));
    }
}
