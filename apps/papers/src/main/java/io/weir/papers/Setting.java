package io.weir.papers;

/**
 * Under what circumstances a figure was made.
 *
 * @param paper the paper's parameters
 * @param scaling what this scale makes smaller, and why the claims survive that; {@link #AS_IN_THE_PAPER} if nothing
 */
public record Setting(String paper, String scaling) {
    /** For {@code scaling}: nothing is smaller. */
    public static final String AS_IN_THE_PAPER = "as in the paper";
}
