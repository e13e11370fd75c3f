package io.weir.cli.demo;

/** A figure that time off core may spoil. */
enum DemoFigure {
    ALONE_GOODPUT("alone.goodputBps", "one flow's goodput"),
    ALONE_SHARE("alone.linkShare", "one flow's share of the link"),
    ALONE_QUEUE("alone.queue", "one flow's queue"),
    IDLE_P50("idle.p50Nanos", "idle p50"),
    IDLE_P99("idle.p99Nanos", "idle p99"),
    IDLE_P999("idle.p999Nanos", "idle p99.9"),
    LOADED_P50("loaded.p50Nanos", "loaded p50"),
    LOADED_P99("loaded.p99Nanos", "loaded p99"),
    LOADED_P999("loaded.p999Nanos", "loaded p99.9"),
    LOADED_QUEUE("loadedQueue", "loaded queue"),
    MANY_GOODPUT("fairness.goodputBps", "many flows' goodput"),
    MANY_JAIN("fairness.jainIndex", "Jain's index"),
    MANY_QUEUE("fairness.queue", "many flows' queue"),
    JOIN("join.medianRoundTrips", "joining");

    private final String path;
    private final String label;

    DemoFigure(String path, String label) {
        this.path = path;
        this.label = label;
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
        return switch (this) {
            case ALONE_GOODPUT, ALONE_QUEUE, MANY_JAIN, JOIN -> true;
            default -> false;
        };
    }
}
