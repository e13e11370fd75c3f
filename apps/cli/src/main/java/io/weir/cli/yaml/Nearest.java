package io.weir.cli.yaml;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
public final class Nearest {
    private Nearest() {}

    /** {@return the known word that {@code word} becomes by the fewest changes, if those are few for its length} */
    public static Optional<String> to(String word, Collection<String> known) {
        String best = null;
        int fewest = Math.max(1, word.length() / 3) + 1;
        for (String candidate : known) {
            int changes = changes(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (changes < fewest) {
                fewest = changes;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@return how many characters to insert, delete, replace or swap with a neighbour (optimal string alignment)} */
    private static int changes(String from, String to) {
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                boolean same = from.charAt(i - 1) == to.charAt(j - 1);
                row[j] = Math.min(last[j - 1] + (same ? 0 : 1), 1 + Math.min(last[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[to.length()];
    }
}
