package io.weir.transport.protocol;

import java.util.List;

/**
 * What is set by {@link Parameter}s: a protocol, its part at switches, or a port's credit meter. Immutable: each change
 * makes another.
 *
 * @param <S> the class that implements it
 */
public interface Tunable<S extends Tunable<S>> {
    /** {@return the value of each parameter} */
    Values values();

    /** {@return the same with these values} */
    S withValues(Values changed);

    /** {@return the values that have names, the usual ones first} */
    List<S> presets();

    /** Fails if values that are within their limits contradict each other. */
    void requireConsistent();

    /** {@return what can be set} */
    default List<Parameter<?>> parameters() {
        return values().parameters();
    }

    /** {@return the same with another value of one; those that are never below it rise with it} */
    default <T> S with(Parameter<T> parameter, T value) {
        return withValues(values().with(parameter, value));
    }

    /** {@return the same with another value of a time, rate, number of bytes, whole number or exact share} */
    default S with(Parameter<Long> parameter, long value) {
        return with(parameter, Long.valueOf(value));
    }

    /** {@return the value of a parameter} */
    default <T> T get(Parameter<T> parameter) {
        return values().get(parameter);
    }

    /** {@return a share or gain} */
    default double fraction(Parameter<Double> parameter) {
        return get(parameter);
    }

    /** {@return a time, rate, number of bytes, whole number or exact share} */
    default long whole(Parameter<Long> parameter) {
        return get(parameter);
    }

    /** {@return whether a flag is set} */
    default boolean flag(Parameter<Boolean> parameter) {
        return get(parameter);
    }

    /** {@return whether a parameter means something with these values of the others} */
    default boolean isUsed(Parameter<?> parameter) {
        Parameter.Condition condition = parameter.condition();
        return condition == null || condition.values().contains(get(condition.choice()));
    }

    /**
     * {@return the same after another choice} The parameters that mean something only with it are those of the first
     * preset that has it.
     */
    default <T> S choosing(Parameter<T> choice, T value) {
        S changed = with(choice, value);
        if (value.equals(get(choice))) {
            return changed;
        }
        for (S source : presets()) {
            if (source.get(choice).equals(value)) {
                return withValues(changed.values().withThoseOf(choice, source.values()));
            }
        }
        return changed;
    }
}
