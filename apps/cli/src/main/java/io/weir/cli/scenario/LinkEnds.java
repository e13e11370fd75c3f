package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlValue;
import java.util.List;
import java.util.function.Consumer;

/**
 * The two ends of links, as in {@code [h1..h4, left]}: each of the one with each of the other.
 *
 * @param left names at one end
 * @param right names at the other
 * @param place where they are written
 */
record LinkEnds(List<String> left, List<String> right, YamlValue place) {
    /** {@return the ends that a list of two names or ranges gives; {@code check} refuses names that do not exist} */
    static LinkEnds read(YamlValue value, Consumer<NodeNames.Named> check) {
        List<YamlValue> ends = value.list();
        if (ends.size() != 2) {
            throw value.refused("a link has 2 ends, and the list has " + ends.size() + "; write it as in [h1, left]");
        }
        return new LinkEnds(names(ends.get(0), check), names(ends.get(1), check), value);
    }

    private static List<String> names(YamlValue value, Consumer<NodeNames.Named> check) {
        List<String> names = NodeNames.expand(value);
        names.forEach(name -> check.accept(new NodeNames.Named(name, value)));
        return names;
    }
}
