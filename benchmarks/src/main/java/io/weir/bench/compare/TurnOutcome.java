package io.weir.bench.compare;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one turn gave: values, or the reason why there are none.
 *
 * @param values what was measured, in base units
 * @param ramp payload bits per second in each second from the first byte on, where there was a stream
 * @param failure why nothing was measured, or null
 * @param isAttempted whether it was tried at all
 */
record TurnOutcome(Map<Measure, Double> values, List<Double> ramp, String failure, boolean isAttempted) {
    /** Copies. */
    TurnOutcome {
        Map<Measure, Double> copy = new EnumMap<>(Measure.class);
        copy.putAll(values);
        values = copy;
        ramp = List.copyOf(ramp);
    }

    static TurnOutcome of(Map<Measure, Double> values, List<Double> ramp) {
        return new TurnOutcome(values, ramp, null, true);
    }

    static TurnOutcome failed(String reason) {
        return new TurnOutcome(Map.of(), List.of(), reason, true);
    }

    static TurnOutcome notRun(String reason) {
        return new TurnOutcome(Map.of(), List.of(), reason, false);
    }

    boolean isFailure() {
        return failure != null;
    }

    /** {@return what stands in place of a value} */
    String failureText() {
        return (isAttempted ? "failed: " : "not run: ") + failure;
    }
}
