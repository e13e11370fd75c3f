package io.weir.transport.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The windows that a flow had, one a step of time: what growth curves are read from. */
public final class Windows {
    private final List<Double> segments = new ArrayList<>();

    /** {@return the windows of flow {@code index} from now until {@code untilNanos}} */
    public static Windows of(Bottleneck run, int index, long untilNanos, long stepNanos) {
        Windows windows = new Windows();
        run.run(untilNanos, stepNanos, now -> windows.segments.add(run.window(index)));
        return windows;
    }

    /** {@return the window of step {@code index}} */
    public double at(int index) {
        return segments.get(index);
    }

    /** {@return how many steps there are} */
    public int count() {
        return segments.size();
    }

    /** {@return the largest} */
    public double max() {
        return Collections.max(segments);
    }

    /** {@return the step of the smallest from step {@code from} on, the first of equals} */
    public int indexOfMin(int from) {
        int index = from;
        for (int i = from; i < segments.size(); i++) {
            if (segments.get(i) < segments.get(index)) {
                index = i;
            }
        }
        return index;
    }

    /** {@return the mean over time} */
    public double mean() {
        return segments.stream().mapToDouble(value -> value).average().orElse(0);
    }

    /** {@return what was left of the window wherever it became smaller} */
    public List<Double> cuts() {
        List<Double> cuts = new ArrayList<>();
        for (int i = 1; i < segments.size(); i++) {
            if (segments.get(i) < segments.get(i - 1)) {
                cuts.add(segments.get(i) / segments.get(i - 1));
            }
        }
        return cuts;
    }

    /** {@return steps {@code from} to {@code to} - 1, for messages} */
    public String toString(int from, int to) {
        return segments.subList(from, to).toString();
    }

    @Override
    public String toString() {
        return segments.toString();
    }
}
