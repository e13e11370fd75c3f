package io.weir.cli.yaml;

import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value that the command line puts in the place of a file's: {@code traffic[0].count=4}. An element of a list is
 * named by its number or by its {@code id}. What the file has not is added, and refused where the file is read if it
 * means nothing.
 */
public final class YamlOverride {
    private static final Pattern STEP = Pattern.compile("\\.?([A-Za-z0-9_-]+)|\\[([^\\[\\]]+)\\]");

    private final String origin;
    private final List<Step> steps;
    private final Node value;

    private YamlOverride(String origin, List<Step> steps, Node value) {
        this.origin = origin;
        this.steps = steps;
        this.value = value;
    }

    /**
     * One step of a path.
     *
     * @param name the key, or what stands in brackets
     * @param isElement whether it stands in brackets
     */
    private record Step(String name, boolean isElement) {}

    /**
     * {@return what {@code assignment}, a path, an equals sign and a value, means; messages call it by {@code option}
     * too}
     */
    public static YamlOverride parse(String option, String assignment) {
        int equals = assignment.indexOf('=');
        if (equals <= 0 || equals == assignment.length() - 1) {
            throw new ConfigException(option + ": \"" + assignment
                    + "\" does not set anything; write a key, = and a value, as in traffic[0].count=4");
        }
        String path = assignment.substring(0, equals);
        String origin = option + " " + assignment;
        return new YamlOverride(
                origin, steps(origin, path), YamlFile.compose(origin, assignment.substring(equals + 1)));
    }

    /** {@return the value {@code text} for the key {@code key} of the whole file; messages call it {@code option}} */
    public static YamlOverride of(String option, String key, String text) {
        return new YamlOverride(
                option + " " + text, List.of(new Step(key, false)), YamlFile.compose(option + " " + text, text));
    }

    private static List<Step> steps(String origin, String path) {
        List<Step> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(path);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            boolean isElement = matcher.group(2) != null;
            steps.add(new Step(isElement ? matcher.group(2) : matcher.group(1), isElement));
            end = matcher.end();
        }
        if (end != path.length() || steps.get(0).isElement() || path.startsWith(".")) {
            throw new ConfigException(origin + ": \"" + path
                    + "\" is no path of keys; write it as in topology.pairs or traffic[0].count");
        }
        return steps;
    }

    /** {@return the tree with the value in its place} */
    Node applyTo(Node root) {
        return replaced(root, 0);
    }

    private Node replaced(Node node, int depth) {
        if (depth == steps.size()) {
            return value;
        }
        Step step = steps.get(depth);
        return step.isElement() ? element(node, step, depth) : entry(node, step, depth);
    }

    private Node element(Node node, Step step, int depth) {
        if (!(node instanceof SequenceNode sequence)) {
            throw refused(path(depth) + " is no list");
        }
        int index = index(sequence.getValue(), step.name());
        if (index < 0) {
            throw refused(path(depth) + " has no element " + step.name() + "; it has "
                    + sequence.getValue().size() + ", from 0 on, known by their numbers or by an id");
        }
        List<Node> elements = new ArrayList<>(sequence.getValue());
        elements.set(index, replaced(elements.get(index), depth + 1));
        return new SequenceNode(
                sequence.getTag(),
                true,
                elements,
                sequence.getFlowStyle(),
                sequence.getStartMark(),
                sequence.getEndMark());
    }

    private static int index(List<Node> elements, String name) {
        for (int i = 0; i < elements.size(); i++) {
            if (name.equals(Integer.toString(i)) || name.equals(id(elements.get(i)))) {
                return i;
            }
        }
        return -1;
    }

    private static String id(Node element) {
        if (element instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                if (isKey(entry, "id") && entry.getValueNode() instanceof ScalarNode scalar) {
                    return scalar.getValue();
                }
            }
        }
        return null;
    }

    private Node entry(Node node, Step step, int depth) {
        if (!(node instanceof MappingNode mapping)) {
            throw refused(path(depth) + " has no keys");
        }
        List<NodeTuple> entries = new ArrayList<>();
        boolean isFound = false;
        for (NodeTuple entry : mapping.getValue()) {
            boolean isIt = isKey(entry, step.name());
            isFound |= isIt;
            entries.add(isIt ? new NodeTuple(entry.getKeyNode(), replaced(entry.getValueNode(), depth + 1)) : entry);
        }
        if (!isFound) {
            entries.add(new NodeTuple(key(step.name()), added(depth + 1)));
        }
        return new MappingNode(
                mapping.getTag(), true, entries, mapping.getFlowStyle(), mapping.getStartMark(), mapping.getEndMark());
    }

    /** {@return the value with the keys that lead to it, where the file has none of them} */
    private Node added(int depth) {
        if (depth == steps.size()) {
            return value;
        }
        if (steps.get(depth).isElement()) {
            throw refused(path(depth) + " is not in the file, so that it has no elements");
        }
        List<NodeTuple> entry = List.of(new NodeTuple(key(steps.get(depth).name()), added(depth + 1)));
        return new MappingNode(Tag.MAP, true, entry, FlowStyle.FLOW, value.getStartMark(), Optional.empty());
    }

    private Node key(String name) {
        return new ScalarNode(Tag.STR, true, name, ScalarStyle.PLAIN, value.getStartMark(), Optional.empty());
    }

    private static boolean isKey(NodeTuple entry, String name) {
        return entry.getKeyNode() instanceof ScalarNode scalar
                && scalar.getValue().equals(name);
    }

    private String path(int depth) {
        StringBuilder path = new StringBuilder();
        for (Step step : steps.subList(0, depth)) {
            path.append(step.isElement() ? "[" + step.name() + "]" : (path.isEmpty() ? "" : ".") + step.name());
        }
        return path.isEmpty() ? "the file" : path.toString();
    }

    private ConfigException refused(String problem) {
        return new ConfigException(origin + ": " + problem);
    }
}
