package io.weir.cli.demo;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** A figure that time off core may spoil. */
enum DemoFigure {
    ALONE_GOODPUT(
            "alone.goodputBps",
            "one flow's goodput",
            true,
            system -> Preconditions.goodput(system.alone().pauses())),
    ALONE_SHARE("alone.linkShare", "one flow's share of the link", false, ALONE_GOODPUT.obstacle),
    ALONE_QUEUE(
            "alone.queue",
            "one flow's queue",
            true,
            system -> Preconditions.queue(system.alone().queue(), system.alone().pauses())),
    IDLE_P50("idle.p50Nanos", "idle p50", false, system -> Preconditions.percentile(system.idle(), 0.5)),
    IDLE_P99("idle.p99Nanos", "idle p99", false, system -> Preconditions.percentile(system.idle(), 0.99)),
    IDLE_P999("idle.p999Nanos", "idle p99.9", false, system -> Preconditions.percentile(system.idle(), 0.999)),
    LOADED_P50("loaded.p50Nanos", "loaded p50", false, system -> Preconditions.percentile(system.loaded(), 0.5)),
    LOADED_P99("loaded.p99Nanos", "loaded p99", false, system -> Preconditions.percentile(system.loaded(), 0.99)),
    LOADED_P999("loaded.p999Nanos", "loaded p99.9", false, system -> Preconditions.percentile(system.loaded(), 0.999)),
    LOADED_QUEUE(
            "loadedQueue",
            "loaded queue",
            false,
            system -> Preconditions.queue(system.loadedQueue(), system.loaded().pauses())),
    MANY_GOODPUT(
            "fairness.goodputBps",
            "many flows' goodput",
            false,
            system -> Preconditions.goodput(system.fairness().pauses())),
    MANY_JAIN("fairness.jainIndex", "Jain's index", true, system -> Preconditions.jainIndex(system.fairness())),
    MANY_QUEUE(
            "fairness.queue",
            "many flows' queue",
            false,
            system -> Preconditions.queue(
                    system.fairness().queue(), system.fairness().pauses())),
    JOIN("join.medianRoundTrips", "joining", true, system -> system.join().notJudged());

    private final String path;
    private final String label;
    private final boolean isJudged;
    private final Function<SystemFigures, String> obstacle;

    DemoFigure(String path, String label, boolean isJudged, Function<SystemFigures, String> obstacle) {
        this.path = path;
        this.label = label;
        this.isJudged = isJudged;
        this.obstacle = obstacle;
    }

    /** {@return why figures of one transport are not to be judged; those that may be are absent} */
    static Map<DemoFigure, String> notJudged(SystemFigures system) {
        Map<DemoFigure, String> reasons = new EnumMap<>(DemoFigure.class);
        for (DemoFigure figure : values()) {
            String reason = figure.obstacle.apply(system);
            if (reason != null) {
                reasons.put(figure, reason);
            }
        }
        return reasons;
    }

    /** {@return where documents have the figure} */
    String path() {
        return path;
    }

    /** {@return what people call it} */
    String label() {
        return label;
    }

    /** {@return whether {@code --strict} demands something of it} */
    boolean isJudged() {
        return isJudged;
    }
}
