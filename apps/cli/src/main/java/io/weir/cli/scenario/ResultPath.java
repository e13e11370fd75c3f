package io.weir.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.yaml.Nearest;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.result.ScenarioResult;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A way to numbers of a result: {@code utilization}, of the summary; {@code flows.goodputBps}, of every flow; {@code
 * flows[long-1].goodputBps}, of one; {@code ports[left>right].queueBytesMax}; {@code
 * completionNanos[S].completionNanos.p99}; {@code flows[short*].completionNanos}, of those whose id begins so; {@code
 * series.totalGoodputBps[750..]}, of the elements from number 750 on.
 */
public final class ResultPath {
    private static final Pattern STEP = Pattern.compile("([A-Za-z0-9]+)(?:\\[([^\\[\\]]+)\\])?");
    /** A dot between steps, not one in brackets. */
    private static final Pattern DOT = Pattern.compile("\\.(?![^\\[\\]]*\\])");

    private static final Pattern TAIL = Pattern.compile("[0-9]{1,9}\\.\\.");
    private static final String SUMMARY = "summary";

    private final List<Step> steps;

    private ResultPath(List<Step> steps) {
        this.steps = steps;
    }

    /**
     * One step of the way.
     *
     * @param key the key
     * @param element which element of the list behind it, or null for all
     */
    private record Step(String key, String element) {}

    /** {@return the way that {@code text} describes; one that no result has is refused} */
    public static ResultPath parse(String text) {
        List<Step> steps = new ArrayList<>();
        for (String part : DOT.split(text, -1)) {
            Matcher matcher = STEP.matcher(part);
            if (!matcher.matches()) {
                throw new ConfigException("\"" + text + "\" is no path to a figure of the result; write it as in"
                        + " utilization, flows.goodputBps or ports[left>right].dataDrops");
            }
            steps.add(new Step(matcher.group(1), matcher.group(2)));
        }
        boolean isOfSummary = !names(ScenarioResult.class).contains(steps.get(0).key());
        if (isOfSummary) {
            steps.add(0, new Step(SUMMARY, null));
        }
        requireNumber(text, steps);
        return new ResultPath(steps);
    }

    private static void requireNumber(String text, List<Step> steps) {
        Class<?> type = ScenarioResult.class;
        for (Step step : steps) {
            List<String> known = names(type);
            if (!known.contains(step.key())) {
                throw new ConfigException("\"" + text + "\": the result has no \"" + step.key() + "\"; "
                        + Nearest.to(step.key(), known)
                                .map(near -> "did you mean \"" + near + "\"?")
                                .orElse("there are " + String.join(", ", known)));
            }
            Type of = Arrays.stream(type.getRecordComponents())
                    .filter(component -> component.getName().equals(step.key()))
                    .map(RecordComponent::getGenericType)
                    .findFirst()
                    .orElseThrow();
            boolean isList = of instanceof ParameterizedType;
            if (step.element() != null && !isList) {
                throw new ConfigException("\"" + text + "\": " + step.key() + " is no list; leave the brackets out");
            }
            type = (Class<?>) (isList ? ((ParameterizedType) of).getActualTypeArguments()[0] : of);
        }
        if (type.isRecord() || type == String.class || type == boolean.class) {
            throw new ConfigException("\"" + text + "\" is no number"
                    + (type.isRecord() ? "; go on with " + String.join(", ", names(type)) : ""));
        }
    }

    private static List<String> names(Class<?> type) {
        return type.isRecord()
                ? Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList()
                : List.of();
    }

    /** {@return the last key, whose name has the unit} */
    String figure() {
        return steps.get(steps.size() - 1).key();
    }

    /** {@return whether any key on the way ends so} */
    boolean hasUnit(String suffix) {
        return steps.stream().anyMatch(step -> step.key().endsWith(suffix));
    }

    /** {@return the numbers that the way leads to in a result} */
    public List<Double> values(JsonNode result) {
        List<JsonNode> nodes = List.of(result);
        for (Step step : steps) {
            List<JsonNode> next = new ArrayList<>();
            for (JsonNode node : nodes) {
                collect(node.path(step.key()), step.element(), next);
            }
            nodes = next;
        }
        return nodes.stream()
                .filter(JsonNode::isNumber)
                .map(JsonNode::doubleValue)
                .toList();
    }

    private static void collect(JsonNode node, String element, List<JsonNode> found) {
        if (!node.isArray()) {
            found.add(node);
            return;
        }
        boolean isTail = element != null && TAIL.matcher(element).matches();
        int first = isTail ? Integer.parseInt(element.substring(0, element.length() - 2)) : 0;
        for (int i = first; i < node.size(); i++) {
            if (element == null || isTail || element.equals(Integer.toString(i)) || isCalled(node.get(i), element)) {
                found.add(node.get(i));
            }
        }
    }

    private static boolean isCalled(JsonNode node, String name) {
        if (name.endsWith("*")) {
            return node.path("id").asText().startsWith(name.substring(0, name.length() - 1));
        }
        return name.equals(node.path("id").asText())
                || name.equals(node.path("name").asText())
                || name.equals(
                        node.path("node").asText() + ">" + node.path("port").asText());
    }
}
