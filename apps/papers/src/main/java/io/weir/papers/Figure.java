package io.weir.papers;

import java.util.List;

/**
 * A figure or table of a paper: what must be run for it, and what the runs say of the paper's claims. It keeps no
 * state.
 */
public interface Figure {
    /** {@return its name: that of the paper, a slash and its own, as in {@code expresspass/fig10}} */
    String id();

    /** {@return what the paper shows there, in a line} */
    String title();

    /** {@return the paper's parameters, and what this scale makes smaller} */
    Setting setting(Scale scale);

    /** {@return the simulations it needs, each with its own name; none if it is computed} */
    List<PaperRun<?>> runs(Scale scale);

    /** {@return what the runs say; called once, when all of them are there} */
    Findings evaluate(RunResults results, Scale scale);
}
