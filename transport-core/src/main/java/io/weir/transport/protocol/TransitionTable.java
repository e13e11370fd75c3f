package io.weir.transport.protocol;

import java.util.EnumSet;

/**
 * A state machine as a table: which event leads from which states to which. Guards and actions belong to the methods
 * that feed it. A lookup is two array reads.
 *
 * @param <S> the states
 * @param <E> the events
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {
    private final Class<S> stateType;
    private final Class<E> eventType;
    private final Object[][] targets;

    private TransitionTable(Builder<S, E> builder) {
        stateType = builder.stateType;
        eventType = builder.eventType;
        targets = builder.targets;
    }

    /** {@return an empty table to be filled} */
    public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> of(Class<S> stateType, Class<E> eventType) {
        return new Builder<>(stateType, eventType);
    }

    /** {@return the state that {@code event} leads to from {@code state}, or null when it is not allowed there} */
    @SuppressWarnings("unchecked")
    public S next(S state, E event) {
        return (S) targets[state.ordinal()][event.ordinal()];
    }

    /**
     * {@return the state that {@code event} leads to from {@code state}}
     *
     * @throws AssertionError if it is not allowed there: for events that our own code makes
     */
    public S require(S state, E event) {
        S target = next(state, event);
        if (target == null) {
            throw new AssertionError(event + " is not allowed in " + state);
        }
        return target;
    }

    /** {@return the table as a graph for Graphviz, in a fixed order, named after the class that has the states} */
    public String toDot() {
        Class<?> owner = stateType.getEnclosingClass();
        String name = (owner == null ? stateType : owner).getSimpleName();
        StringBuilder dot = new StringBuilder("digraph ").append(name).append(" {\n");
        for (S state : EnumSet.allOf(stateType)) {
            for (E event : EnumSet.allOf(eventType)) {
                S target = next(state, event);
                if (target != null) {
                    dot.append("  ").append(state).append(" -> ").append(target);
                    dot.append(" [label=\"").append(event).append("\"];\n");
                }
            }
        }
        return dot.append("}\n").toString();
    }

    /**
     * Fills a table.
     *
     * @param <S> the states
     * @param <E> the events
     */
    public static final class Builder<S extends Enum<S>, E extends Enum<E>> {
        private final Class<S> stateType;
        private final Class<E> eventType;
        private final Object[][] targets;

        private Builder(Class<S> stateType, Class<E> eventType) {
            this.stateType = stateType;
            this.eventType = eventType;
            this.targets = new Object[stateType.getEnumConstants().length][eventType.getEnumConstants().length];
        }

        /** Says that {@code event} leads to {@code target} from each of {@code sources}. */
        @SafeVarargs
        public final Builder<S, E> on(E event, S target, S... sources) {
            for (S source : sources) {
                if (targets[source.ordinal()][event.ordinal()] != null) {
                    throw new IllegalArgumentException(event + " from " + source + " stands in the table already");
                }
                targets[source.ordinal()][event.ordinal()] = target;
            }
            return this;
        }

        /** {@return the table} */
        public TransitionTable<S, E> build() {
            return new TransitionTable<>(this);
        }
    }
}
