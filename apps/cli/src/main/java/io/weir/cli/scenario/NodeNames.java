package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of hosts and switches as a file has them: one alone, or a range such as {@code h1..h16}. */
final class NodeNames {
    /** The name for every host. */
    static final String ALL = "all";
    /** The name for the first half of the hosts, the left side of a dumbbell. */
    static final String FIRST_HALF = "first-half";
    /** The name for the other half. */
    static final String SECOND_HALF = "second-half";
    /** The words that no host may have as its name. */
    static final List<String> WORDS = List.of(ALL, FIRST_HALF, SECOND_HALF);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");
    private static final Pattern RANGE =
            Pattern.compile("([A-Za-z0-9_-]*?)([0-9]{1,6})\\.\\.([A-Za-z0-9_-]*?)([0-9]{1,6})");

    private NodeNames() {}

    /**
     * A name, and where it is written.
     *
     * @param name the name
     * @param place where it is written, alone or in a range
     */
    record Named(String name, YamlValue place) {}

    /** {@return the names that one scalar stands for} */
    static List<String> expand(YamlValue value) {
        String text = value.string();
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            if (!NAME.matcher(text).matches() || text.contains("..")) {
                throw value.refused("\"" + text
                        + "\" is no name and no range; write letters, digits, - and _, as in h1 or" + " h1..h16");
            }
            return List.of(text);
        }
        int first = Integer.parseInt(range.group(2));
        int last = Integer.parseInt(range.group(4));
        if (!range.group(1).equals(range.group(3)) || first > last) {
            throw value.refused("\"" + text + "\" does not rise from one number to another; write it as in "
                    + range.group(1) + "1.." + range.group(1) + "16");
        }
        if (last - first >= TopologyBlock.HOSTS_MAX) {
            throw value.refused("\"" + text + "\" are more than " + TopologyBlock.HOSTS_MAX + " names; write fewer");
        }
        List<String> names = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            names.add(range.group(1) + i);
        }
        return names;
    }

    /**
     * The two ends of links, as in {@code [h1..h4, left]}: each of the one with each of the other.
     *
     * @param left names at one end
     * @param right names at the other
     * @param place where they are written
     */
    record LinkSelection(List<String> left, List<String> right, YamlValue place) {
        /** {@return the ends that a list of two names or ranges gives; {@code check} refuses unknown names} */
        static LinkSelection read(YamlValue value, Consumer<Named> check) {
            List<YamlValue> ends = value.list();
            if (ends.size() != 2) {
                throw value.refused(
                        "a link has 2 ends, and the list has " + ends.size() + "; write it as in [h1, left]");
            }
            ends.forEach(end -> expand(end).forEach(name -> check.accept(new Named(name, end))));
            return new LinkSelection(expand(ends.get(0)), expand(ends.get(1)), value);
        }
    }
}
