package io.weir.papers.matrix;

import java.util.List;

/**
 * A rule that turns lost credits into rates, with the meters that it was made for.
 *
 * @param name what tables call it
 * @param protocol what a scenario's protocol is set to
 * @param credits what its ports' credits are set to
 */
record Contestant(String name, String protocol, String credits) {
    private static final String AUTHORS_METER = "{model: authors, queue: 8}";

    /** Weir's default, which is judged. */
    static final Contestant WEIR = new Contestant("weir", "weir", "{model: exact}");

    /** The rule of the authors' simulator with alpha = wInit = 1/16, as in the paper's large runs. */
    static final Contestant AUTHORS_CAREFUL = authors("1/16");

    /** The same with 1/2, as in its small ones. */
    static final Contestant AUTHORS_BOLD = authors("1/2");

    /** Algorithm 1 as printed. */
    static final Contestant PAPER = new Contestant("paper", "paper", AUTHORS_METER);

    /** DCTCP, which needs no credits; its files mark. */
    static final Contestant DCTCP = new Contestant("dctcp", "dctcp", "{model: exact}");

    /** The default, and the rules that credits have had. */
    static final List<Contestant> ALL = List.of(WEIR, AUTHORS_CAREFUL, AUTHORS_BOLD, PAPER);

    private static Contestant authors(String alpha) {
        return new Contestant(
                "authors " + alpha,
                "{preset: authors, smallest: 84B, largest: 92B, alpha: " + alpha + ", wInit: " + alpha + "}",
                AUTHORS_METER);
    }

    /** {@return the settings that make it the rule of a file whose links' credits are set by {@code creditsKey}} */
    List<String> settings(String creditsKey) {
        return List.of("protocol=" + protocol, creditsKey + "=" + credits);
    }
}
