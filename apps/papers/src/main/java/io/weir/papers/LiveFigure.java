package io.weir.papers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A figure that is measured in real time on real ports, next to its simulations if it has some. It needs the right to
 * make network namespaces, and runs only when asked for, when every simulation has ended.
 */
public interface LiveFigure extends Figure {
    /**
     * {@return what was measured} Takes the time that it measures; leaves nothing behind.
     *
     * @param simulated what remains of {@link #runs}
     */
    Findings measure(RunResults simulated, Scale scale) throws IOException;

    @Override
    default List<PaperRun<?>> runs(Scale scale) {
        return List.of();
    }

    @Override
    default Findings evaluate(RunResults results, Scale scale) {
        try {
            return measure(results, scale);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
