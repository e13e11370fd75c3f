package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;
import java.util.List;

/**
 * How a loop lost its core, as it was recorded: it ran, then it did not, and so on. A scenario plays it in a cycle.
 *
 * @param name what scenarios call it
 * @param description where it comes from
 * @param spans what happened, in order
 */
public record PauseTrace(String name, String description, List<Span> spans) {
    /** Of no thread. */
    public static final PauseTrace NONE = new PauseTrace("off", "", List.of(new Span(1, 0)));

    /** The most spans of a trace. */
    public static final int SPANS_MAX = 20_000;
    /** The longest that one half of a span may be. */
    public static final long SPAN_NANOS_MAX = 10_000_000_000L;

    /**
     * Some time on the core, and the time off it that followed.
     *
     * @param awakeNanos how long the loop ran; positive, so that a cycle always goes on
     * @param pausedNanos how long it did not run; 0 for a pause that does not count
     */
    public record Span(long awakeNanos, long pausedNanos) {
        public Span {
            if (awakeNanos < 1 || awakeNanos > SPAN_NANOS_MAX) {
                throw new ConfigException("awakeNanos=" + awakeNanos + " is outside 1.." + SPAN_NANOS_MAX
                        + "; join pauses without time between them into one");
            }
            if (pausedNanos < 0 || pausedNanos > SPAN_NANOS_MAX) {
                throw new ConfigException(
                        "pausedNanos=" + pausedNanos + " is outside 0.." + SPAN_NANOS_MAX + "; split what is longer");
            }
        }
    }

    /** Copies the list and validates its length. */
    public PauseTrace {
        spans = List.copyOf(spans);
        if (spans.isEmpty() || spans.size() > SPANS_MAX) {
            throw new ConfigException("a trace of " + spans.size() + " pauses is outside 1.." + SPANS_MAX + "; record "
                    + (spans.isEmpty() ? "longer" : "for a shorter time"));
        }
    }

    /** {@return how long one cycle takes} */
    public long cycleNanos() {
        return spans.stream()
                .mapToLong(span -> span.awakeNanos() + span.pausedNanos())
                .sum();
    }

    /** {@return how long the loop is off its core in one cycle} */
    public long pausedNanos() {
        return spans.stream().mapToLong(Span::pausedNanos).sum();
    }
}
