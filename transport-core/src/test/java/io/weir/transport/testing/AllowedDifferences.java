package io.weir.transport.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The calls at which Weir's sockets may differ from the kernel's, each with its reason: all that a suite of {@link
 * ParityCase}s allows, and the table of them in the documents.
 */
public final class AllowedDifferences {
    private final List<Difference> allowed;
    /** What an outcome counts as. */
    private final UnaryOperator<String> reading;

    /**
     * A difference.
     *
     * @param name the case's
     * @param calls those of the case that tell it, the first of which is shown
     * @param what the subject of its row in the table; the same one may stand for several cases
     * @param why the reason
     */
    public record Difference(String name, Set<String> calls, String what, String why) {
        /** {@return one that a single case tells by these calls} */
        public static Difference of(String name, String what, String why, String... calls) {
            return new Difference(name, Set.of(calls), what, why);
        }
    }

    /** Allows these and no others. */
    public AllowedDifferences(List<Difference> allowed) {
        this(allowed, UnaryOperator.identity());
    }

    /** Allows these, and outcomes that {@code reading} takes for the same. */
    public AllowedDifferences(List<Difference> allowed, UnaryOperator<String> reading) {
        this.allowed = List.copyOf(allowed);
        this.reading = reading;
    }

    /** {@return those of the calls of a case that differ although they may not, with both outcomes} */
    public List<String> forbidden(String name, Map<String, String> kernels, Map<String, String> ours) {
        List<String> forbidden = new ArrayList<>();
        for (String call : callsOf(kernels, ours)) {
            String expected = String.valueOf(kernels.get(call));
            String actual = String.valueOf(ours.get(call));
            if (!reading.apply(expected).equals(reading.apply(actual)) && find(name, call) == null) {
                forbidden.add(name + ": " + call + ": kernel=" + expected + " weir=" + actual);
            }
        }
        return forbidden;
    }

    private static Set<String> callsOf(Map<String, String> kernels, Map<String, String> ours) {
        Map<String, String> all = new LinkedHashMap<>(kernels);
        ours.forEach(all::putIfAbsent);
        return all.keySet();
    }

    private Difference find(String name, String call) {
        return allowed.stream()
                .filter(difference ->
                        difference.name().equals(name) && difference.calls().contains(call))
                .findFirst()
                .orElse(null);
    }

    /** {@return those that are allowed and that no case tells} */
    List<String> unused(Map<String, Map<String, String>> kernels, Map<String, Map<String, String>> ours) {
        List<String> unused = new ArrayList<>();
        for (Difference difference : allowed) {
            Map<String, String> expected = kernels.get(difference.name());
            for (String call : difference.calls()) {
                if (expected == null
                        || String.valueOf(expected.get(call))
                                .equals(ours.get(difference.name()).get(call))) {
                    unused.add(difference.name() + ": " + call);
                }
            }
        }
        return unused;
    }

    /** {@return the rows of the table, as the suite has told them} */
    String table(Map<String, Map<String, String>> kernels, Map<String, Map<String, String>> ours) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (Difference difference : allowed) {
            Map<String, String> expected = kernels.get(difference.name());
            Map<String, String> actual = ours.get(difference.name());
            String call = expected.keySet().stream()
                    .filter(difference.calls()::contains)
                    .findFirst()
                    .orElseThrow();
            rows.putIfAbsent(
                    difference.what(),
                    "| " + difference.what() + " | " + word(expected.get(call)) + " | " + word(actual.get(call)) + " | "
                            + difference.why() + " |\n");
        }
        return "| call | kernel | Weir | why |\n|---|---|---|---|\n" + String.join("", rows.values());
    }

    private static String word(String outcome) {
        return Character.isUpperCase(outcome.charAt(0)) ? "`" + outcome + "`" : outcome;
    }
}
