package io.weir.bench.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The options of a command line, each followed by its value or a flag, in any order. Of an option given twice the last
 * value counts. What cannot be read is an {@link IllegalArgumentException} that names the option.
 */
public final class Arguments {
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    private Arguments() {}

    /**
     * {@return the arguments, of which each is one of these options}
     *
     * @param options names of options that have a value, separated by spaces
     */
    public static Arguments of(List<String> arguments, String options, String... flags) {
        Set<String> valued = Set.of(options.split(" "));
        Set<String> alone = Set.of(flags);
        Arguments parsed = new Arguments();
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            String value = "";
            if (valued.contains(option)) {
                if (++i == arguments.size()) {
                    throw new IllegalArgumentException(option + " lacks its value");
                }
                value = arguments.get(i);
            } else if (!alone.contains(option)) {
                throw new IllegalArgumentException("unknown option " + option);
            }
            parsed.values.computeIfAbsent(option, added -> new ArrayList<>()).add(value);
        }
        return parsed;
    }

    /** {@return the options; if they cannot be read, prints the reason and {@code usage} and exits with status 2} */
    @SuppressWarnings("SystemOut")
    public static <T> T readOrExit(Supplier<T> options, String usage) {
        try {
            return options.get();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(usage);
            System.exit(2);
            throw e;
        }
    }

    /** {@return whether an option or flag was given} */
    public boolean has(String option) {
        return values.containsKey(option);
    }

    /** {@return every value of an option, in their order} */
    public List<String> all(String option) {
        return List.copyOf(values.getOrDefault(option, List.of()));
    }

    /** {@return the value of an option, or {@code usual}, which may be null} */
    public String text(String option, String usual) {
        List<String> given = values.get(option);
        return given == null ? usual : given.get(given.size() - 1);
    }

    /** {@return the parts between the commas of an option's value} */
    public List<String> list(String option, String usual) {
        return List.of(text(option, usual).split(",", -1));
    }

    /** {@return the value of an option, or {@code usual}} */
    public int integer(String option, int usual) {
        long value = whole(option, usual);
        if (value != (int) value) {
            throw new IllegalArgumentException(option + " " + value + " is too large");
        }
        return (int) value;
    }

    /** {@return the value of an option, or {@code usual}} */
    public long whole(String option, long usual) {
        try {
            return has(option) ? Long.parseLong(text(option, "")) : usual;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + text(option, "") + " is no whole number", e);
        }
    }

    /** {@return the value of an option within bounds, or {@code usual}} */
    public long whole(String option, long usual, long min, long max) {
        long value = whole(option, usual);
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " " + value + " is outside " + min + ".." + max);
        }
        return value;
    }

    /** {@return the value of an option, or {@code usual}} */
    public double decimal(String option, double usual) {
        try {
            return has(option) ? Double.parseDouble(text(option, "")) : usual;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + text(option, "") + " is not a number", e);
        }
    }
}
