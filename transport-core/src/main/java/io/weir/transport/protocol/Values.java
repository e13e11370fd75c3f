package io.weir.transport.protocol;

import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.List;

/**
 * A value for each parameter of a list, each within its limits.
 *
 * @param owner what they belong to, for messages
 * @param parameters what can be set
 * @param values in the order of the parameters
 */
public record Values(String owner, List<Parameter<?>> parameters, List<Object> values) {
    public Values {
        parameters = List.copyOf(parameters);
        values = List.copyOf(values);
        for (int i = 0; i < parameters.size(); i++) {
            parameters.get(i).checked(values.get(i));
        }
        for (int i = 0; i < parameters.size(); i++) {
            Parameter<?> floor = parameters.get(i).floor();
            if (floor != null && (Long) values.get(i) < (Long) values.get(parameters.indexOf(floor))) {
                throw new ConfigException(parameters.get(i).key() + "=" + values.get(i) + " is below " + floor.key()
                        + "=" + values.get(parameters.indexOf(floor)));
            }
        }
    }

    /** {@return the usual value of each parameter} */
    public static Values usual(String owner, List<Parameter<?>> parameters) {
        List<Object> usual = new ArrayList<>();
        parameters.forEach(parameter -> usual.add(parameter.usual()));
        return new Values(owner, parameters, usual);
    }

    /** {@return the value of a parameter} */
    @SuppressWarnings("unchecked") // the constructor has compared the classes
    <T> T get(Parameter<T> parameter) {
        return (T) values.get(indexOf(parameter));
    }

    /** {@return the same with another value of one; those that are never below it rise with it} */
    <T> Values with(Parameter<T> parameter, T value) {
        List<Object> changed = new ArrayList<>(values);
        changed.set(indexOf(parameter), value);
        for (int i = 0; i < changed.size(); i++) {
            if (parameter.equals(parameters.get(i).floor()) && (Long) changed.get(i) < (Long) value) {
                changed.set(i, value);
            }
        }
        return new Values(owner, parameters, changed);
    }

    /** {@return the same with what another source has of the parameters that mean something only with a choice} */
    Values withThoseOf(Parameter<?> choice, Values source) {
        List<Object> merged = new ArrayList<>(values);
        for (int i = 0; i < merged.size(); i++) {
            Parameter.Condition condition = parameters.get(i).condition();
            if (condition != null && condition.choice().equals(choice)) {
                merged.set(i, source.values.get(i));
            }
        }
        return new Values(owner, parameters, merged);
    }

    private int indexOf(Parameter<?> parameter) {
        int index = parameters.indexOf(parameter);
        if (index < 0) {
            throw new ConfigException(owner + " has no parameter " + parameter.key());
        }
        return index;
    }
}
