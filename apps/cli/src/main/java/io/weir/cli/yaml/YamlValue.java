package io.weir.cli.yaml;

import io.weir.transport.node.ConfigException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** One value of a file, with its place and the path of keys that leads to it. */
public final class YamlValue {
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

    private final String file;
    private final String path;
    private final Node node;

    YamlValue(String file, String path, Node node) {
        this.file = file;
        this.path = path;
        this.node = node;
    }

    /** {@return another value of the file, whose path goes on with {@code step}} */
    YamlValue at(String step, Node other) {
        String longer = path + step;
        return new YamlValue(file, longer.startsWith(".") ? longer.substring(1) : longer, other);
    }

    /** {@return what is written there, whatever its type} */
    public String text() {
        if (!(node instanceof ScalarNode scalar)) {
            throw refused("expected a single value, found " + kind());
        }
        if (Tag.NULL.equals(node.getTag())) {
            throw refused("the value is missing");
        }
        return scalar.getValue();
    }

    /** {@return what is written there, which must not look like a number or a truth value} */
    public String string() {
        String text = text();
        if (!Tag.STR.equals(node.getTag())) {
            throw refused(text + " is not text; write it in quotes: \"" + text + "\"");
        }
        return text;
    }

    /** {@return what {@code reader} makes of the text; its refusals get the place} */
    public <T> T parse(Function<String, T> reader) {
        String text = text();
        return locate(() -> reader.apply(text));
    }

    /** {@return the truth value} */
    public boolean bool() {
        String text = text();
        if (!Tag.BOOL.equals(node.getTag())) {
            throw refused("\"" + text + "\" is not true or false");
        }
        return text.equalsIgnoreCase("true");
    }

    /** {@return the whole number, {@code min} to {@code max}} */
    public long integer(long min, long max) {
        String text = text();
        if (!INTEGER.matcher(text).matches()) {
            throw refused("\"" + text + "\" is not a whole number");
        }
        BigInteger number = new BigInteger(text);
        if (number.compareTo(BigInteger.valueOf(min)) < 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
            throw refused(text + " is outside " + min + ".." + max);
        }
        return number.longValueExact();
    }

    /** {@return which of {@code choices}, by what {@code name} calls them} */
    public <T> T choice(List<T> choices, Function<T, String> name) {
        String text = text();
        for (T choice : choices) {
            if (name.apply(choice).equals(text)) {
                return choice;
            }
        }
        List<String> names = choices.stream().map(name).toList();
        String remedy = Nearest.to(text, names)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
        throw refused("\"" + text + "\" is none of " + String.join(", ", names) + remedy);
    }

    /** {@return whether it is a single value and no mapping or list} */
    public boolean isScalar() {
        return node instanceof ScalarNode;
    }

    /** {@return whether it is a mapping} */
    public boolean isMap() {
        return node instanceof MappingNode;
    }

    /** {@return the mapping that it is} */
    public YamlMap map() {
        if (!(node instanceof MappingNode mapping)) {
            throw refused("expected a mapping of keys to values, found " + kind());
        }
        return new YamlMap(this, mapping);
    }

    /** {@return the values of the list that it is} */
    public List<YamlValue> list() {
        if (!(node instanceof SequenceNode sequence)) {
            throw refused("expected a list, found " + kind());
        }
        List<YamlValue> values = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            values.add(at("[" + values.size() + "]", element));
        }
        return values;
    }

    private String kind() {
        if (node instanceof MappingNode) {
            return "a mapping";
        }
        if (node instanceof SequenceNode) {
            return "a list";
        }
        return Tag.NULL.equals(node.getTag()) ? "nothing" : "\"" + ((ScalarNode) node).getValue() + "\"";
    }

    int line() {
        return node.getStartMark().orElseThrow().getLine() + 1;
    }

    /** {@return a refusal that begins with the file, the place and the keys that lead there} */
    public ConfigException refused(String problem) {
        return new ConfigException(origin() + ": " + (path.isEmpty() ? "" : path + ": ") + problem);
    }

    /** {@return the file and the place in it, or the option of the command line that put the value there} */
    private String origin() {
        Optional<Mark> mark = node.getStartMark();
        if (mark.isPresent() && !mark.get().getName().equals(file)) {
            return mark.get().getName();
        }
        return file + mark.map(YamlFile::place).orElse("");
    }

    /** {@return what {@code maker} makes; what it refuses gets this value's place, so it must not read other values} */
    public <T> T locate(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            ConfigException refusal = refused(e.getMessage());
            refusal.initCause(e);
            throw refusal;
        }
    }
}
