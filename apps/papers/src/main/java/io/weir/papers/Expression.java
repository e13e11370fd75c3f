package io.weir.papers;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Arithmetic over lists of numbers: {@code 1 - max(used[dx]) / share[dx]}. Lists are combined element by element, a
 * single number with each element; functions make one number of a list; a semicolon joins lists.
 */
final class Expression {
    private static final Map<String, ToDoubleFunction<List<Double>>> FUNCTIONS = Map.of(
            "min", Statistics::min,
            "max", Statistics::max,
            "mean", Statistics::mean,
            "median", Statistics::median,
            "jain", Statistics::jain,
            "p99", Statistics::p99,
            "floor", values -> Math.floor(values.get(0)),
            "largestRise", Statistics::largestRise,
            "sum", values -> values.stream().mapToDouble(Double::doubleValue).sum(),
            "count", List::size);

    /** The function that is none of the others: it takes the smallest element by element, not of all. */
    private static final String LESSER = "lesser";

    /** A number with its unit; a name, whose parts may have brackets; or a sign. */
    private static final Pattern TOKEN =
            Pattern.compile("\\s*(?:(?<number>[0-9]+(?:\\.[0-9]+)?(?:e-?[0-9]+)?)(?<unit>%|[A-Za-z]+)?"
                    + "|(?<name>[A-Za-z][A-Za-z0-9]*(?:\\[[^\\[\\]]*\\])?(?:\\.[A-Za-z0-9]+(?:\\[[^\\[\\]]*\\])?)*)"
                    + "|(?<sign>[-+*/(),;]))");

    private final String text;
    private final Term term;

    private Expression(String text, Term term) {
        this.text = text;
        this.term = term;
    }

    private interface Term {
        List<Double> values(Function<String, List<Double>> names);
    }

    private interface Operation {
        double apply(double left, double right);
    }

    static Expression parse(String text) {
        Parser parser = new Parser(text);
        Term term = parser.lists();
        parser.requireEnd();
        return new Expression(text, term);
    }

    /** Gives {@code consumer} each name in the expression. */
    void eachName(Consumer<String> consumer) {
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            String name = matcher.group("name");
            if (name != null && !FUNCTIONS.containsKey(name) && !name.equals(LESSER)) {
                consumer.accept(name);
            }
        }
    }

    /** {@return the values, where {@code names} gives those of each name} */
    List<Double> values(Function<String, List<Double>> names) {
        return term.values(names);
    }

    /** {@return the one value that there must be} */
    double value(Function<String, List<Double>> names) {
        List<Double> values = values(names);
        if (values.size() != 1) {
            throw new ConfigException("\"" + text + "\" has " + values.size() + " values where one is needed");
        }
        return values.get(0);
    }

    /** Recursive descent: a sum of products of signed atoms. */
    private static final class Parser {
        private final String text;
        private final Matcher matcher;

        /** Where the next token begins; all before it has been read. */
        private int position;

        Parser(String text) {
            this.text = text;
            this.matcher = TOKEN.matcher(text);
        }

        private ConfigException refused(String expected) {
            return new ConfigException(
                    "\"" + text + "\": expected " + expected + " at \"" + text.substring(position) + "\"");
        }

        private boolean next(String group) {
            return matcher.region(position, text.length()).lookingAt() && matcher.group(group) != null;
        }

        private boolean take(String sign) {
            if (next("sign") && matcher.group("sign").equals(sign)) {
                position = matcher.end();
                return true;
            }
            return false;
        }

        void requireEnd() {
            if (!text.substring(position).isBlank()) {
                throw refused("the end");
            }
        }

        Term lists() {
            List<Term> lists = new ArrayList<>(List.of(sum()));
            while (take(";")) {
                lists.add(sum());
            }
            return names ->
                    lists.stream().flatMap(list -> list.values(names).stream()).toList();
        }

        private Term sum() {
            Term left = product();
            while (true) {
                if (take("+")) {
                    left = combined(left, product(), Double::sum);
                } else if (take("-")) {
                    left = combined(left, product(), (a, b) -> a - b);
                } else {
                    return left;
                }
            }
        }

        private Term product() {
            Term left = atom();
            while (true) {
                if (take("*")) {
                    left = combined(left, atom(), (a, b) -> a * b);
                } else if (take("/")) {
                    left = combined(left, atom(), (a, b) -> a / b);
                } else {
                    return left;
                }
            }
        }

        private Term atom() {
            if (take("(")) {
                Term inner = lists();
                require(")");
                return inner;
            }
            if (next("number")) {
                double number = number(matcher.group("number"), matcher.group("unit"));
                position = matcher.end();
                return names -> List.of(number);
            }
            if (!next("name")) {
                throw refused("a number, a name or (");
            }
            String name = matcher.group("name");
            position = matcher.end();
            return take("(") ? call(name) : names -> names.apply(name);
        }

        private Term call(String name) {
            ToDoubleFunction<List<Double>> function = FUNCTIONS.get(name);
            if (function == null && !name.equals(LESSER)) {
                throw new ConfigException("\"" + text + "\": there is no function " + name);
            }
            List<Term> arguments = new ArrayList<>(List.of(lists()));
            while (take(",")) {
                arguments.add(lists());
            }
            require(")");
            if (name.equals(LESSER)) {
                return arguments.stream()
                        .reduce((left, right) -> combined(left, right, Math::min))
                        .orElseThrow();
            }
            return names -> List.of(function.applyAsDouble(arguments.stream()
                    .flatMap(argument -> argument.values(names).stream())
                    .toList()));
        }

        private void require(String sign) {
            if (!take(sign)) {
                throw refused(sign);
            }
        }
    }

    private static double number(String digits, String unit) {
        if (unit == null) {
            return Double.parseDouble(digits);
        }
        return switch (unit) {
            case "%" -> Double.parseDouble(digits) / 100;
            case "ns", "us", "ms", "s" -> Durations.parse(digits + unit);
            case "bps", "Kbps", "Mbps", "Gbps" -> Rates.parse(digits + unit);
            default -> Sizes.parse(digits + unit);
        };
    }

    private static Term combined(Term left, Term right, Operation operation) {
        return names -> {
            List<Double> a = left.values(names);
            List<Double> b = right.values(names);
            if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
                throw new ConfigException(
                        "lists of " + a.size() + " and of " + b.size() + " values do not go together");
            }
            List<Double> values = new ArrayList<>();
            for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
                values.add(operation.apply(a.get(a.size() == 1 ? 0 : i), b.get(b.size() == 1 ? 0 : i)));
            }
            return values;
        };
    }
}
