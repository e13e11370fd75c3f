package io.weir.cli.demo;

import java.util.function.Function;

/** A figure that time off core may spoil. */
enum DemoFigure {
    ALONE_GOODPUT(
            "alone.goodputBps",
            "one flow's goodput",
            SystemFigures::alone,
            system -> Preconditions.goodput(system.alone().pauses())),
    ALONE_SHARE(
            "alone.linkShare",
            "one flow's share of the link",
            SystemFigures::alone,
            system -> Preconditions.goodput(system.alone().pauses())),
    ALONE_QUEUE(
            "alone.queue",
            "one flow's queue",
            SystemFigures::alone,
            system -> Preconditions.queue(system.alone().queue(), system.alone().pauses())),
    IDLE_P50("idle.p50Nanos", "idle p50", SystemFigures::idle, system -> Preconditions.percentile(system.idle(), 0.5)),
    IDLE_P99("idle.p99Nanos", "idle p99", SystemFigures::idle, system -> Preconditions.percentile(system.idle(), 0.99)),
    IDLE_P999(
            "idle.p999Nanos",
            "idle p99.9",
            SystemFigures::idle,
            system -> Preconditions.percentile(system.idle(), 0.999)),
    LOADED_P50(
            "loaded.p50Nanos",
            "loaded p50",
            SystemFigures::loaded,
            system -> Preconditions.percentile(system.loaded(), 0.5)),
    LOADED_P99(
            "loaded.p99Nanos",
            "loaded p99",
            SystemFigures::loaded,
            system -> Preconditions.percentile(system.loaded(), 0.99)),
    LOADED_P999(
            "loaded.p999Nanos",
            "loaded p99.9",
            SystemFigures::loaded,
            system -> Preconditions.percentile(system.loaded(), 0.999)),
    LOADED_QUEUE(
            "loadedQueue",
            "loaded queue",
            SystemFigures::loadedQueue,
            system -> Preconditions.queue(system.loadedQueue(), system.loaded().pauses())),
    MANY_GOODPUT(
            "fairness.goodputBps",
            "many flows' goodput",
            SystemFigures::fairness,
            system -> Preconditions.goodput(system.fairness().pauses())),
    MANY_JAIN(
            "fairness.jainIndex",
            "Jain's index",
            SystemFigures::fairness,
            system -> Preconditions.jainIndex(system.fairness())),
    MANY_QUEUE(
            "fairness.queue",
            "many flows' queue",
            SystemFigures::fairness,
            system -> Preconditions.queue(
                    system.fairness().queue(), system.fairness().pauses())),
    JOIN("join.medianRoundTrips", "joining", SystemFigures::join, system -> system.join()
            .notJudged());

    private final String path;
    private final String label;

    /** Null of a transport of which the figure was not measured. */
    @SuppressWarnings("ImmutableEnumChecker") // no getter holds state
    private final Function<SystemFigures, Object> part;

    @SuppressWarnings("ImmutableEnumChecker") // no precondition holds state
    private final Function<SystemFigures, String> precondition;

    DemoFigure(
            String path,
            String label,
            Function<SystemFigures, Object> part,
            Function<SystemFigures, String> precondition) {
        this.path = path;
        this.label = label;
        this.part = part;
        this.precondition = precondition;
    }

    /** {@return where documents have the figure} */
    String path() {
        return path;
    }

    /** {@return what people call it} */
    String label() {
        return label;
    }

    /** {@return whether the figure of a transport was measured} */
    boolean isMeasured(SystemFigures system) {
        return part.apply(system) != null;
    }

    /** {@return why the figure of a transport is not to be judged, or null} */
    String notJudged(SystemFigures system) {
        return isMeasured(system) ? precondition.apply(system) : "not measured";
    }

    /** {@return whether {@code --strict} demands something of it} */
    boolean isJudged() {
        return switch (this) {
            case ALONE_GOODPUT, ALONE_QUEUE, MANY_JAIN, JOIN -> true;
            default -> false;
        };
    }
}
