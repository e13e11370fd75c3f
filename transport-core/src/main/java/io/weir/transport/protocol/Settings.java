package io.weir.transport.protocol;

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
public record Settings(ProtocolKind kind, String preset, List<Double> values) implements ProtocolConfig {
    /** Validates every value. */
    public Settings {
        values = List.copyOf(values);
        List<Parameter> parameters = kind.parameters();
        for (int i = 0; i < parameters.size(); i++) {
            parameters.get(i).checked(values.get(i));
        }
    }

    /** {@return these parameters with another value of one} */
    public Settings with(Parameter parameter, double value) {
        List<Double> changed = new ArrayList<>(values);
        changed.set(kind.indexOf(parameter), value);
        return new Settings(kind, preset, changed);
    }

    /** {@return these parameters by another name} */
    public Settings named(String newPreset) {
        return new Settings(kind, newPreset, values);
    }

    /** {@return a share or gain} */
    public double fraction(Parameter parameter) {
        return values.get(kind.indexOf(parameter));
    }

    /** {@return a time, rate, number of bytes or whole number} */
    public long whole(Parameter parameter) {
        return Math.round(fraction(parameter));
    }

    /** {@return whether a flag is set} */
    public boolean flag(Parameter parameter) {
        return fraction(parameter) != 0;
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
    public ProtocolConfig forOneNetwork() {
        return kind.forOneNetwork(this);
    }

    @Override
    public ProtocolFactory newFactory(SeededRandom random) {
        return kind.make(this, random);
    }
}
