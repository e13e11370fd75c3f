package io.weir.papers;

import java.util.LinkedHashMap;
import java.util.Map;

/** What remains of the runs of one figure. */
public final class RunResults {
    private final Map<String, Object> extracts = new LinkedHashMap<>();

    /** Creates what has nothing yet. */
    public RunResults() {}

    /** Keeps what remains of a run, which must be what its own function made. */
    public void put(PaperRun<?> run, Object extract) {
        if (extracts.put(run.name(), extract) != null) {
            throw new IllegalStateException("two runs of a figure are called \"" + run.name() + "\"");
        }
    }

    /** {@return what remains of {@code run}} */
    @SuppressWarnings("unchecked") // put has what the run's own function made, and names are unique within a figure
    public <R> R get(PaperRun<R> run) {
        Object extract = extracts.get(run.name());
        if (extract == null) {
            throw new IllegalStateException("the run \"" + run.name() + "\" is not among those of the figure");
        }
        return (R) extract;
    }
}
