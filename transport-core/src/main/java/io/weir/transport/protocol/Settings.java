package io.weir.transport.protocol;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of a protocol that is described by a {@link ProtocolKind}, each within its limits.
 *
 * @param kind the protocol
 * @param preset the name under which results report these parameters
 * @param values in the order of the kind's parameters
 */
public record Settings(ProtocolKind kind, String preset, List<Object> values) implements ProtocolConfig {
    /** Validates every value. */
    public Settings {
        values = List.copyOf(values);
        List<Parameter<?>> parameters = kind.parameters();
        for (int i = 0; i < parameters.size(); i++) {
            parameters.get(i).checked(values.get(i));
        }
    }

    /** {@return these parameters with another value of one} */
    public <T> Settings with(Parameter<T> parameter, T value) {
        List<Object> changed = new ArrayList<>(values);
        changed.set(kind.indexOf(parameter), value);
        return new Settings(kind, preset, changed);
    }

    /** {@return these parameters with another value of a time, rate, number of bytes or whole number} */
    public Settings with(Parameter<Long> parameter, long value) {
        return with(parameter, Long.valueOf(value));
    }

    /** {@return these parameters by another name} */
    public Settings named(String newPreset) {
        return new Settings(kind, newPreset, values);
    }

    /** {@return the value of a parameter} */
    @SuppressWarnings("unchecked") // the constructor has compared the classes
    public <T> T get(Parameter<T> parameter) {
        return (T) values.get(kind.indexOf(parameter));
    }

    /** {@return a share or gain} */
    public double fraction(Parameter<Double> parameter) {
        return get(parameter);
    }

    /** {@return a time, rate, number of bytes or whole number} */
    public long whole(Parameter<Long> parameter) {
        return get(parameter);
    }

    /** {@return whether a flag is set} */
    public boolean flag(Parameter<Boolean> parameter) {
        return get(parameter);
    }

    /** {@return whether a parameter means something with these values of the others} */
    public boolean isUsed(Parameter<?> parameter) {
        Parameter.Condition condition = parameter.condition();
        return condition == null || condition.values().contains(get(condition.choice()));
    }

    /**
     * {@return these parameters after another choice} The parameters that mean something only with it are those of the
     * first preset that has it.
     */
    public <T> Settings choosing(Parameter<T> choice, T value) {
        Settings changed = with(choice, value);
        if (value.equals(get(choice))) {
            return changed;
        }
        for (Settings source : kind.presets()) {
            if (source.get(choice).equals(value)) {
                List<Object> merged = new ArrayList<>(changed.values());
                for (int i = 0; i < merged.size(); i++) {
                    Parameter.Condition condition = kind.parameters().get(i).condition();
                    boolean isOfChoice = condition != null && condition.choice().equals(choice);
                    merged.set(i, isOfChoice ? source.values().get(i) : merged.get(i));
                }
                return new Settings(kind, preset, merged);
            }
        }
        return changed;
    }

    /** Fails if values that are within their limits contradict each other. */
    public void requireConsistent() {
        kind.requireConsistent(this);
    }

    @Override
    public ProtocolId id() {
        return kind.id();
    }

    @Override
    public String realPortObstacle() {
        return kind.realPortObstacle();
    }

    @Override
    public boolean waitsForMeter() {
        return kind.waitsForMeter(this);
    }

    @Override
    public CreditShape creditShape(int dataWireBytesMax) {
        return kind.creditShape(this, dataWireBytesMax);
    }

    @Override
    public ProtocolConfig forOneNetwork() {
        return kind.forOneNetwork(this);
    }

    @Override
    public ProtocolFactory newFactory(SeededRandom random) {
        requireConsistent();
        return kind.make(this, random);
    }
}
